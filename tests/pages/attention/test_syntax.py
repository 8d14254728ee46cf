"""Syntax: the table holds what the heads do, a row shows its example, which opens on its own."""

import numpy as np
import pytest

import core
from core.data.treebank import parsed_sentences
from core.explain.attention.relation_heads import relation_heads
from core.explain.attention.relations import COREFERENCE, links_of
from core.outputs.head_measures import WordedText
from tests.pages.answers.taken import arrays, rows
from tests.pages.page import Page

TABLE, EXAMPLE = "attention.syntax.table", "attention.syntax.example"
PRONOUNS = f"{COREFERENCE}.antecedent"


def table_of(page: Page):
    return page.figures[TABLE].header


@pytest.mark.parametrize("by", ["weights", "written"])
def test_the_table_is_that_of_the_measures(by: str):
    sentences = parsed_sentences()
    texts = [WordedText(one.text, one.spans) for one in sentences]
    looks = core.load("bert-mini").word_looks(texts, written=by == "written")
    found = relation_heads([links_of(one) for one in sentences], looks)
    page = Page("attention", view="syntax", model="bert-mini", by=by)
    kept = arrays(page)
    assert [tuple(one) for one in kept["relations"]] == [one.relation for one in found]
    accuracy = [[head.mean for head in one.accuracy] for one in found]
    np.testing.assert_allclose(kept["accuracy"][:, :, 0], accuracy)
    shown = dict(zip(*_named(page), strict=True))
    (det,) = (one for one in found if one.relation == ("det", "head"))
    layer, head = det.heads[det.best]
    best = f"{det.accuracy[det.best].mean:.0%}"
    cells = shown[f"det → governor ({det.n_links})"]
    assert dict(zip(table_of(page)["columns"], cells, strict=True)) == {
        "best head": f"{layer}.{head}",
        "finds": best,
        "best guess": det.baseline,
        "guess finds": f"{det.baseline_accuracy:.0%}",
        "at least": f"{det.accuracy[det.best].low:.0%}",
        "at most": f"{det.accuracy[det.best].high:.0%}",
        "held out": f"{det.held_out:.0%}",
    }
    assert len(rows(page)) == len(found) * len(det.heads)


def _named(page: Page):
    header = table_of(page)
    return header["rows"], header["cells"]


def test_it_finds_the_animal_and_its_sentence_opens_with_the_head_and_the_pair():
    page = Page("attention", view="syntax", relation=PRONOUNS)
    assert "pronoun → antecedent: head 1.3 finds" in page.answer
    example = page.figures[EXAMPLE]
    query, key = example.header["selection"]["value"]
    words = example.header["rows"]
    (sentence,) = (one for one in parsed_sentences() if list(one.words) == list(words))
    assert (query, key) in sentence.antecedents
    (opens,) = (button.label for button in page.button if button.label.startswith("Open head"))
    page.press(opens)
    assert page.link["text"] == sentence.text
    assert page.link["heads"] == "1.3"
    assert f"{words[query]} looks at {words[key]}" in page.answer


def test_a_row_brings_its_best_head_and_a_click_on_the_grid_another():
    page = Page("attention", view="syntax", heads="4.4")
    assert page.link["heads"] == "4.4"
    second = table_of(page)["rows"][1]
    page.choose(TABLE, [1, 0])
    assert "heads" not in page.link
    assert f"{second.partition(' (')[0]}: head" in page.answer
    page.fire("attention.syntax.grid", [5, 11])
    assert page.link["heads"] == "5.11"
    assert "head 5.11 finds" in page.answer


def test_one_way_alone():
    up = Page("attention", view="syntax", towards="head")
    assert all("governor →" not in row for row in table_of(up)["rows"])
    assert any(row.startswith("pronoun") for row in table_of(up)["rows"])
    down = Page("attention", view="syntax", towards="dependent")
    assert all("→ governor" not in row for row in table_of(down)["rows"])


def test_a_head_that_finds_none_says_so():
    page = Page("attention", view="syntax", relation="amod.head", heads="0.2")
    kept = arrays(page)
    at = list(map(tuple, kept["relations"])).index(("amod", "head"))
    place = list(map(tuple, kept["heads"])).index((0, 2))
    assert kept["accuracy"][at, place, 0] == 0
    assert "finds none" in page.text


def test_a_model_that_hides_its_values_and_one_that_looks_back():
    gpt = Page("attention", view="syntax", model="gpt-mini", relation="det.head")
    assert not any(row.startswith("det →") for row in table_of(gpt)["rows"])
    hidden = gpt.figures[EXAMPLE].arrays["hidden"]
    assert hidden.any()
