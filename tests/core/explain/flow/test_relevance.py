"""Class-specific rules worked by hand on two layers, one head, three tokens ([CLS] and 2 patches).

A₁⊙G₁ = [[1, 1, −1], [0, 1, 0], [0, 1, 1]]      A₂⊙G₂ = [[1, 0, 2], [0, −1, 1], [−1, 0, 0]]
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.explain import gradient_rollout, relevance
from core.explain.attribution.cams import gradcam
from core.explain.attribution.legrad import legrad
from core.explain.flow.gradient_rollout import gradient_rollout_row
from core.explain.flow.relevance import relevance_row
from core.trace import AttentionKind, AttentionLayer, Trace
from core.trace.windows import WindowPartition, Windows

WEIGHTS = (
    [[0.5, 0.25, 0.25], [0, 1, 0], [0.25, 0.25, 0.5]],
    [[0.5, 0, 0.5], [0, 0.5, 0.5], [1, 0, 0]],
)
GRADIENTS = ([[2, 4, -4], [0, 1, 0], [0, 4, 2]], [[2, 9, 4], [1, -2, 2], [-1, 0, 0]])


def trace_of(weights, gradients, kind: AttentionKind = AttentionKind.ENCODER) -> Trace:
    """(layer, head, query, key) each."""
    layers = tuple(
        AttentionLayer(
            index,
            kind,
            1.0,
            recorded_weights=np.asarray(map_, np.float32),
            gradients=np.asarray(gradient, np.float32),
        )
        for index, (map_, gradient) in enumerate(zip(weights, gradients, strict=True))
    )
    return Trace(model_id="made up", layers={kind: layers}, states={})


def by_hand() -> Trace:
    return trace_of([[w] for w in WEIGHTS], [[g] for g in GRADIENTS])


def backwards(trace: Trace) -> Trace:
    """The most copied code's fault: the first map beside the last gradient."""
    ((kind, layers),) = trace.layers.items()
    turned = [layer.gradients for layer in reversed(layers)]
    mixed = tuple(replace(one, gradients=g) for one, g in zip(layers, turned, strict=True))
    return replace(trace, layers={kind: mixed})


def made_up(seed: int, size: int = 5) -> Trace:
    source = np.random.default_rng(seed)
    raw = source.exponential(size=(3, 2, size, size)) ** 3
    return trace_of(raw / raw.sum(-1, keepdims=True), source.normal(size=raw.shape))


class TestRelevance:
    def test_two_layers_worked_by_hand(self):
        # R₁ = I + Ā₁ = [[2, 1, 0], [0, 2, 0], [0, 1, 2]]; Ā₂ R₁ = [[2, 3, 4], [0, 1, 2], 0]
        expected = [[4, 4, 4], [0, 3, 2], [0, 1, 2]]
        np.testing.assert_allclose(relevance(by_hand()), expected, atol=1e-6)

    def test_reversed_gradients_are_caught(self):
        """Pairing them backwards gives the class token [4, 4.5, 2]: another order of patches."""
        wrong = relevance(backwards(by_hand()))
        np.testing.assert_allclose(wrong[0], [4, 4.5, 2], atol=1e-6)
        assert not np.allclose(wrong, relevance(by_hand()), atol=0.1)

    def test_what_speaks_against_the_class_is_dropped(self):
        first, second = by_hand().layers[AttentionKind.ENCODER]
        assert first.gradients is not None
        worse = np.where(first.gradients < 0, 10 * first.gradients, first.gradients)
        changed = replace(
            by_hand(), layers={AttentionKind.ENCODER: (replace(first, gradients=worse), second)}
        )
        np.testing.assert_array_equal(relevance(changed), relevance(by_hand()))

    def test_heads_are_averaged_after_dropping(self):
        """+1 in one head and −1 in another is evidence of ½, not none."""
        trace = trace_of([[[[1.0]], [[1.0]]]], [[[[1.0]], [[-1.0]]]])
        np.testing.assert_allclose(relevance(trace), [[1.5]])

    @given(seed=st.integers(0, 1000), query=st.integers(0, 4))
    def test_a_row_is_the_matrix_row_less_the_identity(self, seed: int, query: int):
        start = np.eye(5, dtype=np.float32)[query]
        trace = made_up(seed)
        expected = relevance(trace)[query] - start
        np.testing.assert_allclose(relevance_row(trace, start), expected, rtol=1e-4, atol=1e-5)

    def test_tiny_gains_survive_beside_the_identity(self):
        """1e-9 added to 1 in float32 would be lost."""
        trace = trace_of([[[[0.5, 0.5], [0.5, 0.5]]]], [[np.full((2, 2), 1e-9)]])
        start = np.array([0.5, 0.5], dtype=np.float32)
        np.testing.assert_allclose(relevance_row(trace, start), [5e-10, 5e-10], rtol=1e-5)


