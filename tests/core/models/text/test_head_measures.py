"""What heads write and what they look at, of whole models, against loops by hand."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import core
from core.explain.attention.head_roles import head_roles, role_masses
from core.explain.attention.role_patterns import BROAD, INDUCTION
from core.explain.attention.written_norms import written_norms
from core.models.text.projections import output_matrices
from core.trace import AttentionKind, AttentionLayer

Checkpoint = Callable[[str], Path]
TEXTS = ("the cat sat because it was tired .", "a dog ran , a dog ran", "the animal")


@pytest.mark.parametrize("family", ["bert", "albert", "gpt2", "llama", "marian", "t5"])
def test_norms_equal_a_loop_over_heads_and_keys(family: str, tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint(family))
    (trace,) = model.trace_many([TEXTS[0]])
    for kind in trace.kinds:
        matrices = output_matrices(
            model.card, model.module, lambda path, kind=kind: model.kind_of(path) == kind
        )
        for layer, outputs in zip(trace.layers[kind], matrices, strict=True):
            norms = written_norms(layer, outputs)
            assert layer.values is not None
            for head in range(layer.n_heads):
                own = model.head_projections(layer.index, head, kind=kind).output
                written = [np.linalg.norm(value @ own) for value in layer.values[head]]
                np.testing.assert_allclose(norms[head], written, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("family", ["bert", "gpt2", "marian"])
def test_a_models_measures_are_those_of_its_traces(family: str, tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint(family))
    measured = model.head_measures(TEXTS)
    for trace, by_kind in zip(model.trace_many(TEXTS), measured, strict=True):
        assert tuple(by_kind) == trace.kinds
        for kind, one in by_kind.items():
            expected = role_masses(trace, kind)
            assert one.weights.roles == expected.roles
            for ours, theirs in zip(one.weights.masses, expected.masses, strict=True):
                np.testing.assert_allclose(ours, theirs, atol=1e-5)
            assert one.written is not None
            assert one.written.roles[-1] == BROAD
            assert one.nbytes > one.written.nbytes > 0
    roles = head_roles([one[model.trace(TEXTS[0]).kinds[0]].weights for one in measured])
    assert {role.label for layer in roles for role in layer} == {"no clear role"}  # three texts


def test_only_the_roles_that_are_asked(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("gpt2"))
    (one,) = model.head_measures(TEXTS[1:2], only=[INDUCTION])
    assert one[AttentionKind.DECODER].weights.roles == (INDUCTION,)
    assert model.head_measures([]) == ()


def test_cross_attention_tells_nothing_of_induction_and_is_measured_all_the_same(
    tiny_checkpoint: Checkpoint,
):
    model = core.load(tiny_checkpoint("marian"))
    texts = (*model.head_measures(TEXTS), *model.head_measures(TEXTS[1:2], only=[INDUCTION]))
    cross = [one[AttentionKind.CROSS] for one in texts]
    assert (cross[-1].weights.roles, cross[-1].written.roles) == ((), ())
    ((role, *_), *_) = head_roles([one.weights for one in cross])
    assert role.scores["first"].n_inputs == len(TEXTS)


def test_a_model_that_hides_its_values_is_measured_by_weights_alone(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("deberta"))
    (one,) = model.head_measures(TEXTS[:1])
    assert one[AttentionKind.ENCODER].written is None


def test_norms_without_values_are_a_mistake():
    layer = AttentionLayer(
        3, AttentionKind.ENCODER, 1.0, recorded_weights=np.eye(2, dtype=np.float32)[None]
    )
    with pytest.raises(ValueError, match="layer 3 keeps no values"):
        written_norms(layer, np.ones((1, 4, 8), np.float32))
