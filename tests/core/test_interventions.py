"""Each intervention does what its name says, compared with arithmetic done another way."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

import core
from core import AttentionKind, BlockEdge, PatchHead, ReplaceWeights, SilenceHead
from core.trace import softmax
from tests.tiny import SEQ2SEQ, TRANSLATORS

TEXT = "the cat sat on a street ."
TARGET = "a dog ran"
TOLERANCE = 1e-5
Checkpoint = Callable[[str], Path]


@pytest.fixture
def bert(tiny_checkpoint: Checkpoint):
    """A BERT of its own, which a test may take apart."""
    return core.load(tiny_checkpoint("bert"))


def output_projection(model, layer: int) -> torch.nn.Linear:
    return model.module.bert.encoder.layer[layer].attention.output.dense


def without_columns(model, layer: int, head: int, d_head: int = 8) -> np.ndarray:
    """The logits of the model whose W^O has no columns for a head."""
    weight = output_projection(model, layer).weight
    kept = weight.clone()
    with torch.no_grad():
        weight[:, head * d_head : (head + 1) * d_head] = 0
        logits = model.trace(TEXT).logits
        weight.copy_(kept)
    return logits


def mixed(model, weights: np.ndarray, values: np.ndarray, layer: int) -> np.ndarray:
    """Attention output of a layer from weights and values: concatenated heads times W^O."""
    heads = np.concatenate(list(weights @ values), axis=-1)
    projection = output_projection(model, layer)
    return heads @ projection.weight.detach().numpy().T + projection.bias.detach().numpy()


@pytest.mark.parametrize(("layer", "head"), [(0, 0), (1, 3), (2, 2)])
def test_silencing_a_head_is_removing_its_columns_of_the_output_projection(bert, layer, head):
    silenced = bert.trace(TEXT, interventions=[SilenceHead(layer, head)])
    np.testing.assert_allclose(silenced.logits, without_columns(bert, layer, head), atol=TOLERANCE)
    assert np.abs(silenced.logits - bert.trace(TEXT).logits).max() > 1e-3


def test_a_silenced_head_still_shows_where_it_looks(bert):
    silenced = bert.trace(TEXT, interventions=[SilenceHead(1, 2)]).attention(1)
    np.testing.assert_allclose(
        silenced.weights, bert.trace(TEXT).attention(1).weights, atol=TOLERANCE
    )


def test_a_blocked_edge_is_minus_infinity_before_the_softmax(bert):
    bare = bert.trace(TEXT).attention(1)
    scores = np.array(bare.scores)
    scores[2, 4, 1] = -np.inf
    blocked = bert.trace(TEXT, interventions=[BlockEdge(1, 2, 4, 1)]).attention(1)
    np.testing.assert_allclose(blocked.weights, softmax(scores), atol=TOLERANCE)
    assert blocked.weights[2, 4, 1] == 0
    assert blocked.weights[2, 4].sum() == pytest.approx(1)
    np.testing.assert_allclose(blocked.row(4), softmax(scores)[:, 4], atol=TOLERANCE)


def test_a_blocked_edge_changes_what_follows_as_it_should(bert):
    """The next layer's queries come from the changed output, computed here by hand."""
    block = BlockEdge(0, 1, 3, 2)
    bare, blocked = bert.trace(TEXT), bert.trace(TEXT, interventions=[block])
    layer = bert.module.bert.encoder.layer[0]
    first = blocked.attention(0)
    attended = mixed(bert, first.weights, bare.attention(0).values, 0)
    with torch.no_grad():
        embedded = torch.from_numpy(np.array(bare.hidden_states()[0]))
        middle = layer.attention.output.LayerNorm(torch.from_numpy(attended) + embedded)
        expected = layer.output(layer.intermediate(middle), middle).numpy()
    np.testing.assert_allclose(blocked.hidden_states()[1], expected, atol=TOLERANCE)
    assert np.abs(expected - bare.hidden_states()[1]).max() > 1e-4


def test_blocking_in_a_causal_model_keeps_its_mask(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("gpt2"))
    blocked = model.trace(TEXT, interventions=[BlockEdge(1, 0, 5, 2)]).attention(1)
    assert blocked.weights[0, 5, 2] == 0
    assert np.all(np.triu(blocked.weights, 1) == 0)


def test_blocking_a_querys_only_key_is_refused(tiny_checkpoint: Checkpoint):
    """Nothing would be left to attend to: a softmax over nothing is no number."""
    model = core.load(tiny_checkpoint("gpt2"))
    with pytest.raises(core.InputError, match="no key left"):
        model.trace(TEXT, interventions=[BlockEdge(1, 0, 0, 0)])


def test_replacing_a_head_by_its_own_weights_changes_nothing(bert):
    bare = bert.trace(TEXT)
    own = ReplaceWeights(1, 2, np.array(bare.attention(1).weights[2]))
    np.testing.assert_allclose(
        bert.trace(TEXT, interventions=[own]).logits, bare.logits, atol=TOLERANCE
    )


