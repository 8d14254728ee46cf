"""The values a forward pass leaves behind, worked by hand."""

import dataclasses

import numpy as np
import pytest

from core.trace import AttentionKind, AttentionLayer, Encoding, PatchGrid, Trace, read_only, softmax

LN2, LN3 = np.log(2), np.log(3)


def floats(*rows: object) -> np.ndarray:
    return np.array(rows, dtype=np.float32)


def worked_layer(**changes: object) -> AttentionLayer:
    """One head, two queries, two keys, d_head 1: scores are ln 3 and 0, then 0 and ln 3."""
    given = {
        "index": 0,
        "kind": AttentionKind.ENCODER,
        "scale": 0.5,
        "queries": floats([[2.0], [-2.0]]),
        "grouped_keys": floats([[LN3], [0.0]]),
        "grouped_values": floats([[10.0], [20.0]]),
    }
    return AttentionLayer(**given | changes)


def encoding(*tokens: str) -> Encoding:
    n = len(tokens)
    return Encoding(
        tokens,
        np.arange(n, dtype=np.int64),
        np.zeros((n, 2), np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, bool),
        np.zeros(n, np.int64),
    )


def two_stacks(**given: object) -> Trace:
    layers = {
        kind: (worked_layer(kind=kind), worked_layer(kind=kind, index=1))[: 1 + (kind != "encoder")]
        for kind in AttentionKind
    }
    states = {
        AttentionKind.ENCODER: (floats([1, 2], [3, 4]),),
        AttentionKind.DECODER: (floats([5, 6], [7, 8]),),
    }
    return Trace("toy", layers, states, encoding("a", "b"), encoding("<s>", "c"), **given)


def test_weights_are_the_softmax_of_scaled_products():
    layer = worked_layer()
    np.testing.assert_allclose(layer.scores, [[[LN3, 0], [-LN3, 0]]], atol=1e-6)
    np.testing.assert_allclose(layer.weights, [[[3 / 4, 1 / 4], [1 / 4, 3 / 4]]], atol=1e-6)


def test_a_bias_is_added_after_scaling():
    layer = worked_layer(bias=floats([[0, LN2], [-np.inf, 0]]))
    np.testing.assert_allclose(layer.weights, [[[3 / 5, 2 / 5], [0, 1]]], atol=1e-6)


@pytest.mark.parametrize("query", [0, 1])
@pytest.mark.parametrize("bias", [None, floats([[0, LN2]]), floats([[0, LN2], [-np.inf, 0]])])
def test_a_row_is_the_same_row_of_the_map(query: int, bias: np.ndarray | None):
    layer = worked_layer(bias=bias)
    np.testing.assert_allclose(layer.row(query), layer.weights[:, query], atol=1e-6)


def test_a_bias_may_differ_by_head():
    layer = worked_layer(
        queries=floats([[0.0]], [[0.0]]),
        grouped_keys=floats([[1.0], [1.0]]),
        bias=floats([[0, LN3]], [[LN3, 0]]),
    )
    np.testing.assert_allclose(layer.weights[:, 0], [[1 / 4, 3 / 4], [3 / 4, 1 / 4]], atol=1e-6)
    np.testing.assert_allclose(layer.row(0), [[1 / 4, 3 / 4], [3 / 4, 1 / 4]], atol=1e-6)


def test_grouped_keys_serve_neighbouring_heads():
    """Ainslie et al. 2023: heads 0 and 1 share group 0, heads 2 and 3 group 1."""
    layer = worked_layer(
        queries=np.ones((4, 1, 1), np.float32),
        grouped_keys=floats([[LN3], [0.0]], [[0.0], [LN3]]) * 2,
        grouped_values=floats([[1.0], [2.0]], [[3.0], [4.0]]),
    )
    assert layer.n_heads == 4
    np.testing.assert_array_equal(layer.values[:, 0, 0], [1, 1, 3, 3])
    expected = [[3 / 4, 1 / 4]] * 2 + [[1 / 4, 3 / 4]] * 2
    np.testing.assert_allclose(layer.weights[:, 0], expected, atol=1e-6)
    np.testing.assert_allclose(layer.row(0), expected, atol=1e-6)


def test_softmax_survives_large_scores_and_leaves_its_input():
    scores = floats([1000, 1000 + LN3, -np.inf])
    np.testing.assert_allclose(softmax(scores), [[1 / 4, 3 / 4, 0]], atol=1e-4)
    assert scores[0, 0] == 1000


def test_a_row_that_does_not_sum_to_one_is_an_error():
    layer = worked_layer(bias=np.full((1, 2, 2), -np.inf, np.float32))
    with (
        np.errstate(invalid="ignore"),
        pytest.raises(ValueError, match="encoder layer 0: a row of weights sums to nan, not to"),
    ):
        _ = layer.weights
    with (
        np.errstate(invalid="ignore"),
        pytest.raises(ValueError, match="sums to nan"),
    ):
        layer.row(1)