class TestGradientRollout:
    def test_two_layers_worked_by_hand(self):
        # Â₁ = [[2, 1, 0]/3, [0, 1, 0], [0, 1, 2]/3]; Â₂ = [[1, 0, 1]/2, [0, 1, 1]/2, [0, 0, 1]]
        expected = np.array([[1, 1, 1], [0, 2, 1], [0, 1, 2]]) / 3
        np.testing.assert_allclose(gradient_rollout(by_hand()), expected, atol=1e-6)

    def test_reversed_gradients_are_caught(self):
        wrong = gradient_rollout(backwards(by_hand()))
        np.testing.assert_allclose(wrong[0], np.array([2, 2.25, 1]) / 5.25, atol=1e-6)

    @given(seed=st.integers(0, 1000), query=st.integers(0, 4))
    def test_rows_sum_to_one_and_a_row_is_the_matrix_row(self, seed: int, query: int):
        trace = made_up(seed)
        whole = gradient_rollout(trace)
        np.testing.assert_allclose(whole.sum(axis=1), 1, atol=1e-5)
        start = np.eye(5, dtype=np.float32)[query]
        np.testing.assert_allclose(gradient_rollout_row(trace, start), whole[query], atol=1e-5)


@pytest.mark.parametrize("rule", [relevance, gradient_rollout])
class TestBothRefuse:
    def test_a_trace_without_gradients(self, rule):
        (layers,) = by_hand().layers.values()
        bare = tuple(replace(layer, gradients=None) for layer in layers)
        with pytest.raises(InputError, match="gradient_of="):
            rule(replace(by_hand(), layers={AttentionKind.ENCODER: bare}))

    def test_layers_of_different_sizes(self, rule):
        small = made_up(0, size=4).layers[AttentionKind.ENCODER][0]
        large = made_up(0, size=5).layers[AttentionKind.ENCODER][1]
        with pytest.raises(InputError, match="grids of different sizes"):
            rule(replace(by_hand(), layers={AttentionKind.ENCODER: (small, large)}))

    def test_windows(self, rule):
        partition = WindowPartition(2, 2, (2, 1))
        windows = Windows(np.full((2, 1, 2, 2), 0.5, dtype=np.float32), partition)
        layer = AttentionLayer(0, AttentionKind.ENCODER, 1.0, windows=windows)
        with pytest.raises(InputError, match="within windows"):
            rule(replace(by_hand(), layers={AttentionKind.ENCODER: (layer,)}))

    def test_cross_attention_and_an_unnamed_kind(self, rule):
        (layers,) = by_hand().layers.values()
        both = {AttentionKind.ENCODER: layers, AttentionKind.CROSS: layers}
        trace = replace(by_hand(), layers=both)
        with pytest.raises(InputError, match="Say which kind"):
            rule(trace)
        with pytest.raises(InputError, match="self-attention"):
            rule(trace, AttentionKind.CROSS)
        np.testing.assert_array_equal(rule(trace, AttentionKind.ENCODER), rule(by_hand()))


def test_legrad_by_hand():
    """Two layers, two heads, two queries, two keys: negative slopes count as zero."""
    first = np.array([[[4, -8], [0, 4]], [[0, 0], [-2, 4]]], dtype=np.float32)
    second = np.array([[[-1, 0], [0, 0]], [[0, 8], [0, 0]]], dtype=np.float32)
    # sums over heads and queries: [4, 8] and [0, 8], each ÷ 4; then the mean of both layers
    np.testing.assert_allclose(legrad([first, second]), [0.5, 2])


def test_gradcam_by_hand():
    """One row of two patches, two features: w = [1, −2]; patch 0: 3 − 2 = 1; patch 1: 1 − 4 < 0."""
    features = np.array([[[3, 1], [1, 2]]], dtype=np.float32)
    gradients = np.array([[[2, -3], [0, -1]]], dtype=np.float32)
    np.testing.assert_allclose(gradcam(features, gradients), [[1, 0]])
