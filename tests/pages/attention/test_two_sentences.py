"""Two sentences: what the page says and draws is the core's, and every state is told."""

import io
from pathlib import Path

import numpy as np
import pytest

import core
from core.explain.attention.minimal_pairs import minimal_pair, paired_maps
from tests.pages.attention.shown import TEXT
from tests.pages.page import Page

OTHER = TEXT.replace("tired", "wide")
MAP, GRID = "attention.pair.difference", "attention.pair.grid"
BOTH = ("attention.pair.first", "attention.pair.second")
IT = 10  # “it” in both sentences


def pair(**link: str) -> Page:
    return Page("attention", view="pair", **link)


@pytest.fixture(scope="module")
def traces():
    model = core.load("minilm-l6")
    return model.trace(TEXT), model.trace(OTHER)


def test_the_first_screen_tells_what_it_turns_from(traces):
    """In the head that finds the animal, “it” turns away from it when the street is too wide."""
    page = pair()
    found = minimal_pair(*traces)
    most = found.ranked(IT)[0]
    assert (most.layer, most.head) == (3, 1)
    assert "At it, between the two sentences head 1 in layer 3 changes most" in page.answer
    assert f"{most.change:.3f} of its attention moves, most from animal to" in page.answer
    maps = paired_maps(*(one.attention(3).weights for one in traces), found.queries, found.keys)
    np.testing.assert_allclose(page.figures[MAP].arrays["values"], maps.difference[1], atol=1e-6)
    header = page.figures[MAP].header
    assert header["scale"] == "diverging"
    assert header["columns"][-1] == "differing"
    assert "Without a partner, first | second: *tired* | *wide*" in page.text
    assert page.link == {"view": "pair"}


def test_every_head_is_coloured_and_ranked_by_its_change(traces):
    page = pair(token="-1")
    found = minimal_pair(*traces)
    changes = [one.change for one in found.changes()]
    np.testing.assert_allclose(page.figures[GRID].arrays["maxima"], changes, atol=1e-6)
    rows = page.table("attention-pair-heads.csv")
    ranked = [(one.layer, one.head) for one in found.ranked()]
    assert [(int(row["layer"]), int(row["head"])) for row in rows] == ranked
    picker = next(box for box in page.selectbox if "most changed first" in box.label)
    layer, head = ranked[0]
    assert picker.options[0].startswith(f"1. layer {layer} · head {head}: ")
    assert f"head {head} in layer {layer} changes most" in page.answer


def test_a_head_and_a_token_are_chosen_told_and_linked(traces):
    page = pair()
    page.choose(GRID, [[2, 5]])
    assert page.link["heads"] == "2.5"
    rank = 1 + sum(
        one.change > minimal_pair(*traces).changes(IT)[2 * 12 + 5].change
        for one in minimal_pair(*traces).changes(IT)
    )
    assert f"Head 5 in layer 2 is at it number {rank} of 72" in page.answer
    picker = next(box for box in page.selectbox if box.label == "Compared at")
    picker.select("12: too").run()
    assert page.link["token"] == "12"
    assert "at too number" in page.answer
    page.choose(MAP, [10, 2])
    assert page.link["cell"] == "10.2"
    again = Page("attention", **page.link)
    assert again.answer == page.answer
    assert again.figures[MAP].header["selection"]["value"] == [10, 2]
    weights = [float(one.attention(2).weights[5, 10, 2]) for one in traces]
    row = page.table("attention-pair.csv")[10 * 16 + 2]
    assert [float(row["first"]), float(row["second"])] == pytest.approx(weights, abs=1e-6)
    assert float(row["difference"]) == pytest.approx(weights[1] - weights[0], abs=1e-6)
    assert (row["query_token"], row["key_token"]) == ("it", "animal")


