"""Silenced heads, against forward passes written out by hand in three families."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

import core
from core import AttentionKind, BlockEdge, ReplaceWeights, SilenceHead
from tests.core.own_loops import LOOPS

TEXT = "the cat sat on a street ."
TOLERANCE = 1e-5
FILLS = ("zero", "mean", "uniform")
PLACES = {
    "one head": [(1, 2)],
    "several": [(0, 1), (1, 3), (2, 0)],
    "a layer": [(1, head) for head in range(4)],
    "all": [(layer, head) for layer in range(3) for head in range(4)],
}
Checkpoint = Callable[[str], Path]


def instead(fill: str, output: Tensor, values: Tensor, visible: Tensor) -> Tensor:
    """(query, d_head) of one head, by the definition, query by query."""
    if fill == "zero":
        return torch.zeros_like(output)
    if fill == "mean":
        return torch.stack([output.mean(0)] * len(output))
    return torch.stack([values[keys].mean(0) for keys in visible])


def by_hand(family: str, model: Any, places: list[tuple[int, int]], fill: str) -> np.ndarray:
    def change(layer: int, outputs: Tensor, values: Tensor, visible: Tensor) -> Tensor:
        return torch.stack(
            [
                instead(fill, output, values[head], visible) if (layer, head) in places else output
                for head, output in enumerate(outputs)
            ]
        )

    ids = torch.tensor(model.prepare(TEXT)[0].ids)
    with torch.no_grad():
        return LOOPS[family](model.module, ids, change).numpy()


@pytest.mark.parametrize("family", LOOPS)
class TestThreeFamilies:
    def test_the_loop_is_the_models_own(self, family: str, tiny_checkpoint: Checkpoint):
        model = core.load(tiny_checkpoint(family))
        found = by_hand(family, model, [], "zero")
        np.testing.assert_allclose(found, model.trace(TEXT).logits, atol=TOLERANCE)

    @pytest.mark.parametrize("fill", FILLS)
    @pytest.mark.parametrize("which", PLACES)
    def test_silencing_is_replacing_the_heads_slice_before_the_output_projection(
        self, family: str, which: str, fill: Any, tiny_checkpoint: Checkpoint
    ):
        model = core.load(tiny_checkpoint(family))
        silent = [SilenceHead(*place, fill=fill) for place in PLACES[which]]
        found = model.trace(TEXT, interventions=silent).logits
        expected = by_hand(family, model, PLACES[which], fill)
        np.testing.assert_allclose(found, expected, atol=TOLERANCE)
        assert np.abs(found - model.trace(TEXT).logits).max() > 1e-3

    def test_without_any_head_the_residual_path_is_left(
        self, family: str, tiny_checkpoint: Checkpoint
    ):
        """Of every attention its output projection's bias alone, and the MLPs."""
        model = core.load(tiny_checkpoint(family))
        silent = [SilenceHead(*place) for place in PLACES["all"]]
        found = model.trace(TEXT, interventions=silent).logits
        other = model.trace("! the dog ran to it ,", interventions=silent).logits
        with torch.no_grad():
            for name, parameter in model.module.named_parameters():
                if name.endswith(OUTPUT_MATRICES):
                    parameter.zero_()
        np.testing.assert_allclose(found, model.trace(TEXT).logits, atol=TOLERANCE)
        changed = model.trace("the dog sat too it it .").logits  # every second token is the same
        same = np.abs(found - changed).max(axis=1) < TOLERANCE
        tokens = [model.trace(text).tokens for text in (TEXT, "the dog sat too it it .")]
        assert same.tolist() == [one == two for one, two in zip(*tokens, strict=True)]
        assert np.abs(found - other).max() > 1e-3


OUTPUT_MATRICES = ("attention.output.dense.weight", "attn.c_proj.weight", "o_proj.weight")


def even(allowed: np.ndarray) -> np.ndarray:
    return (allowed / allowed.sum(axis=-1, keepdims=True)).astype(np.float32)