def test_replaced_weights_are_used_and_shown(bert):
    n = len(bert.trace(TEXT).tokens)
    to_first = np.zeros((n, n), dtype=np.float32)
    to_first[:, 0] = 1
    changed = bert.trace(TEXT, interventions=[ReplaceWeights(0, 3, to_first)])
    layer = changed.attention(0)
    np.testing.assert_array_equal(layer.weights[3], to_first)
    values = np.array(bert.trace(TEXT).attention(0).values)
    patches = [PatchHead(0, 3, i, values[3, 0]) for i in range(n)]
    patched = bert.trace(TEXT, interventions=patches)
    np.testing.assert_allclose(changed.logits, patched.logits, atol=TOLERANCE)


def test_grouped_keys_can_be_replaced(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("llama"))
    bare = model.trace(TEXT)
    own = ReplaceWeights(2, 3, np.array(bare.attention(2).weights[3]))
    np.testing.assert_allclose(
        model.trace(TEXT, interventions=[own]).logits, bare.logits, atol=TOLERANCE
    )


@pytest.mark.parametrize("text", ["cat", "cat sat"])
def test_one_head_of_a_group_is_silenced_alone(text: str, tiny_checkpoint: Checkpoint):
    """For a single token transformers passes the heads of a group as positions."""
    model = core.load(tiny_checkpoint("llama"))
    silenced = model.trace(text, interventions=[SilenceHead(1, 3)])
    projection = model.module.model.layers[1].self_attn.o_proj
    with torch.no_grad():
        projection.weight[:, 24:32] = 0
    np.testing.assert_allclose(silenced.logits, model.trace(text).logits, atol=TOLERANCE)


def test_patching_a_head_with_its_own_output_changes_nothing(bert):
    bare = bert.trace(TEXT)
    layer = bare.attention(1)
    own = PatchHead(1, 2, 4, layer.weights[2, 4] @ layer.values[2])
    np.testing.assert_allclose(
        bert.trace(TEXT, interventions=[own]).logits, bare.logits, atol=TOLERANCE
    )


def test_patching_every_position_with_zero_is_silencing(bert):
    n = len(bert.trace(TEXT).tokens)
    zero = np.zeros(8, dtype=np.float32)
    patched = bert.trace(TEXT, interventions=[PatchHead(1, 2, i, zero) for i in range(n)])
    silenced = bert.trace(TEXT, interventions=[SilenceHead(1, 2)])
    np.testing.assert_allclose(patched.logits, silenced.logits, atol=TOLERANCE)


def test_in_a_batch_each_row_gets_its_own_interventions(bert):
    changes = [(), (SilenceHead(1, 2),), (BlockEdge(0, 1, 3, 2), SilenceHead(2, 0))]
    together = bert.trace_many([TEXT] * 3, changes)
    for trace, change in zip(together, changes, strict=True):
        alone = bert.trace(TEXT, interventions=change)
        np.testing.assert_allclose(trace.logits, alone.logits, atol=TOLERANCE)
        for index in range(3):
            np.testing.assert_allclose(
                trace.attention(index).weights, alone.attention(index).weights, atol=TOLERANCE
            )


def test_interventions_act_on_predictions_too(bert):
    text = "the cat [MASK] on a street ."
    bare = bert.fill_mask(text, top_k=3)[0]
    silenced = bert.fill_mask(text, top_k=3, interventions=[SilenceHead(0, 1), SilenceHead(2, 2)])
    assert silenced[0].candidates != bare.candidates
    before = bert.next_sentence(TEXT, TARGET)
    assert bert.next_sentence(TEXT, TARGET, interventions=[SilenceHead(0, 1)]) != before


@pytest.mark.parametrize("family", TRANSLATORS)
@pytest.mark.parametrize("kind", list(AttentionKind))
def test_a_kind_is_silenced_alone(family: str, kind: AttentionKind, tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint(family))
    bare = model.trace(TEXT, target=TARGET)
    silenced = model.trace(TEXT, target=TARGET, interventions=[SilenceHead(0, 1, kind)])
    assert np.abs(silenced.logits - bare.logits).max() > 1e-5
    first = silenced.attention(0, kind=AttentionKind.ENCODER)
    same = np.abs(
        silenced.hidden_states(AttentionKind.ENCODER)[-1]
        - bare.hidden_states(AttentionKind.ENCODER)[-1]
    ).max()
    assert (same > 1e-5) == (kind == AttentionKind.ENCODER)
    np.testing.assert_allclose(
        first.weights, bare.attention(0, kind=AttentionKind.ENCODER).weights, atol=TOLERANCE
    )


