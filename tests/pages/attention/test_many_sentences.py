"""A reader's own sentences: checked, timed, asked about, named, and taken along."""

import numpy as np
import pytest

import core
from app.ui import long_work
from core.data.sentences import sentences
from core.explain.attention.head_roles import NO_ROLE, head_roles
from core.explain.attention.relative_positions import (
    COLUMNS,
    FARTHER,
    OFFSETS,
    SPECIAL,
    offset_means,
)
from core.trace import AttentionKind
from tests.pages.answers.taken import arrays, rows
from tests.pages.page import Page

FILE, OWN = "attention.many.own:", "attention.own"
WORDS = ("cat", "dog", "street", "animal")
LINES = [f"the {WORDS[at % 4]} sat on a {WORDS[at // 4 % 4]}" + " ." * (at % 3) for at in range(52)]


def given(page: Page, content: str | bytes, name: str = "tales.txt") -> Page:
    data = content.encode() if isinstance(content, str) else content
    (field,) = (one for one in page.file_uploader if str(one.key).startswith(FILE))
    return field.set_value((name, data, "text/plain")).run()


def opened(**link: str) -> Page:
    return Page("attention", view="heads", part="many", **link)


def test_the_built_in_sentences_come_first():
    page = opened()
    measured = core.load("minilm-l6").head_measures(sentences())
    means = offset_means([one[AttentionKind.ENCODER].offsets for one in measured])
    kept = arrays(page)
    np.testing.assert_allclose(
        kept["built_in_offsets"][..., 0], np.concatenate([one.mean for one in means]), atol=1e-5
    )
    head = tuple(kept["shown_head"])
    shown = page.figures["attention.many.offsets-built-in"]
    assert all(" " not in row for row in shown.header["rows"])
    near = means[head[0]].mean[:, : len(OFFSETS)]
    np.testing.assert_allclose(shown.arrays["values"], near, atol=1e-5)
    special, farther = (
        means[head[0]].mean[head[1], COLUMNS.index(name)] for name in (SPECIAL, FARTHER)
    )
    assert f"puts {special:.3g} on special tokens and {farther:.3g} on tokens more" in page.text
    assert "yours_offsets" not in kept
    (chart,) = page.charts
    assert [trace["name"] for trace in chart["data"]] == ["built-in", "even attention"]


@pytest.mark.parametrize("family", ["bert", "gpt2"])
def test_every_head_is_named_over_the_readers_sentences(offered, family: str):
    folder = str(offered[family])
    page = given(opened(model=folder), "\n".join(LINES))
    assert page.link["own"] == "1"
    assert "Over your 52 sentences" in page.answer
    model = core.load(offered[family])
    measured = model.head_measures(LINES)
    kind = next(iter(measured[0]))
    roles = head_roles([one[kind].weights for one in measured])
    means = offset_means([one[kind].offsets for one in measured])
    kept = arrays(page)
    heads = [head for layer in roles for head in layer]
    assert list(kept["yours_role_labels"]) == [head.label for head in heads]
    np.testing.assert_allclose(
        kept["yours_offsets"][..., 1], np.concatenate([one.low for one in means]), atol=1e-5
    )
    for line in rows(page, sentences="yours"):
        head = roles[int(line["layer"])][int(line["head"])]
        score = head.scores[line["role"]]
        assert float(line["share"]) == pytest.approx(score.mass, abs=1e-5)
        assert float(line["above_low"]) == pytest.approx(score.above.low, abs=1e-4)
        assert int(line["texts"]) == score.n_inputs
    assert list(kept["yours_sentences"]) == LINES
    assert "leaves out your sentences" in page.too_long
    both = {"attention.many.offsets-yours", "attention.many.offsets-built-in"}
    assert both <= page.figures.keys()


