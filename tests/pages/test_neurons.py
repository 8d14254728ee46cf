"""Neurons beside three pages' predictions: the model's numbers, one clicked neuron, the link."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from core import AttentionKind, LogitContrast, SilenceNeuron
from core.data.sentences import sentences
from core.explain.attribution.logit_attribution import Writer
from tests.pages.answers.taken import arrays
from tests.pages.gpt.shown import TEXT
from tests.pages.page import Page

FACT = "Paris is the capital of France."
SOURCE = "the cat sat because it was tired ."


def log_softmax(logits: np.ndarray) -> np.ndarray:
    shifted = logits - logits.max()
    return shifted - np.log(np.exp(shifted).sum())


def test_gpt(offered: dict[str, Path]):
    """The map, the files and the silenced answer are the model's, at any token of the prompt."""
    model: Any = core.load(offered["gpt2"])
    place = 2
    page = Page("gpt", view="neurons", model=str(offered["gpt2"]), text=TEXT, token=str(place))
    token = int(model.trace(TEXT).logits[place].argmax())
    found, numbers = model.neurons(TEXT, LogitContrast(place, token)), arrays(page)
    np.testing.assert_allclose(numbers["writes"], found.values, atol=1e-5)
    drawn = page.figures["gpt.neurons.map"]
    assert drawn.header["words"] == [list(map(str, row)) for row in found.strongest.tolist()]
    shown = np.take_along_axis(found.values, found.strongest, axis=1)
    np.testing.assert_allclose(drawn.arrays["values"], shown, atol=1e-5)
    layer, neuron = numbers["silenced"].tolist()
    assert abs(found.values[layer, neuron]) == pytest.approx(np.abs(found.values).max())
    change = (SilenceNeuron(layer, neuron),)
    before, after = model.logits_at(TEXT, [(), change], place)
    np.testing.assert_allclose(numbers["log_probabilities_before"], log_softmax(before), atol=1e-4)
    np.testing.assert_allclose(numbers["log_probabilities_after"], log_softmax(after), atol=1e-4)


def test_a_clicked_neuron_its_tokens_its_sentences_and_its_mean(offered: dict[str, Path]):
    model: Any = core.load(offered["gpt2"])
    page = Page("gpt", view="neurons", model=str(offered["gpt2"]), text=TEXT)
    place = len(model.trace(TEXT).tokens) - 1
    token = int(model.trace(TEXT).logits[place].argmax())
    found = model.neurons(TEXT, LogitContrast(place, token))
    page.choose("gpt.neurons.map", [1, 3])
    neuron = int(found.strongest[1, 3])
    assert page.link["neuron"] == f"1.{neuron}"
    words, at = model.vocabulary(), found.term(1, neuron)
    cells = page.figures["gpt.neurons.pushed"].header["cells"]
    assert [up for up, _ in cells] == [words[one] for one in found.up.ids[at]]
    fired = sorted(model.firings(sentences(), 1, neuron), key=lambda one: -abs(one.strength))
    table = page.figures["gpt.neurons.sentences"]
    fires = [row[6] for row in table.header["cells"]]
    assert fires == [one.tokens[one.peak] for one in fired[:8]]
    again = Page("gpt", **page.link | {"instead": "mean"})
    assert f"Layer 1, neuron {neuron}" in again.answer
    change = SilenceNeuron(1, neuron, "mean")
    after = model.logits_at(TEXT, [(change,)], place)[0]
    np.testing.assert_allclose(
        arrays(again)["log_probabilities_after"], log_softmax(after), atol=1e-4
    )


def test_bert_at_a_mask_by_activation():
    model: Any = core.load("bert-mini")
    page = Page("bert", view="neurons", model="bert-mini", text=FACT, masks="4", by="activation")
    edits = ((4, model.stand_in()),)
    token = int(model.trace_edited(FACT, edits=edits).logits[4].argmax())
    found = model.neurons(FACT, LogitContrast(4, token), edits=edits, by="activation")
    drawn = page.figures["bert.neurons.map"].arrays["values"]
    shown = np.take_along_axis(found.activations, found.strongest, axis=1)
    np.testing.assert_allclose(drawn, shown, atol=1e-5)
    assert found.values.sum() + found.biases.sum() == pytest.approx(
        sum(
            model.direct_logits(FACT, LogitContrast(4, token), edits=edits).of(Writer.MLP).values()
        ),
        abs=1e-4,
    )


@pytest.mark.parametrize("family", ["marian", "t5"])
def test_a_translators_decoder(offered: dict[str, Path], family: str):
    model: Any = core.load(offered[family])
    link = {"view": "neurons", "model": str(offered[family]), "text": SOURCE, "token": "1"}
    page = Page("transformer", **link)
    said = tuple(model.decode(SOURCE).label_ids.tolist())
    place = min(1, len(said) - 1)
    found = model.neurons(SOURCE, LogitContrast(place, said[place]), prefix=said)
    numbers = arrays(page)
    np.testing.assert_allclose(numbers["writes"], found.values, atol=1e-5)
    layer, neuron = numbers["silenced"].tolist()
    change = (SilenceNeuron(layer, neuron, stack=AttentionKind.DECODER),)
    after = model.logits_at(SOURCE, [change], place, prefix=said)[0]
    np.testing.assert_allclose(numbers["log_probabilities_after"], log_softmax(after), atol=1e-4)


def test_another_models_neuron_leaves_the_link(offered: dict[str, Path]):
    link = {"view": "neurons", "model": str(offered["gpt2"]), "text": TEXT}
    assert "neuron" not in Page("gpt", **link, neuron="99.5").link
