"""Evidence for a token: against captum, the pure explainers, and loops by hand, on tiny models."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import captum.attr
import numpy as np
import pytest
import torch

import core
from core import TOKEN_EVIDENCE, InputError, LogitTarget, explain
from core.models.attribution.token_question import TokenQuestion
from core.models.attribution.word_gradients import integrated_gradients

Checkpoint = Callable[[str], Path]
TEXT = "the cat sat because it was tired ."
TARGET = LogitTarget(3, 7)
FAMILIES = ("bert", "roberta", "gpt2", "llama")
POINTS = 64


def ids_of(model: Any, text: str = TEXT) -> torch.Tensor:
    return torch.as_tensor(model.prepare(text)[0].ids)[None]


def hidden_ids(model: Any) -> torch.Tensor:
    source = model.prepare(TEXT)[0]
    ids = np.where(source.special, source.ids, model.stand_in())
    return torch.as_tensor(ids)[None]


def from_vectors(model: Any) -> tuple[Callable[[torch.Tensor], torch.Tensor], Any]:
    """The asked logit as a function of the words' vectors, by transformers' own argument."""

    def answer(vectors: torch.Tensor) -> torch.Tensor:
        given: dict[str, torch.Tensor] = {}
        if "token_type_ids" in model.tensors([model.prepare(TEXT)]):
            given["token_type_ids"] = torch.zeros(vectors.shape[:2], dtype=torch.long)
        output = model.module(inputs_embeds=vectors, **given)
        logits = output.get("prediction_logits", output.get("logits"))
        return logits[:, TARGET.position, TARGET.token]

    return answer, model.module.get_input_embeddings()


@pytest.mark.parametrize("family", FAMILIES)
def test_gradients_equal_captums(family: str, tiny_checkpoint: Checkpoint):
    model: Any = core.load(tiny_checkpoint(family))
    answer, table = from_vectors(model)
    vectors, hidden = table(ids_of(model)).detach(), table(hidden_ids(model)).detach()
    product = captum.attr.InputXGradient(answer).attribute(vectors.clone().requires_grad_())
    found = model.evidence(TEXT, "gradient-input", TARGET)
    np.testing.assert_allclose(found.values, product.detach()[0].sum(-1), rtol=1e-4, atol=1e-6)
    shares = captum.attr.IntegratedGradients(answer).attribute(vectors, hidden, n_steps=POINTS)
    found = model.evidence(TEXT, "integrated-gradients", TARGET)
    np.testing.assert_allclose(found.values, shares[0].sum(-1), rtol=1e-3, atol=1e-6)
    with torch.no_grad():
        expected = float(answer(vectors)), float(answer(hidden))
    np.testing.assert_allclose((found.answer, found.baseline), expected, atol=1e-5)
    special = model.prepare(TEXT)[0].special
    assert not found.values[special].any()
    assert found.values[~special].any()


@pytest.mark.parametrize("family", ["bert", "gpt2"])
def test_the_completeness_residual_goes_to_zero(family: str, tiny_checkpoint: Checkpoint):
    model: Any = core.load(tiny_checkpoint(family))
    question = TokenQuestion(
        model, model.prepare(TEXT)[0], TARGET, trace=lambda: None, measure=lambda _: None
    )
    residuals = [integrated_gradients(question, steps).residual for steps in (2, 20, 200)]
    sizes = [abs(one) for one in residuals if one is not None]
    assert sizes[0] > 1e-4 > sizes[2]
    assert sizes[1] < sizes[0]
    assert model.evidence(TEXT, "gradient-input", TARGET).residual is None


@pytest.mark.parametrize("family", ["bert", "gpt2", "deberta"])
def test_leaving_one_out_equals_asking_of_every_changed_text(
    family: str, tiny_checkpoint: Checkpoint
):
    model: Any = core.load(tiny_checkpoint(family))
    source = model.prepare(TEXT)[0]
    tensors = model.tensors([(source, None)])

    def probability(ids: np.ndarray) -> float:
        output = model.module(**tensors | {"input_ids": torch.as_tensor(ids)[None]})
        logits = output.get("prediction_logits", output.get("logits"))
        return float(logits[0, TARGET.position].softmax(-1)[TARGET.token])

    expected = np.zeros(len(source))
    for position in np.flatnonzero(~source.special):
        ids = source.ids.copy()
        ids[position] = model.stand_in()
        expected[position] = probability(source.ids) - probability(ids)
    found = model.evidence(TEXT, "leave-one-out", TARGET).values
    np.testing.assert_allclose(found, expected, atol=1e-7)
    assert np.abs(found).max() > 1e-6


@pytest.mark.parametrize("family", ["bert", "gpt2"])
def test_rows_are_those_of_the_explainers(family: str, tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint(family))
    trace, place = model.trace(TEXT), TARGET.position

    def row(method: str) -> np.ndarray:
        return model.evidence(TEXT, method, TARGET).values

    np.testing.assert_allclose(row("rollout"), explain.attention_rollout(trace)[place], atol=1e-6)
    flow = explain.attention_flow(trace, queries=[place])[0]
    np.testing.assert_allclose(row("flow"), flow, atol=1e-5)
    relevance = explain.relevance(model.trace(TEXT, gradient_of=TARGET))[place]
    itself = np.eye(len(trace.tokens))[place]
    np.testing.assert_allclose(row("relevance"), relevance - itself, atol=1e-6)
    for method, mixing in (("written-rollout", "written"), ("value-zeroing", "zeroed")):
        product = np.eye(len(trace.tokens))
        for each in model.context_mixing(TEXT, mixing):
            shares = each / each.sum(axis=1, keepdims=True)
            kept = 0.5 if mixing == "written" else 0
            product = (1 - kept) * shares @ product + kept * product
        np.testing.assert_allclose(row(method), product[place], atol=1e-5)
        assert row(method).sum() == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("method", [method.id for method in TOKEN_EVIDENCE])
def test_a_decoder_owes_nothing_to_what_comes_later(method: str, tiny_checkpoint: Checkpoint):
    values = core.load(tiny_checkpoint("gpt2")).evidence(TEXT, method, TARGET).values
    assert values.shape == (8,)
    assert np.isfinite(values).all()
    if method != "random":
        np.testing.assert_allclose(values[TARGET.position + 1 :], 0, atol=1e-6)
        assert values[: TARGET.position + 1].any()


def test_edits_and_a_pair_are_part_of_the_text(tiny_checkpoint: Checkpoint):
    model: Any = core.load(tiny_checkpoint("bert"))
    cat, dog = (model.tokenizer.convert_tokens_to_ids(word) for word in ("cat", "dog"))
    edited = model.evidence("the cat sat", "leave-one-out", TARGET, edits=((2, dog),))
    typed = model.evidence("the dog sat", "leave-one-out", TARGET)
    np.testing.assert_array_equal(edited.values, typed.values)
    assert cat != dog
    pair = model.evidence("the cat", "rollout", TARGET, pair="a dog ran")
    assert len(pair.values) == 8


def test_random_is_drawn_anew_for_every_text_and_stays(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("bert"))
    one, again, other = (
        model.evidence(text, "random", TARGET).values
        for text in (TEXT, TEXT, TEXT.replace("cat", "dog"))
    )
    np.testing.assert_array_equal(one, again)
    assert not np.array_equal(one, other)


def test_what_cannot_be_is_said(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("bert"))
    with pytest.raises(InputError, match="no evidence method “why”: choose one of random, leave"):
        model.evidence(TEXT, "why", TARGET)
    with pytest.raises(InputError, match="no position 99: the text has 10 tokens"):
        model.evidence(TEXT, "random", LogitTarget(99, 0))
    with pytest.raises(InputError, match="no logit of token 999"):
        model.evidence(TEXT, "integrated-gradients", LogitTarget(1, 999))
    hides = core.load(tiny_checkpoint("deberta"))
    with pytest.raises(InputError, match="hides its values"):
        hides.evidence(TEXT, "written-rollout", TARGET)


@pytest.mark.parametrize("family", ["bert", "gpt2", "llama", "deberta"])
def test_blocked_edges_equal_a_mask_over_the_word(family: str, tiny_checkpoint: Checkpoint):
    """For every word but the one at the answer's place, which goes on seeing itself."""
    model: Any = core.load(tiny_checkpoint(family))
    source = model.prepare(TEXT)[0]
    tensors = model.tensors([(source, None)])

    def probability(hidden: int | None) -> float:
        mask = torch.ones(1, len(source), dtype=torch.long)
        if hidden is not None:
            mask[0, hidden] = 0
        output = model.module(**tensors | {"attention_mask": mask} | positions(len(source), family))
        logits = output.get("prediction_logits", output.get("logits"))
        return float(logits[0, TARGET.position].softmax(-1)[TARGET.token])

    found = model.evidence(TEXT, "leave-one-out-edges", TARGET).values
    assert not found[source.special].any()
    with torch.no_grad():
        whole = probability(None)
        for word in np.flatnonzero(~source.special):
            if word != TARGET.position:
                assert found[word] == pytest.approx(whole - probability(word), abs=1e-6)


def positions(n_tokens: int, family: str) -> dict[str, torch.Tensor]:
    """Decoders would count the places that the mask leaves."""
    return {"position_ids": torch.arange(n_tokens)[None]} if family in ("gpt2", "llama") else {}