def test_fewer_than_fifty_name_nothing_and_say_so(offered):
    page = given(opened(model=str(offered["bert"])), "\n\n".join(LINES[:12]))
    assert "Over your 12 sentences: too few to name a head, which takes 50." in page.answer
    assert set(arrays(page)["yours_role_labels"]) == {NO_ROLE}
    assert "11 empty lines of tales.txt were left out" in page.text


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "holds no sentence"),
        (b"\x89PNG\r\n\x1a\n", "no UTF-8 text"),
        (b"One.\n" + b"x" * 100_000, "Line 2 of bad.txt is 100,000 characters long"),
        (b"a b\n" * 501, "holds 501 sentences; up to 500 go"),
    ],
)
def test_a_bad_file_is_told_and_loses_nothing(offered, content: bytes, told: str):
    page = given(opened(model=str(offered["bert"])), "\n".join(LINES))
    before = page.answer
    given(page, content, "bad.txt")
    assert told in page.notices
    assert page.answer == before
    given(page, "\n".join(LINES[:51]))
    assert told not in page.notices
    assert "Over your 51 sentences" in page.answer


def test_a_line_that_the_model_can_not_read_is_named(offered):
    long = "dog " * 200
    page = given(opened(model=str(offered["bert"])), "\n".join([*LINES[:20], long, *LINES[20:]]))
    assert "Line 21 of tales.txt (“dog dog" in page.notices
    assert "Over 100 built-in sentences" in page.answer


def test_what_takes_long_is_asked_about(offered, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(long_work, "LONG", 0.0)
    page = given(opened(model=str(offered["bert"])), "\n".join(LINES[:50]))
    assert "Naming the heads: 50 sentences, about" in page.text
    assert "Over 100 built-in sentences" in page.answer
    page.press("Start")
    assert "Over your 50 sentences" in page.answer
    again = given(opened(model=str(offered["bert"])), "\n".join(LINES[:49]))
    again.press("Not now")
    assert "own" not in again.link
    again.toggle(key=OWN).set_value(True).run()
    assert "Naming the heads: 49 sentences" in again.text


def test_a_link_to_another_readers_sentences_says_so():
    page = opened(own="1")
    assert "never enter a link" in page.notices
    assert "Over 100 built-in sentences" in page.answer


def test_the_names_over_them_are_shown_by_the_other_views_as_theirs(offered):
    folder = str(offered["bert"])
    page = given(opened(model=folder), "\n".join(LINES))
    notes = page.figures["attention.many.offsets-yours"].header["row_notes"]
    grid = page.segmented_control(key="attention.view").set_value("").run()
    told = grid.figures["attention.grid.encoder"].header["names"]
    assert told["over"] == "52 sentences of tales.txt"
    assert told["notes"][0] == notes
    assert "here 52 sentences of tales.txt" in grid.text
    assert grid.link["own"] == "1"
    assert "leaves out your sentences" in grid.too_long
    grid.toggle(key=OWN).set_value(False).run()
    assert grid.figures["attention.grid.encoder"].header["names"] is None
    assert grid.too_long == ""
    bert = page.go("bert", model=folder, text="the cat sat", masks="2", own="1")
    assert bert.figures["bert.gaze"].header["names"]["notes"][0] == notes
    assert "Over 52 sentences of tales.txt" in bert.text


def test_names_over_sentences_that_nobody_gave_are_those_over_our_own():
    page = Page("attention", own="1")
    assert page.figures["attention.grid.encoder"].header["names"]["over"] == ""
    assert "show once this model has read the file" in page.text


def test_a_row_that_is_clicked_is_the_head_of_every_view():
    page = opened(heads="2.7")
    assert page.answer.count("Head 2.7")
    page.fire("attention.many.offsets-built-in", [3, 9])
    assert page.link["heads"] == "2.3"
    assert "Head 2.3 looks most" in page.answer


def test_what_heads_write_names_them_otherwise():
    looks, writes = (arrays(opened(roles=by)) for by in ("weights", "written"))
    assert list(looks["built_in_role_labels"]) != list(writes["built_in_role_labels"])
    np.testing.assert_array_equal(looks["built_in_offsets"], writes["built_in_offsets"])


def test_a_head_named_by_annotated_sentences_elsewhere_is_told():
    """Names of one head differ where different sentences were measured: the page says so."""
    page = Page("attention", view="heads", part="many", model="minilm")
    assert "3.1 syntactic relation (here first)" in page.text
