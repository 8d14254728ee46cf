"""The page mechanism: state from links, views and parts, figures that rerun alone, refusals."""

import pytest
from streamlit.testing.v1 import AppTest

from app.content.prose import Prose, read
from app.style.markdown_escape import plain
from app.ui import page
from app.ui.navigation import PLACES

SCRIPT = """
import streamlit as st
from app.ui.export_bar import Export
from app.ui.page import Page, View, go
from app.ui.params import Scope
from core.errors import InputError

def large(given):
    if int(given) > 9:
        raise InputError(f"{given} is more than the 9 that fit.")
    return int(given)

HERE = Scope("demo")
TEXT = HERE.text("text", "a")
SIZE = HERE.custom("size", 1, large, str)
OWN = Scope("demo", "second").text("model", "own")
OTHER = Scope("demo", "third").text("model", "other")

def first():
    TEXT.line("Text")
    return figure

def figure():
    st.session_state["figures"] = st.session_state.get("figures", 0) + 1
    st.button("More", key="more")
    st.text(f"size {SIZE.value}")
    if st.button("Go on", key="go"):
        go("demo", "second")
    return Export("numbers", "caption", lambda: (("a",), [(1,)]), facts={"thing": "a map"})

def second():
    st.text(f"model {OWN.value}")

def part():
    st.text(f"model {OTHER.value}")
    return Export("part", "caption", lambda: (("a",), [(1,)]), facts={"thing": "a part"})

PAGE = Page(
    "demo", "What?",
    (
        View("first", "First", (TEXT, SIZE), first),
        View("second", "Second", (OWN,), second),
        View("third", "Third", parts=(
            View("one", "One", (OTHER,), part), View("two", "Two", (), lambda: None),
        )),
    ),
    entered=lambda link: st.session_state.update(came=dict(link)),
)
PAGE.render()
"""


TEXTS = read("The lead.\n\n## What am I looking at?\nAt {{thing}}.\n---\nCaution.")