def test_each_sentences_own_map_stands_beside_the_others_on_one_scale():
    page = pair(show="both", cell="10.2")
    first, second = (page.figures[key] for key in BOTH)
    assert first.header["limit"] == second.header["limit"]
    assert first.header["selection"]["value"] == second.header["selection"]["value"] == [10, 2]
    np.testing.assert_allclose(first.arrays["values"].sum(axis=1), 1, atol=1e-5)
    assert "*it* → *animal*: first 0.677 · second 0.281 · difference **−0.396**" in page.text


def test_the_archive_holds_every_heads_difference(traces):
    file = np.load(io.BytesIO(pair().file("attention-pair.npz")))
    found = minimal_pair(*traces)
    for layer in range(6):
        maps = paired_maps(
            *(one.attention(layer).weights for one in traces), found.queries, found.keys
        )
        np.testing.assert_allclose(file[f"difference_layer{layer}"], maps.difference, atol=1e-6)
    assert file["moved"].shape == (72, 15)
    assert file["key_tokens"][-1] == "differing"


def test_equal_sentences_move_nothing():
    page = pair(text="It sat.", other_text="It sat.")
    assert "the same tokens: 0 of any head’s attention moves" in page.answer.replace("'", "’")
    assert not page.figures[GRID].arrays["maxima"].any()
    assert "Every token has its partner" in page.text


@pytest.mark.parametrize(
    ("text", "other", "said"),
    [
        ("red fish", "blue birds", "“red fish” and “blue birds” have no token in common"),
        ("It sat.", " ", "The text is empty. Type at least one word."),
        ("It sat.", "cat " * 600, "tokens; this model takes up to 512"),
    ],
)
def test_what_can_not_be_compared_is_said(text: str, other: str, said: str):
    page = pair(text=text, other_text=other)
    assert said in page.notices
    assert MAP not in page.figures


def test_words_more_and_less_are_named():
    page = pair(text="She did laugh.", other_text="She did not laugh out loud.")
    assert "*–* | *not*" in page.text
    assert "*–* | *out loud*" in page.text
    assert page.figures[MAP].header["rows"] == ["[CLS]", "she", "did", "laugh", ".", "[SEP]"]


def test_heads_and_tokens_past_the_end_are_dropped_with_a_message():
    page = pair(heads="90.1", token="9999")
    assert (
        "The link asks for token=9999 and heads=90.1, which is not here; the page shows its own "
        "choice instead. What there is: token: 0 to 15 where the second sentence has the token, "
        "-1 for all of them; heads: 0.0 to 5.11." in page.notices
    )
    assert page.link == {"view": "pair"}


def test_a_readers_own_sentence_comes_twice():
    page = Page("gpt", view="next")
    page.text_area(key="gpt.text").set_value("The parrot sang.").run()
    page.go("attention", view="pair")
    chips = next(one for one in page.button_group if one.key == "attention.pair.example")
    chips.set_value(next(option for option in chips.options if "yours" in option)).run()
    assert [area.value for area in page.text_area] == ["The parrot sang."] * 2
    page.text_area(key="attention.pair.other_text").set_value("The parrot slept.").run()
    assert "*sang* | *slept*" in page.text


@pytest.mark.parametrize("family", ["gpt2", "marian", "gpt_oss", "deberta"])
def test_every_family_is_compared(offered: dict[str, Path], family: str):
    link = {"text": "the cat sat on it .", "other_text": "the dog sat on it ."}
    page = pair(model=str(offered[family]), **link)
    assert "changes most" in page.answer
    values = page.figures[MAP].arrays["values"]
    np.testing.assert_allclose(values.sum(axis=1), 0, atol=1e-5)
    assert ("hidden" in page.figures[MAP].arrays) == (family in ("gpt2", "gpt_oss"))


def test_cross_attention_is_compared_too(offered: dict[str, Path]):
    link = {"text": "the cat sat on it .", "other_text": "the dog sat on it ."}
    page = pair(model=str(offered["marian"]), kind="cross", **link)
    header = page.figures[MAP].header
    assert header["columns"][-1] == "differing"
    assert header["rows"] != header["columns"][:-1]