class TestWhereTheModelWritesOutItsSoftmax:
    """DeBERTa computes its softmax itself; the interceptor changes its weights."""

    @pytest.fixture
    def deberta(self, tiny_checkpoint: Checkpoint):
        return core.load(tiny_checkpoint("deberta"))

    def test_silencing_is_removing_columns(self, deberta):
        projection = deberta.module.deberta.encoder.layer[1].attention.output.dense
        silenced = deberta.trace(TEXT, interventions=[SilenceHead(1, 2)])
        kept = projection.weight.clone()
        with torch.no_grad():
            projection.weight[:, 16:24] = 0
            expected = deberta.trace(TEXT)
            projection.weight.copy_(kept)
        np.testing.assert_allclose(silenced.logits, expected.logits, atol=TOLERANCE)
        np.testing.assert_allclose(
            silenced.attention(1).weights, expected.attention(1).weights, atol=TOLERANCE
        )

    def test_a_blocked_edge_renormalises_its_row(self, deberta):
        bare = deberta.trace(TEXT).attention(1).weights
        blocked = deberta.trace(TEXT, interventions=[BlockEdge(1, 2, 4, 1)]).attention(1).weights
        expected = np.array(bare)
        expected[2, 4, 1] = 0
        expected[2, 4] /= expected[2, 4].sum()
        np.testing.assert_allclose(blocked, expected, atol=TOLERANCE)

    def test_replaced_weights_are_used(self, deberta):
        n = len(deberta.trace(TEXT).tokens)
        even = np.full((n, n), 1 / n, dtype=np.float32)
        changed = deberta.trace(TEXT, interventions=[ReplaceWeights(0, 1, even)])
        np.testing.assert_array_equal(changed.attention(0).weights[1], even)
        assert np.abs(changed.logits - deberta.trace(TEXT).logits).max() > 1e-4

    def test_silencing_and_blocking_one_head_show_the_blocked_map(self, deberta):
        both = [SilenceHead(1, 2), BlockEdge(1, 2, 4, 1)]
        for order in (both, both[::-1]):
            weights = deberta.trace(TEXT, interventions=order).attention(1).weights
            assert weights[2, 4, 1] == 0
            assert weights[2, 4].sum() == pytest.approx(1, abs=1e-5)

    def test_patching_is_refused_with_a_way_out(self, deberta):
        patch = PatchHead(0, 0, 0, np.zeros(8, dtype=np.float32))
        with pytest.raises(core.InputError, match="silence the head or replace its weights"):
            deberta.trace(TEXT, interventions=[patch])


@pytest.mark.parametrize(
    "change",
    [SilenceHead(3, 0), SilenceHead(0, 4), SilenceHead(-1, 0), BlockEdge(0, -1, 0, 0)],
)
def test_a_layer_or_head_that_is_not_there_is_refused(change, bert):
    with pytest.raises(core.InputError, match="layers 0 to 2 and heads 0 to 3"):
        bert.trace(TEXT, interventions=[change])


@pytest.mark.parametrize("change", [BlockEdge(0, 0, 50, 0), BlockEdge(0, 0, 0, -1)])
def test_an_edge_that_is_not_there_is_refused(change, bert):
    with pytest.raises(core.InputError, match=r"query .* key .* 0 to 8"):
        bert.trace(TEXT, interventions=[change])


def test_a_position_that_is_not_there_is_refused(bert):
    with pytest.raises(core.InputError, match=r"position 50.* 0 to 8"):
        bert.trace(TEXT, interventions=[PatchHead(0, 0, 50, np.zeros(8, dtype=np.float32))])


def test_a_vector_of_another_size_is_refused(bert):
    with pytest.raises(core.InputError, match=r"has 5 numbers.* 8"):
        bert.trace(TEXT, interventions=[PatchHead(0, 0, 1, np.zeros(5, dtype=np.float32))])


def test_weights_of_another_shape_are_refused(bert):
    with pytest.raises(core.InputError, match=r"\(3, 3\) \(query, key\), .* \(9, 9\)"):
        bert.trace(TEXT, interventions=[ReplaceWeights(0, 0, np.eye(3, dtype=np.float32))])


def test_a_kind_the_model_lacks_is_refused(bert):
    with pytest.raises(core.InputError, match="encoder attention, not cross"):
        bert.trace(TEXT, interventions=[SilenceHead(0, 0, AttentionKind.CROSS)])


def test_an_edge_of_an_encoder_decoder_must_name_its_kind(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("marian"))
    assert SEQ2SEQ["decoder_layers"] == 3
    with pytest.raises(core.InputError, match="which kind of attention: encoder, decoder, cross"):
        model.trace(TEXT, target=TARGET, interventions=[BlockEdge(0, 0, 1, 1)])


def test_a_list_of_interventions_for_every_input(bert):
    with pytest.raises(ValueError, match="2 inputs but 1 lists"):
        bert.trace_many([TEXT, TEXT], [[SilenceHead(0, 0)]])