def test_caught_weights_stand_for_themselves():
    weights = floats([[0.25, 0.75], [0.5, 0.5]])
    layer = worked_layer(queries=None, grouped_keys=None, recorded_weights=weights)
    np.testing.assert_array_equal(layer.weights, weights)
    np.testing.assert_array_equal(layer.row(1), weights[:, 1])
    assert layer.scores is None
    assert layer.keys is None
    assert layer.n_heads == 1
    assert layer.allowed().all()


def test_a_layer_of_nothing_says_so():
    layer = worked_layer(queries=None, grouped_keys=None)
    for ask in (lambda: layer.weights, lambda: layer.row(0), lambda: layer.n_heads, layer.allowed):
        with pytest.raises(ValueError, match="layer 0 has neither"):
            ask()


def test_what_a_mask_allows():
    assert worked_layer().allowed().tolist() == [[True, True], [True, True]]
    lowest = np.finfo(np.float32).min  # how transformers writes a mask
    for hidden in (-np.inf, lowest):
        layer = worked_layer(bias=floats([[0, hidden], [0, 0]]))
        assert layer.allowed().tolist() == [[True, False], [True, True]]
    one_head_open = worked_layer(
        queries=np.ones((2, 2, 1), np.float32), bias=floats([[0, -np.inf]], [[0, 0]])
    )
    assert one_head_open.allowed().all()


def test_traces_cannot_be_changed():
    layer = worked_layer()
    with pytest.raises(dataclasses.FrozenInstanceError):
        layer.scale = 1.0  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(ValueError, match="read-only"):
        layer.weights[0, 0, 0] = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        two_stacks().model_id = "other"  # pyright: ignore[reportAttributeAccessIssue]


def test_read_only_shares_no_memory():
    source = np.arange(6, dtype=np.float32).reshape(2, 3)
    copy = read_only(source.T)
    source[:] = 0
    assert copy.tolist() == [[0, 3], [1, 4], [2, 5]]
    assert copy.flags.c_contiguous
    assert not copy.flags.writeable


def test_kinds_and_their_tokens():
    trace = two_stacks()
    assert trace.kinds == ("encoder", "decoder", "cross")
    assert (trace.tokens, trace.target_tokens) == (("a", "b"), ("<s>", "c"))
    assert [trace.n_layers(kind) for kind in trace.kinds] == [1, 2, 2]
    assert trace.n_heads(AttentionKind.CROSS) == 1
    sides = {
        kind: (trace.query_encoding(kind).tokens[0], trace.key_encoding(kind).tokens[0])
        for kind in trace.kinds
    }
    assert sides == {"encoder": ("a", "a"), "decoder": ("<s>", "<s>"), "cross": ("<s>", "a")}


def test_a_decoder_alone_has_its_input_on_both_sides():
    trace = Trace("gpt", {AttentionKind.DECODER: (worked_layer(),)}, {}, encoding("a", "b"))
    assert trace.query_encoding(AttentionKind.DECODER).tokens == ("a", "b")
    assert trace.key_encoding(AttentionKind.DECODER).tokens == ("a", "b")
    assert trace.target_tokens == ()
    assert trace.attention(0).kind == AttentionKind.ENCODER


def test_what_a_trace_lacks_is_named():
    trace = two_stacks()
    with pytest.raises(ValueError, match="say which kind of attention: encoder, decoder, cross"):
        trace.attention(0)
    with pytest.raises(ValueError, match="toy has layers 0 to 0, not 1"):
        trace.attention(1, kind=AttentionKind.ENCODER)
    with pytest.raises(ValueError, match="layers 0 to 0, not -1"):
        trace.attention(-1, kind=AttentionKind.ENCODER)
    with pytest.raises(ValueError, match="say which stack: encoder, decoder"):
        trace.hidden_states()
    alone = Trace("gpt", {AttentionKind.DECODER: (worked_layer(),)}, {}, encoding("a", "b"))
    with pytest.raises(ValueError, match="gpt has decoder attention, not cross"):
        alone.n_layers(AttentionKind.CROSS)
    with pytest.raises(ValueError, match="gpt keeps no hidden states"):
        alone.hidden_states()


def test_hidden_states_by_stack():
    trace = two_stacks()
    assert trace.hidden_states(AttentionKind.DECODER)[0][0, 0] == 5


def test_bytes_count_a_shared_mask_once():
    mask = np.zeros((1, 2, 2), np.float32)
    shared = {AttentionKind.ENCODER: (worked_layer(bias=mask), worked_layer(index=1, bias=mask))}
    # two layers of q, k, v: 2 floats each; one mask: 4 floats; logits: 3 floats
    trace = Trace("toy", shared, {}, logits=np.zeros(3, np.float32))
    assert trace.nbytes == (2 * 3 * 2 + 4 + 3) * 4


def test_a_picture_knows_its_grid():
    assert Trace("vit", {}, {}, patches=PatchGrid(2, 3, 1)).patches == PatchGrid(2, 3, 1)