@pytest.fixture(autouse=True)
def paths(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Whose prose the page asked for."""
    asked: list[str] = []

    def prose(path: str) -> Prose:
        asked.append(path)
        return TEXTS

    monkeypatch.setattr(page, "prose", prose)
    return asked


def opened(**link: str) -> AppTest:
    app = AppTest.from_string(SCRIPT, default_timeout=60)
    for name, value in link.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def texts(app: AppTest) -> list[str]:
    return [element.value for element in app.text]


def test_a_page_draws_title_lead_figure_prose_and_facts(paths: list[str]):
    app = opened()
    assert app.title[0].value == "What?"
    written = [element.value for element in app.markdown]
    assert "The lead." in written
    assert "At a map." in written
    assert "Caution." in written
    assert paths[-1] == "demo/first"


def test_a_link_seeds_the_shown_view_alone():
    app = opened(view="second", model="from the link", text="b")
    assert texts(app) == ["model from the link"]
    app.segmented_control[0].set_value("third").run()
    assert texts(app) == ["model other"]
    app.segmented_control[0].set_value("first").run()
    assert app.text_input[0].value == "a"


def test_a_part_is_in_the_link_and_has_its_own_prose(paths: list[str]):
    app = opened(view="third", part="one", model="x")
    assert texts(app) == ["model x"]
    assert paths[-1] == "demo/third/one"


def test_nonsense_counts_as_absent_and_a_refusal_is_told_until_it_changes():
    app = opened(view="nowhere", size="12")
    assert [warning.value for warning in app.warning] == [plain("12 is more than the 9 that fit.")]
    assert "size 1" in texts(app)
    app.session_state["demo.size"] = 3
    app.run()
    assert not app.warning
    app.session_state["demo.size"] = 1
    app.run()
    assert not app.warning


def test_a_click_in_a_figure_can_show_another_view():
    app = opened(text="b")
    app.button(key="go").click().run()
    assert texts(app) == ["model own"]


def test_a_reader_enters_once():
    app = opened(text="b")
    assert app.session_state["came"] == {"text": "b"}
    app.session_state["came"] = None
    app.text_input[0].set_value("c").run()
    assert app.session_state["came"] is None
    assert app.text_input[0].value == "c"


def test_a_view_is_found_as_it_was_left():
    app = opened(text="b")
    app.text_input[0].set_value("c").run()
    app.segmented_control[0].set_value("third").run()
    app.segmented_control[1].set_value("two").run()
    app.segmented_control[0].set_value("second").run()
    app.segmented_control[0].set_value("third").run()
    assert app.segmented_control[1].value == "two"
    app.segmented_control[0].set_value("first").run()
    assert app.text_input[0].value == "c"


def test_a_session_file_enters_the_page_like_a_link():
    app = opened(text="b")
    app.session_state["session-file.demo"] = {"view": "second", "model": "from a file"}
    app.run()
    assert texts(app) == ["model from a file"]


BREAKS = """
import streamlit as st
from app.ui import recovery
from app.ui.export_bar import Export
from app.ui.page import Page, View
from app.ui.params import Scope

HERE = Scope("demo")
NUMBER = HERE.whole("number", 0, 9, 1)
TEXT = HERE.text("text", "a")

def view():
    TEXT.line("Text")
    st.button("Poison", on_click=lambda: NUMBER.put("a label"))
    return figure

def figure():
    st.button("Poison within", on_click=lambda: NUMBER.put("a label"))
    st.text(f"number {NUMBER.value + 1}")
    st.button("Three", on_click=lambda: NUMBER.put(3))

with recovery.guarded("demo"):
    only = View("", params=(NUMBER, TEXT), render=view)
    Page("demo", "What?", (only,)).render()
"""


@pytest.mark.parametrize("button", ["Poison", "Poison within"])
def test_a_page_that_broke_is_whole_at_the_next_click(button: str, monkeypatch: pytest.MonkeyPatch):
    """Another click's own value counts; what broke the page goes back to what was drawn before."""
    monkeypatch.setitem(PLACES, "demo", PLACES["about"])
    app = AppTest.from_string(BREAKS, default_timeout=20).run()

    def press(label: str) -> None:
        (found,) = [each for each in app.button if each.label == label]
        found.click().run()

    press("Three")
    press(button)
    assert "Something broke" in app.error[0].value
    app.text_input[0].set_value("typed").run()
    assert [each.value for each in app.text] == ["number 4"]
    assert app.text_input[0].value == "typed"
    assert not app.error


def test_what_am_i_looking_at_stands_where_nothing_is_handed_out_too():
    app = opened(view="second")
    said = [one.value for one in app.markdown]
    assert "What am I looking at?" in [one.value for one in app.subheader]
    assert "Caution." in said
    assert not any("At " in one or "{{" in one for one in said), "no fact is made up"


LEFT = """
from itertools import count
import streamlit as st
from app.ui.options import some_of
from app.ui.page import Shown, View, _figure
from app.ui.params import Scope

LETTERS = Scope("demo").custom("letters", ("a",), tuple, "".join)

def draw():
    some_of(LETTERS, lambda *_, on_change, **__: on_change(), "Letters", "abc")
    st.text("".join(LETTERS.value))

def late():
    "A choice that was on its way when its view was left."
    def widget(*_, on_change, **__):
        for key in ("demo.letters", "demo.letters:options"):
            if key in st.session_state:
                del st.session_state[key]
        on_change()
        LETTERS.put(("c",))
    some_of(LETTERS, widget, "Letters", "abc")

if "came" not in st.session_state:
    st.session_state["came"] = True
    LETTERS.seed(None)
    late()
    del st.session_state[LETTERS.key]
    _figure("demo", Shown((LETTERS,), View(""), "demo"), draw, count(1))
    st.text("drawn all the same")
else:
    st.text("the whole page was drawn anew")
"""


def test_what_arrives_for_a_view_that_was_left_changes_nothing_and_draws_the_page_anew():
    app = AppTest.from_string(LEFT, default_timeout=20).run()
    assert not app.exception
    assert not app.error
    assert texts(app) == ["the whole page was drawn anew"]
