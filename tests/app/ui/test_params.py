"""Parameters: anybody's input in a link, typed values in a session."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ui.param_values import read_cells, write_cells
from app.ui.params import Param, Scope

HERE = Scope("page")
LAYOUT = HERE.choice("layout", {"both": "Lines and map", "lines": "Lines"})
SHARE = HERE.real("min", 0.0, 1.0, 0.5)
WHOLE = HERE.whole("top", 0, 20, 0)
WORDS = HERE.flag("words")
HEADS = HERE.cells("heads")
CELL = HERE.cell("cell")
PLACES = HERE.numbers("masks", 512)
EVERY: tuple[Param[object], ...] = (LAYOUT, SHARE, WHOLE, WORDS, HEADS, CELL, PLACES)


@pytest.mark.parametrize(
    ("param", "form", "shown"),
    [
        (WHOLE, "a whole number from 0 to 20", "3"),
        (HERE.whole("layer", -1, 20, -1), "a whole number from 0 to 20", ""),
        (HERE.whole("token", -2, 20, -2), "a whole number from 0 to 20", ""),
        (HERE.whole("shift", -20, 20, 5), "a whole number from -20 to 20", "-1"),
        (HERE.real("slope", -1.0, 1.0, 0.5), "a number from -1 to 1", "-1"),
    ],
    ids=str,
)
def test_a_number_says_what_it_may_be(param: Param[float], form: str, shown: str):
    assert param.form == form
    assert param.shown(3 if param is WHOLE else -1) == shown


@pytest.mark.parametrize(
    ("param", "given_text", "expected"),
    [
        (LAYOUT, "lines", "lines"),
        (LAYOUT, "cubist", None),
        (WORDS, "1", True),
        (WORDS, "yes", None),
        (SHARE, "0.25", 0.25),
        (SHARE, "1.5", None),
        (SHARE, "nan", None),
        (SHARE, "", None),
        (WHOLE, "7", 7),
        (WHOLE, "7.5", None),
        (HEADS, "3.1,5.11", ((3, 1), (5, 11))),
        (HEADS, "3.1,x", None),
        (HEADS, "3.-1", None),
        (CELL, "10.2", (10, 2)),
        (CELL, "ten", None),
        (CELL, "", None),
        (PLACES, "4,6", (4, 6)),
        (PLACES, "", ()),
        (PLACES, "4,512", None),
    ],
)
def test_what_a_link_may_say(param: Param[object], given_text: str, expected: object):
    assert param.parse(given_text) == expected


@given(st.sampled_from(EVERY), st.text())
def test_no_text_breaks_a_parameter(param: Param[object], text: str):
    param.parse(text)


@given(
    st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), min_size=1, max_size=20).map(tuple)
)
def test_cells_come_back_from_a_link(cells: tuple[tuple[int, int], ...]):
    assert read_cells(write_cells(cells)) == cells


@given(st.integers(2, 10_000_000))
def test_a_large_whole_number_survives_its_link(steps: int):
    param = HERE.whole("steps", 2, 10_000_000, 100_000)
    assert param.parse(param.write(steps)) == steps


def test_a_choice_begins_with_its_first_word_or_the_one_named():
    assert LAYOUT.default == "both"
    assert HERE.choice("x", ["a", "b"], "b").default == "b"


def test_views_may_use_one_name_for_values_of_their_own():
    one, other = Scope("vision", "swin").text("model"), Scope("vision").text("model")
    assert one.name == other.name
    assert one.key != other.key
