"""The maps that the attention page draws, on a tiny model, against the trace's own weights."""

import numpy as np
import pytest

from app.services.engine import TextTrace
from app.services.shown_maps import Reduction, shown_maps, valid_heads
from core import AttentionKind, load
from core.engine import Request
from core.outputs.families import TextModel
from core.trace import Trace

TEXT = "the cat sat , catnaps !"
PLAIN = Reduction(words=False, without_special=False, without_punctuation=False, renormalise=False)


@pytest.fixture(scope="module")
def trace(tiny_checkpoint) -> Trace:
    return load(tiny_checkpoint("bert")).trace(TEXT)


@pytest.fixture(scope="module")
def traced(tiny_checkpoint, trace: Trace) -> TextTrace:
    return TextTrace(Request.of(TextModel.trace, str(tiny_checkpoint("bert")), TEXT), trace)


def shown(traced: TextTrace, heads=((1, 2),), *, mean=False, reduction=PLAIN):
    return shown_maps(traced, AttentionKind.ENCODER, heads, mean=mean, reduction=reduction)


def test_one_head_is_the_traces_own(traced):
    result = shown(traced)
    np.testing.assert_array_equal(result.maps[0], traced.trace.attention(1).weights[2])
    assert result.names == ("layer 1 · head 2",)
    assert result.queries.labels == traced.trace.tokens
    assert result.visible_keys.tolist() == [len(traced.trace.tokens)] * len(traced.trace.tokens)


def test_a_mean_over_a_layer_is_named_and_exact(traced):
    heads = tuple((0, head) for head in range(4))
    result = shown(traced, heads, mean=True)
    np.testing.assert_allclose(result.maps[0], traced.trace.attention(0).weights.mean(0), rtol=1e-5)
    assert result.names == ("mean of 4 heads of layer 0",)


def test_words_stand_for_their_tokens(traced):
    result = shown(traced, reduction=Reduction(True, False, False, False))  # noqa: FBT003
    assert "catnaps" in result.queries.labels
    word = result.queries.labels.index("catnaps")
    tokens = result.queries.tokens[word]
    assert len(tokens) > 1
    assert {result.queries.find(token) for token in tokens} == {word}
    np.testing.assert_allclose(result.maps.sum(-1), 1, rtol=1e-5)


def test_special_tokens_and_punctuation_leave_and_are_named(traced):
    result = shown(traced, reduction=Reduction(False, True, True, True))  # noqa: FBT003
    assert set(result.hidden) == {"[CLS]", "[SEP]", ",", "!"}
    assert not set(result.keys.labels) & set(result.hidden)
    np.testing.assert_allclose(result.maps.sum(-1), 1, rtol=1e-5)
    assert result.removed is not None
    assert result.visible_keys.tolist() == [len(result.keys.labels)] * len(result.queries.labels)


def test_heads_that_a_model_lacks_are_dropped_and_doubles_count_once(traced):
    kind = AttentionKind.ENCODER
    assert valid_heads(traced, kind, ((9, 0), (1, 2), (1, 2), (0, 77))) == ((1, 2),)


def test_without_a_head_the_strongest_pair_chooses(traced):
    (chosen,) = valid_heads(traced, AttentionKind.ENCODER, ())
    weights = [layer.weights for layer in traced.trace.layers[AttentionKind.ENCODER]]
    n = len(traced.trace.tokens)
    inner = ~np.eye(n, dtype=bool)
    inner[traced.trace.encoding.special] = False
    inner[:, traced.trace.encoding.special] = False
    best = max(
        ((layer, head) for layer in range(3) for head in range(4)),
        key=lambda place: weights[place[0]][place[1]][inner].max(),
    )
    assert chosen == best
