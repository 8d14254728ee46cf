"""Silenced heads on the Attention page, for each family that predicts something."""

from pathlib import Path

import numpy as np
import pytest

import core
from core.explain.predictions.token_distribution import token_distribution
from core.interventions import SilenceHead
from core.trace import AttentionKind
from tests.pages.page import Page

TEXT = "the cat sat on a street"


def lit(page: Page) -> dict[str, object]:
    rows = page.figures["attention.silenced-bars"].header["rows"]
    return next(row for row in rows if row["lit"])


def shown(folder: Path, **link: str) -> Page:
    return Page(
        "attention", **{"model": str(folder), "text": TEXT, "silence": "1", "silent": "1.2"} | link
    )


def test_a_model_that_predicts_nothing_says_so():
    page = Page("attention", silence="1")
    assert "MiniLM-L6 predicts nothing: it has no head that fills a mask" in page.notices
    assert "attention.view.encoder" in page.figures
    assert "attention.silenced-bars" not in page.figures


@pytest.mark.parametrize(("link", "place"), [({}, 6), ({"predicted": "2"}, 2)])
def test_an_encoders_word_behind_a_mask(offered, link: dict[str, str], place: int):
    model = core.load(offered["bert"])
    page = shown(offered["bert"], **link)
    edits = ((place, model.profile().mask_id),)
    variants = ((), (SilenceHead(1, 2),))
    before, after = map(token_distribution, model.logits_at(TEXT, variants, place, edits=edits))
    word = int(model.trace(TEXT).encoding.ids[place])
    assert lit(page)["text"] == model.vocabulary()[word]
    assert lit(page)["before"] == pytest.approx(before.probability(word), rel=1e-4)
    assert lit(page)["after"] == pytest.approx(after.probability(word), rel=1e-4)
    assert "Without layer 1, head 2" in page.answer
    assert page.link["silent"] == "1.2"
    assert len(page.table("attention-silenced-heads.csv")) > 5


def test_a_decoders_next_word_and_one_within_the_text(offered):
    model = core.load(offered["gpt2"])
    last = model.logits_at(TEXT, ((), (SilenceHead(1, 2),)), 5)
    before, after = map(token_distribution, last)
    best = before.top(1)[0]
    page = shown(offered["gpt2"])
    assert lit(page)["after"] == pytest.approx(after.probability(best), rel=1e-4)
    within = shown(offered["gpt2"], predicted="1")
    assert lit(within)["text"] == "sat"


@pytest.mark.parametrize("kind", AttentionKind)
def test_a_translators_word(offered, kind: AttentionKind):
    model = core.load(offered["marian"])
    said = tuple(model.decode(TEXT).label_ids.tolist())
    changes = ((), (SilenceHead(1, 2, kind),))
    before, after = map(token_distribution, model.logits_at(TEXT, changes, 0, prefix=said))
    page = shown(offered["marian"], kind=str(kind))
    assert lit(page)["before"] == pytest.approx(before.probability(said[0]), rel=1e-4)
    assert lit(page)["after"] == pytest.approx(after.probability(said[0]), rel=1e-4)


def test_a_place_that_another_text_lacks_is_the_usual_one_again(offered):
    page = shown(offered["bert"], predicted="6")
    page.text_area(key="attention.text").set_value("a dog ran").run()
    assert lit(page)["text"] == "ran"
    assert np.isfinite(lit(page)["before"])
