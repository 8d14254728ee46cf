"""Positions permuted and dropped in the model's own forward, against models taken apart by hand."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import torch

import core
from core import AttentionKind, DropPositions, InputError, PermutePositions

TEXT = "the cat sat on a street ."
Checkpoint = Callable[[str], Path]
TABLES = {  # where each family keeps its table, and rows before the first position
    "bert": ("bert.embeddings.position_embeddings", 0),
    "roberta": ("roberta.embeddings.position_embeddings", 1),  # its padding_idx + 1
    "distilbert": ("distilbert.embeddings.position_embeddings", 0),
    "gpt2": ("transformer.wpe", 0),
}


@pytest.fixture(params=TABLES)
def model(request: pytest.FixtureRequest, tiny_checkpoint: Checkpoint):
    """A model of its own, which a test may take apart."""
    return core.load(tiny_checkpoint(request.param)), *TABLES[request.param]


def with_table(model, path: str, rows: torch.Tensor) -> np.ndarray:
    """The logits of the model whose table is overwritten."""
    weight = model.module.get_submodule(path).weight
    kept = weight.clone()
    with torch.no_grad():
        weight.copy_(rows)
        logits = np.array(model.trace(TEXT).logits)
        weight.copy_(kept)
    return logits


def test_permuted_positions_are_a_table_with_permuted_rows(model):
    model, path, first = model
    n = len(model.trace(TEXT).tokens)
    order = tuple(np.random.default_rng(0).permutation(n).tolist())
    table = model.module.get_submodule(path).weight.clone()
    rows = table.clone()
    rows[first : first + n] = table[[first + place for place in order]]
    changed = model.trace(TEXT, interventions=[PermutePositions(order)]).logits
    np.testing.assert_allclose(changed, with_table(model, path, rows), atol=1e-5)
    assert np.abs(changed - model.trace(TEXT).logits).max() > 1e-2


def test_dropped_positions_are_a_table_of_zeros(model):
    model, path, _ = model
    zeros = torch.zeros_like(model.module.get_submodule(path).weight)
    dropped = model.trace(TEXT, interventions=[DropPositions()]).logits
    np.testing.assert_allclose(dropped, with_table(model, path, zeros), atol=1e-5)


def test_the_same_order_changes_nothing(model):
    model, _, _ = model
    bare = model.trace(TEXT)
    same = PermutePositions(tuple(range(len(bare.tokens))))
    np.testing.assert_array_equal(model.trace(TEXT, interventions=[same]).logits, bare.logits)


def test_each_row_of_a_batch_has_its_own_positions(tiny_checkpoint: Checkpoint):
    for family in ("bert", "gpt2", "llama"):
        model = core.load(tiny_checkpoint(family))
        n = len(model.trace(TEXT).tokens)
        changes = [(), (DropPositions(),), (PermutePositions(tuple(reversed(range(n)))),)]
        together = model.trace_many([TEXT] * 3, changes)
        for trace, change in zip(together, changes, strict=True):
            alone = model.trace(TEXT, interventions=change).logits
            np.testing.assert_allclose(trace.logits, alone, atol=1e-5)


def test_rotary_positions_are_the_position_ids(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("llama"))
    bare = model.trace(TEXT)
    n = len(bare.tokens)
    order = tuple(np.random.default_rng(1).permutation(n).tolist())
    ids = torch.from_numpy(bare.encoding.ids.copy())[None]
    for change, places in ((PermutePositions(order), order), (DropPositions(), [0] * n)):
        changed = model.trace(TEXT, interventions=[change]).logits
        with torch.inference_mode():  # an explicit mask: places in disorder look like packed texts
            reference = model.module(
                input_ids=ids,
                position_ids=torch.tensor([places]),
                attention_mask=torch.ones_like(ids),
                use_cache=False,
            ).logits[0]
        np.testing.assert_allclose(changed, reference.numpy(), atol=1e-5)
        assert np.abs(changed - bare.logits).max() > 1e-3


def test_one_stack_of_a_translator_is_changed_and_the_other_kept(tiny_checkpoint: Checkpoint):
    for family in ("marian", "bart", "t5"):
        model = core.load(tiny_checkpoint(family))
        bare = model.trace(TEXT, target="a dog ran")
        dropped = model.trace(
            TEXT, target="a dog ran", interventions=[DropPositions(AttentionKind.DECODER)]
        )
        encoder, decoder = (
            np.abs(
                dropped.attention(0, kind=kind).weights - bare.attention(0, kind=kind).weights
            ).max()
            for kind in (AttentionKind.ENCODER, AttentionKind.DECODER)
        )
        assert encoder == 0
        assert decoder > 1e-3


def test_t5s_distances_are_permuted_by_pairs(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("t5"))
    bare = model.trace(TEXT, target="a dog").attention(0, kind=AttentionKind.ENCODER)
    order = tuple(reversed(range(bare.queries.shape[1])))
    change = PermutePositions(order, AttentionKind.ENCODER)
    changed = model.trace(TEXT, target="a dog", interventions=[change])
    layer = changed.attention(0, kind=AttentionKind.ENCODER)
    np.testing.assert_array_equal(layer.bias, bare.bias[:, order][:, :, order])


def test_fill_mask_takes_positions_too():
    model = core.load("bert-mini")
    text = "The capital of France is [MASK]."
    (bare,) = model.fill_mask(text)
    (dropped,) = model.fill_mask(text, interventions=(DropPositions(),))
    assert bare.candidates[0].token == "paris"
    assert dropped.candidates[0].probability < bare.candidates[0].probability


def test_threads_that_share_a_model_never_mix(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("bert"))
    n = len(model.trace(TEXT).tokens)
    changes = [(), (DropPositions(),), (PermutePositions(tuple(reversed(range(n)))),)]
    expected = [np.array(model.trace(TEXT, interventions=change).logits) for change in changes]
    with ThreadPoolExecutor(4) as pool:
        runs = list(
            pool.map(lambda i: model.trace(TEXT, interventions=changes[i % 3]).logits, range(48))
        )
    for index, logits in enumerate(runs):
        np.testing.assert_allclose(logits, expected[index % 3], atol=1e-6)


def test_an_order_that_is_none_is_refused(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("bert"))
    n = len(model.trace(TEXT).tokens)
    message = f"An order of 3 positions came, but the encoder has {n}. Give each of 0 to {n - 1}"
    with pytest.raises(InputError, match=message):
        model.trace(TEXT, interventions=[PermutePositions((0, 1, 2))])
    with pytest.raises(InputError, match=f"An order of {n} positions"):
        model.trace(TEXT, interventions=[PermutePositions((0,) * n)])


def test_distances_mixed_into_the_scores_are_not_dropped_by_half(tiny_checkpoint: Checkpoint):
    """DeBERTa adds a table, too; dropping that alone would leave its distances."""
    model = core.load(tiny_checkpoint("deberta"))
    with pytest.raises(InputError, match="mixes distances into its scores"):
        model.trace(TEXT, interventions=[DropPositions()])
