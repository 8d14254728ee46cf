"""Value Zeroing and ‖αf(x)‖ against loops by hand, with hooks on models of the test's own."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import core
from core import AttentionKind, InputError, LogitTarget, ReplaceTokens, ZeroValue
from core.models.text.replaced_tokens import stand_in

Checkpoint = Callable[[str], Path]
TEXT = "the cat sat because it was tired ."


def values_of(module: Any, family: str, layer: int) -> tuple[Any, slice]:
    """The linear layer that makes a layer's values, and where in its output they stand."""
    whole = slice(None)
    match family:
        case "bert":
            return module.bert.encoder.layer[layer].attention.self.value, whole
        case "deberta":
            return module.deberta.encoder.layer[layer].attention.self.value_proj, whole
        case "gpt2":
            return module.transformer.h[layer].attn.c_attn, slice(64, None)
        case _:
            return module.model.layers[layer].self_attn.v_proj, whole


def naive(model: Any, family: str) -> np.ndarray:
    """One forward a layer and token, the value vector zeroed where the model makes it."""
    tensors = model.tensors([model.prepare(TEXT)])

    def states() -> list[np.ndarray]:
        with torch.no_grad():
            output = model.module(**tensors, output_hidden_states=True)
        return [state[0].double().numpy() for state in output.hidden_states]

    whole = states()
    n = len(whole[0])
    found = np.zeros((len(whole) - 1, n, n))
    for layer in range(len(whole) - 1):
        made, place = values_of(model.module, family, layer)
        for key in range(n):

            def zeroed(_: Any, __: Any, output: torch.Tensor, key=key, place=place) -> torch.Tensor:
                output = output.clone()
                output[0, key, place] = 0
                return output

            hook = made.register_forward_hook(zeroed)
            less = states()[layer + 1]
            hook.remove()
            for query in range(n):
                one, other = whole[layer + 1][query], less[query]
                lengths = np.linalg.norm(one) * np.linalg.norm(other)
                found[layer, query, key] = 1 - one @ other / lengths
    return found


@pytest.mark.parametrize("family", ["bert", "gpt2", "llama", "deberta"])
def test_value_zeroing_equals_the_naive_loop_and_is_not_zero(
    family: str, tiny_checkpoint: Checkpoint
):
    model: Any = core.load(tiny_checkpoint(family))
    found = model.context_mixing(TEXT, "zeroed")
    expected = naive(model, family)
    np.testing.assert_allclose(found, expected, rtol=1e-2, atol=1e-9)
    assert (found.max(axis=(1, 2)) > 1e-7).all()
    if next(iter(model.promised_maps())) == AttentionKind.DECODER:
        future = np.triu(np.ones(found.shape[1:], dtype=bool), 1)
        assert found[:, future].max() < 1e-9


@pytest.mark.parametrize("family", ["bert", "albert", "gpt2", "llama"])
def test_what_is_written_equals_a_loop_over_queries_and_keys(
    family: str, tiny_checkpoint: Checkpoint
):
    model: Any = core.load(tiny_checkpoint(family))
    found = model.context_mixing(TEXT, "written")
    trace = model.trace(TEXT)
    for at, each in enumerate(found):
        layer = trace.attention(at)
        heads = range(layer.n_heads)
        outputs = [model.head_projections(at, head).output for head in heads]
        for query, key in ((3, 1), (7, 7), (5, 0)):
            written = sum(layer.weights[h, query, key] * layer.values[h, key] @ outputs[h]
                          for h in heads)  # fmt: skip
            assert each[query, key] == pytest.approx(np.linalg.norm(written), rel=1e-4)


def test_a_model_that_hides_its_values_says_so(tiny_checkpoint: Checkpoint):
    with pytest.raises(InputError, match="hides its values or its output matrices"):
        core.load(tiny_checkpoint("deberta")).context_mixing(TEXT, "written")


def test_zeroing_all_values_silences_a_head(tiny_checkpoint: Checkpoint):
    for family in ("bert", "llama", "deberta"):
        model = core.load(tiny_checkpoint(family))
        n = len(model.trace(TEXT).tokens)
        zeroed = [ZeroValue(1, 2, position) for position in range(n)]
        one, other = (
            model.trace(TEXT, interventions=changes).logits
            for changes in (zeroed, [core.SilenceHead(1, 2)])
        )
        np.testing.assert_allclose(one, other, atol=1e-6)


def test_a_zeroed_value_leaves_maps_and_what_is_recorded_as_they_are(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("llama"))
    layer, zeroed = (
        model.trace(TEXT, interventions=changes).attention(1)
        for changes in ((), [ZeroValue(1, 0, 3)])
    )
    np.testing.assert_array_equal(layer.weights, zeroed.weights)
    np.testing.assert_array_equal(layer.grouped_values, zeroed.grouped_values)
    with pytest.raises(InputError, match="There is no position 99: they count from 0 to 7"):
        model.trace(TEXT, interventions=[ZeroValue(1, 0, 99)])


def test_replaced_tokens_are_another_text(tiny_checkpoint: Checkpoint):
    for family in ("bert", "gpt2"):
        model: Any = core.load(tiny_checkpoint(family))
        dog = model.tokenizer.convert_tokens_to_ids("dog")
        cat = model.prepare("the cat sat")[0].tokens.index("cat")
        change = ReplaceTokens(((cat, dog),))
        quantity = LogitTarget(cat, 7)
        measured = model.measure("the cat sat", [(), (change,)], quantity)
        typed = [model.measure(text, [()], quantity)[0] for text in ("the cat sat", "the dog sat")]
        np.testing.assert_allclose(measured, typed, atol=1e-7)
        traced = model.trace("the cat sat", interventions=[change])
        assert traced.tokens == model.trace("the dog sat").tokens
        np.testing.assert_allclose(traced.logits, model.trace("the dog sat").logits, atol=1e-6)
        with pytest.raises(InputError, match="replaced in traces and in measured answers"):
            model.layer_logits("the cat sat", interventions=[change])


@dataclass
class Vocabulary:
    mask_token_id: int | None = None
    unk_token_id: int | None = None
    eos_token_id: int | None = None


def test_a_hidden_word_becomes_the_mask_or_what_there_is_instead(tiny_checkpoint: Checkpoint):
    bert = core.load(tiny_checkpoint("bert"))
    assert bert.vocabulary()[bert.stand_in()] == "[MASK]"
    assert stand_in("it", Vocabulary(4, 5, 6)) == 4
    assert stand_in("it", Vocabulary(None, 0, 6)) == 0
    assert stand_in("it", Vocabulary(None, None, 6)) == 6
    with pytest.raises(InputError, match="it has no mask, no unknown token and no end"):
        stand_in("it", Vocabulary())
