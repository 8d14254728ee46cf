"""Which words mattered for a mask? Every method's row, the check, and what the link keeps."""

from io import BytesIO
from typing import Any

import numpy as np
import pytest

from app.style.number_format import three
from app.ui.number_box import BOX
from app.ui.which_words.params import METHODS
from core import LogitTarget, ReplaceTokens
from core.explain.attribution.perturbation_curves import area, hidden_sets, word_fractions
from tests.pages.bert.shown import FACT
from tests.pages.page import Page

PLACE = 4  # "capital"
WORDS = np.array([1, 2, 3, 5, 6, 7])


@pytest.fixture(scope="module")
def target(bert: Any) -> LogitTarget:
    trace = bert.trace_edited(FACT, edits=((PLACE, bert.stand_in()),))
    return LogitTarget(PLACE, int(trace.logits[PLACE].argmax()))


def opened(**link: str) -> Page:
    return Page("bert", **{"view": "why", "text": FACT, "masks": str(PLACE)} | link)


def kept(page: Page) -> dict[str, np.ndarray]:
    return dict(np.load(BytesIO(page.file("which-words.npz"))))


def test_every_row_holds_the_models_numbers(bert: Any, target: LogitTarget):
    page = opened()
    edits = ((PLACE, bert.stand_in()),)
    table = page.figures["bert.why.table"]
    assert [row.removesuffix(" *") for row in table.header["rows"]] == [
        method.title for method in METHODS.values()
    ]
    numbers = kept(page)
    for row, method in enumerate(METHODS):
        values = bert.evidence(FACT, method, target, edits=edits).values
        np.testing.assert_allclose(numbers[method], values, rtol=1e-3, atol=1e-5)
        assert table.header["cells"][row] == [three(float(value)) for value in numbers[method]]
        largest = np.abs(numbers[method]).max()
        np.testing.assert_allclose(
            table.arrays["shades"][row], np.abs(numbers[method]) / largest, rtol=1e-5
        )
        np.testing.assert_array_equal(table.arrays["marked"][row], numbers[method] < 0)
    assert "Integrated gradients share out the logit" in page.text


def test_the_curve_is_the_probability_with_those_words_hidden(bert: Any, target: LogitTarget):
    numbers = kept(opened())
    np.testing.assert_array_equal(numbers["words"], WORDS)
    fractions = word_fractions(len(WORDS))
    sets, _ = hidden_sets(numbers["leave-one-out"][WORDS], fractions)
    mask = bert.stand_in()
    variants = [
        (ReplaceTokens(((PLACE, mask), *((int(WORDS[one]), mask) for one in chosen))),)
        for chosen in sets
    ]
    expected = bert.measure(FACT, variants, target)
    np.testing.assert_allclose(
        numbers["curve_leave-one-out_most_first"], expected, rtol=1e-3, atol=1e-6
    )
    random = numbers["curve_random_most_first"]
    assert random[0] == pytest.approx(expected[0], rel=1e-3)
    assert random[-1] == pytest.approx(expected[-1], rel=1e-3)
    assert area(fractions, numbers["curve_leave-one-out_most_first"]) < area(fractions, random)


def test_a_click_looks_at_a_method_and_the_link_brings_it_back():
    page = opened()
    names = list(METHODS)
    page.choose("bert.why.table", [names.index("rollout"), 6])
    assert {"method": "rollout", "token": "6"}.items() <= page.link.items()
    assert "Attention rollout" in page.text
    again = Page("bert", **page.link)
    assert again.figures["bert.why.table"].header["selection"]["value"] == [
        names.index("rollout"),
        6,
    ]
    assert again.link == page.link
    again.choose("bert.why.table", [-1, -1])
    assert "token" not in again.link


def test_words_are_hidden_in_the_chosen_methods_order():
    page = opened(method="leave-one-out", hidden="2")
    chips = page.figures["bert.why.hidden-row"].header["chips"]
    gone = [place for place, chip in enumerate(chips) if chip["note"]]
    numbers = kept(page)
    order = WORDS[np.argsort(-numbers["leave-one-out"][WORDS], kind="stable")]
    assert gone == sorted(order[:2].tolist())
    assert [chips[place]["text"] for place in gone] == ["[MASK]"] * 2
    left = three(100 * float(numbers["curve_leave-one-out_most_first"][2]))
    assert f"is left with {left} %" in page.text


def test_a_long_text_hides_several_words_a_step_and_their_number_is_shown():
    text = " ".join(f"{word} and" for word in FACT.rstrip(".").split() * 3) + " so."
    page = opened(text=text, method="leave-one-out", hidden="2")
    n_words = len(kept(page)["words"])
    hidden = round(n_words * 2 / 10)
    assert hidden > 2
    key = "bert.why.hidden:options"
    assert page.select_slider(key=key).options[2] == str(hidden)
    assert page.number_input(key=f"{key}{BOX}").value == hidden
    assert f"{hidden} of {n_words} words hidden" in page.text
    page.number_input(key=f"{key}{BOX}").set_value(n_words).run()
    assert page.link["hidden"] == "10"


def test_another_word_is_explained_and_one_that_is_none_is_said():
    page = opened(**{"for": "city"})
    assert page.answer.startswith(f"city at position {PLACE} has a probability of")
    unknown = opened(**{"for": "no such word"})
    assert "is not one token here; the model's answer is explained" in unknown.text


def test_a_pair_and_several_masks():
    page = opened(
        text="He was born in Rome.", masks="2,5", pair="Rome is the capital of Italy.", mask="5"
    )
    assert "at position 5 has a probability" in page.answer
    assert len(page.figures["bert.why.table"].header["columns"]) == 16


def test_what_cannot_be_explained_is_said():
    assert "Click a word above" in opened(masks="").notices
    long = opened(text="word " * 120, masks="3")
    assert "122 tokens; up to 96 are explained here" in long.notices
    assert "There is no word that could be hidden" in opened(text="[MASK]", masks="").notices
