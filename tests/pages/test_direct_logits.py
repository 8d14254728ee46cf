"""Direct logit attribution on three pages: the model's numbers, one clicked term, the link."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from app.services import models
from core import LogitContrast
from core.explain.attribution.logit_attribution import LogitAttribution
from core.trace import AttentionKind
from tests.pages.answers.taken import arrays
from tests.pages.gpt.shown import TEXT
from tests.pages.page import Page

SOURCE = "the cat sat because it was tired ."
FACT = "Paris is the capital of France."


def compare(page: Page, found: LogitAttribution, scope: str) -> None:
    """The map, the files and the sum are the model's."""
    numbers, drawn = arrays(page), page.figures[f"{scope}.map"]
    np.testing.assert_allclose(numbers["writes"], found.values, atol=1e-5)
    np.testing.assert_array_equal(numbers["pushed_up"], found.up.ids)
    assert numbers["residue"] == pytest.approx(found.residue, abs=1e-5)
    assert abs(numbers["residue"]) < 1e-4
    shown = drawn.arrays["values"]
    assert np.isfinite(shown).sum() == len(found.terms)
    assert np.nansum(shown) == pytest.approx(found.total, abs=1e-4)
    assert "left over, by rounding" in page.text


def test_gpt(offered: dict[str, Path]):
    model: Any = core.load(offered["gpt2"])
    page = Page("gpt", view="direct", model=str(offered["gpt2"]), text=TEXT)
    logits = model.trace(TEXT).logits
    first, second = (-logits[-1]).argsort()[:2].tolist()
    place = len(logits) - 1
    compare(page, model.direct_logits(TEXT, LogitContrast(place, first)), "gpt.direct")
    again = Page("gpt", **page.link | {"against": str(second)})
    both = model.direct_logits(TEXT, LogitContrast(place, first, second))
    compare(again, both, "gpt.direct")
    words = model.vocabulary()
    assert f"logit of {words[first]} − logit of {words[second]}" in again.answer


def test_a_link_may_name_the_answer_that_the_view_takes_by_itself(offered: dict[str, Path]):
    model: Any = core.load(offered["gpt2"])
    likeliest = int(model.trace(TEXT).logits[-1].argmax())
    link = {"view": "direct", "model": str(offered["gpt2"]), "text": TEXT}
    page = Page("gpt", **link, answer=str(likeliest))
    assert page.selectbox(key="gpt.direct.answer:options").value is not None
    assert "answer" not in page.link


def test_a_clicked_head_shows_its_row_and_its_tokens(offered: dict[str, Path]):
    model: Any = core.load(offered["gpt2"])
    page = Page("gpt", view="direct", model=str(offered["gpt2"]), text=TEXT)
    page.choose("gpt.direct.map", [2, 3])  # layer 1, head 3
    trace = model.trace(TEXT)
    row = page.figures["gpt.direct.row"].arrays["values"][0]
    np.testing.assert_allclose(row, trace.attention(1).row(-1)[3], atol=1e-6)
    found = model.direct_logits(
        TEXT, LogitContrast(len(trace.tokens) - 1, int(trace.logits[-1].argmax()))
    )
    words, at = model.vocabulary(), 1 + (4 + 2) + 3  # embeddings, a layer, three heads
    cells = page.figures["gpt.direct.pushed"].header["cells"]
    assert [up for up, _ in cells] == [words[token] for token in found.up.ids[at]]
    assert [down for _, down in cells] == [words[token] for token in found.down.ids[at]]
    assert page.link["term"] == "2.3"
    again = Page("gpt", **page.link)
    assert again.link == page.link
    assert "Layer 1, head 3" in again.text
    again.choose("gpt.direct.map", [0, 0])  # nothing stands there: the strongest is shown
    assert "term" not in again.link


def test_bert_at_a_mask():
    model: Any = core.load("bert-mini")
    page = Page("bert", view="direct", model="bert-mini", text=FACT, masks="4")
    edits = ((4, model.stand_in()),)
    token = int(model.trace_edited(FACT, edits=edits).logits[4].argmax())
    found = model.direct_logits(FACT, LogitContrast(4, token), edits=edits)
    compare(page, found, "bert.direct")
    assert "Φ(z) is the gate" in page.text
    assert "the scale of every norm after each sublayer" in page.text


@pytest.mark.parametrize("family", ["marian", "t5"])
def test_a_translators_decoder(offered: dict[str, Path], family: str):
    model: Any = core.load(offered[family])
    link = {"view": "direct", "model": str(offered[family]), "text": SOURCE, "token": "1"}
    page = Page("transformer", **link)
    said = tuple(model.decode(SOURCE).label_ids.tolist())
    place = min(1, len(said) - 1)
    found = model.direct_logits(SOURCE, LogitContrast(place, said[place]), prefix=said)
    compare(page, found, "transformer.direct")
    page.choose("transformer.direct.map", [1, 5])  # layer 0, cross-attention head 1
    row = page.figures["transformer.direct.row"].arrays["values"][0]
    trace = model.decode(SOURCE).trace
    np.testing.assert_allclose(
        row, trace.attention(0, kind=AttentionKind.CROSS).row(place)[1], atol=1e-6
    )


def test_another_vocabularys_answer_leaves_the_link(offered: dict[str, Path]):
    page = Page("gpt", view="direct", model=str(offered["gpt2"]), text=TEXT, answer="999999")
    assert "answer" not in page.link


@pytest.mark.parametrize("view", ["direct", "neurons"])
def test_a_model_whose_logits_are_no_sum_says_so(
    view: str, tiny_checkpoint: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
):
    folder = str(tiny_checkpoint("gpt_neox"))
    monkeypatch.setenv(models.OWN_CHECKPOINTS, folder)
    models.offer.cache_clear()
    page = Page("gpt", view=view, model=folder, text=TEXT)
    models.offer.cache_clear()
    assert "can't be shown" in page.notices


def typed(page: Page, key: str, word: str) -> None:
    """AppTest's select box knows its options alone."""
    states = page._tree.get_widget_states()
    (box,) = (one for one in states.widgets if one.id == page.selectbox(key=key).proto.id)
    box.string_value = word
    page._run(states)


def test_any_word_of_the_vocabulary_can_be_typed():
    page = Page("gpt", view="direct")
    model: Any = core.load("gpt-mini")
    logits = model.trace(page.text_area(key="gpt.text").value).logits[-1]
    words = model.vocabulary()
    rare = next(
        token
        for token in (-logits).argsort().tolist()[200:]
        if words[token][:1] == "Ġ" and words[token][1:].isalpha()
    )
    key = "gpt.direct.answer:options"
    assert words[rare] not in page.selectbox(key=key).options
    typed(page, key, words[rare][1:])
    assert page.link["answer"] == str(rare)
    assert arrays(page)["logit"] == pytest.approx(logits[rare], abs=1e-4)
    typed(page, key, "Abwasserbehandlung")
    assert "What was typed is not one token of this model" in page.text
    assert page.link["answer"] == str(rare)
