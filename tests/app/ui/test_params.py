"""Links are anybody's input: what is allowed comes through, nonsense counts as absent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from app.ui import params as links
from app.views.attention import state

CHOICE = links.choice("layout", ["both", "lines"])
NUMBER = links.number("min", 0.0, 1.0, 0.5)
WHOLE = links.number("top", 0, 20, 0)


@pytest.mark.parametrize(
    ("param", "given_text", "expected"),
    [
        (CHOICE, "lines", "lines"),
        (CHOICE, "cubist", None),
        (links.flag("words"), "1", True),
        (links.flag("words"), "yes", None),
        (NUMBER, "0.25", 0.25),
        (NUMBER, "1.5", None),
        (NUMBER, "nan", None),
        (NUMBER, "", None),
        (WHOLE, "7", 7),
        (WHOLE, "7.5", None),
        (state.HEADS, "3.1,5.11", ((3, 1), (5, 11))),
        (state.HEADS, "3.1,x", None),
        (state.CELL, "10.2", (10, 2)),
        (state.CELL, "ten", None),
    ],
)
def test_what_a_link_may_say(param: links.Param, given_text: str, expected: object):
    assert param.parse(given_text) == expected


@given(st.sampled_from(state.PARAMS), st.text())
def test_no_text_breaks_a_parameter(param: links.Param, text: str):
    param.parse(text)


@given(
    st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), min_size=1, max_size=20).map(tuple)
)
def test_heads_come_back_from_a_link(heads: tuple[tuple[int, int], ...]):
    assert state.parse_heads(state.write_heads(heads)) == heads


def test_a_long_text_stays_out_of_the_link_and_that_is_said():
    short, sentence = links.shortened({"heads": "3.1", "text": "x" * 2001})
    assert short == {"heads": "3.1"}
    assert sentence is not None
    assert "leaves out the text" in sentence


def test_a_link_seeds_a_page_once_and_leaving_forgets():
    def script() -> None:
        import streamlit as st

        from app.ui import params as links

        params = (links.choice("layout", ["both", "lines"]), links.number("top", 0, 20, 0))
        links.enter(st.session_state.get("page", "a"))
        entered = links.seed("a", params)
        st.text(f"{entered} {links.written('a', params)}")

    at = AppTest.from_function(script)
    at.query_params["layout"] = "lines"
    at.query_params["top"] = "99"
    assert at.run().text[0].value == "True {'layout': 'lines'}"
    at.session_state["a.top"] = 3
    assert at.run().text[0].value == "False {'layout': 'lines', 'top': '3'}"
    at.session_state["page"] = "b"  # another page is entered: a's state goes
    at.run()
    at.session_state["page"] = "a"
    assert at.run().text[0].value == "True {'layout': 'lines'}"


def test_a_large_whole_number_survives_its_link():
    steps = links.number("steps", 2, 10_000_000, 100_000)
    for chosen in (3_000_000, 1_234_567):
        assert steps.parse(steps.write(chosen)) == chosen