class TestWhereTheModelWritesOutItsSoftmax:
    """DeBERTa, and gpt-oss with a sink: the weights are changed, and mean the same."""

    def test_a_mean_is_every_query_looking_as_all_do_on_average(self, tiny_checkpoint: Checkpoint):
        model = core.load(tiny_checkpoint("deberta"))
        weights = model.trace(TEXT).attention(1).weights[2]
        mean = np.tile(weights.mean(axis=0), (len(weights), 1))
        assert_same(model, SilenceHead(1, 2, fill="mean"), ReplaceWeights(1, 2, mean))

    def test_uniform_is_even_weights(self, tiny_checkpoint: Checkpoint):
        model = core.load(tiny_checkpoint("deberta"))
        n = len(model.trace(TEXT).tokens)
        replaced = ReplaceWeights(1, 2, even(np.ones((n, n))))
        assert_same(model, SilenceHead(1, 2, fill="uniform"), replaced)

    def test_uniform_leaves_a_sink_nothing_and_masked_keys_alone(self, tiny_checkpoint: Checkpoint):
        model = core.load(tiny_checkpoint("gpt_oss"))
        n = len(model.trace(TEXT).tokens)
        replaced = ReplaceWeights(1, 2, even(np.tri(n)))
        assert_same(model, SilenceHead(1, 2, fill="uniform"), replaced)

    def test_a_blocked_edge_stays_blocked(self, tiny_checkpoint: Checkpoint):
        model = core.load(tiny_checkpoint("deberta"))
        allowed = np.ones((9, 9))
        allowed[4, 1] = 0
        silent = model.trace(
            TEXT, interventions=[BlockEdge(1, 2, 4, 1), SilenceHead(1, 2, fill="uniform")]
        )
        replaced = model.trace(TEXT, interventions=[ReplaceWeights(1, 2, even(allowed))])
        np.testing.assert_allclose(silent.logits, replaced.logits, atol=TOLERANCE)

    def test_its_weights_stay_visible(self, tiny_checkpoint: Checkpoint):
        model = core.load(tiny_checkpoint("deberta"))
        silent = model.trace(TEXT, interventions=[SilenceHead(1, 2, fill="uniform")])
        np.testing.assert_allclose(
            silent.attention(1).weights, model.trace(TEXT).attention(1).weights, atol=TOLERANCE
        )


def assert_same(model: Any, silence: SilenceHead, replace: ReplaceWeights) -> None:
    found = model.trace(TEXT, interventions=[silence]).logits
    np.testing.assert_allclose(
        found, model.trace(TEXT, interventions=[replace]).logits, atol=TOLERANCE
    )
    assert np.abs(found - model.trace(TEXT).logits).max() > 1e-4


def test_a_blocked_edge_stays_blocked_in_a_head_that_attends_evenly(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("gpt2"))
    allowed = np.tri(7)
    allowed[5, 2] = 0
    changes = [BlockEdge(1, 0, 5, 2), SilenceHead(1, 0, fill="uniform")]
    found = model.trace(TEXT, interventions=changes).logits
    replaced = model.trace(TEXT, interventions=[ReplaceWeights(1, 0, even(allowed))]).logits
    np.testing.assert_allclose(found, replaced, atol=TOLERANCE)


def test_in_cross_attention_the_keys_are_the_sources(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("t5"))
    cross = AttentionKind.CROSS
    silent = SilenceHead(1, 2, cross, "uniform")
    replaced = ReplaceWeights(1, 2, even(np.ones((4, 8))), cross)
    found, expected = (
        model.trace(TEXT, target="a dog ran", interventions=[change]).logits
        for change in (silent, replaced)
    )
    np.testing.assert_allclose(found, expected, atol=TOLERANCE)


def test_each_row_of_a_batch_has_its_own_fill(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("llama"))
    changes = [(SilenceHead(1, 3, fill=fill),) for fill in FILLS]
    together = model.trace_many([TEXT] * 3, changes)
    for trace, change in zip(together, changes, strict=True):
        alone = model.trace(TEXT, interventions=change)
        np.testing.assert_allclose(trace.logits, alone.logits, atol=TOLERANCE)


def test_no_mean_is_taken_of_one_token_while_writing(tiny_checkpoint: Checkpoint):
    mean = [SilenceHead(0, 1, fill="mean")]
    with pytest.raises(core.InputError, match="one token at a time"):
        core.load(tiny_checkpoint("gpt2")).generate("the cat", interventions=mean)
    with pytest.raises(core.InputError, match="one token at a time"):
        core.load(tiny_checkpoint("marian")).translate(
            "the cat", interventions=[SilenceHead(0, 1, AttentionKind.CROSS, "mean")]
        )
    even_head = [SilenceHead(0, 1, fill="uniform")]
    assert core.load(tiny_checkpoint("gpt2")).generate("the cat", interventions=even_head).steps
