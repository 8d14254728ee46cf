"""The protocol between a page and a figure: seeds, stale reports, nonsense, clicks. No browser."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.components import selection
from app.components.selection import Selection, clicked_index, clicked_value, clicks, forget


def letter(given: object) -> str | None:
    """A, B, … or "" for nothing."""
    return given if isinstance(given, str) and len(given) <= 1 else None


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    kept: dict[str, object] = {}
    monkeypatch.setattr(selection, "st", SimpleNamespace(session_state=kept))
    return kept


def report(state: dict[str, object], value: object, serial: object = 1, key: str = "k") -> None:
    state[key] = {"selection": {"serial": serial, "value": value}}


def click(state: dict[str, object], value: object, serial: int = 1, key: str = "k") -> None:
    state[key] = {"click": {"serial": serial, "value": value}}


@pytest.mark.usefixtures("state")
def test_before_a_report_the_page_is_right():
    asked = Selection("k", "A", letter)
    assert (asked.value, asked.seed.value, asked.seed.serial) == ("A", "A", 1)


def test_what_the_reader_chose_holds_and_is_not_sent_back(state):
    Selection("k", "A", letter)
    report(state, "B")
    for present in ("A", "B", "B"):  # the page may learn of it in the next run, or never
        asked = Selection("k", present, letter)
        assert (asked.value, asked.seed.value, asked.seed.serial) == ("B", "A", 1)


def test_nothing_is_a_choice_too(state):
    Selection("k", "A", letter)
    report(state, "")
    assert Selection("k", "A", letter).value == ""


def test_asked_twice_in_a_run_it_says_the_same(state):
    Selection("k", "A", letter)
    report(state, "B")
    before = Selection("k", "A", letter)
    drawn = Selection("k", before.value, letter)
    assert (before.value, before.seed) == (drawn.value, drawn.seed)


def test_the_page_may_ask_for_something_else_and_older_reports_are_void(state):
    Selection("k", "A", letter)
    report(state, "B")
    Selection("k", "B", letter)
    asked = Selection("k", "C", letter)  # an example
    assert (asked.value, asked.seed.value, asked.seed.serial) == ("C", "C", 2)
    assert Selection("k", "C", letter).value == "C"  # the report of B still stands there
    report(state, "D", serial=1)  # made before the browser got the new frame
    assert Selection("k", "C", letter).value == "C"
    report(state, "D", serial=2)
    assert Selection("k", "C", letter).value == "D"


def test_the_page_may_go_back_to_what_it_asked_first(state):
    Selection("k", "A", letter)
    report(state, "B")
    Selection("k", "B", letter)
    assert Selection("k", "A", letter).seed.serial == 2


@pytest.mark.parametrize("nonsense", ["too long", 7, None, ["A"], {"value": "A"}])
def test_nonsense_is_ignored(state, nonsense):
    Selection("k", "A", letter)
    report(state, nonsense)
    assert Selection("k", "A", letter).value == "A"


@pytest.mark.parametrize("whole", [None, "B", ["B"], {}, {"selection": "B"}, {"selection": {}}])
def test_a_report_of_any_shape_is_ignored(state, whole):
    Selection("k", "A", letter)
    state["k"] = whole
    assert Selection("k", "A", letter).value == "A"


def test_a_page_that_was_left_and_is_back_asks_anew(state):
    Selection("k", "A", letter)
    report(state, "B")
    Selection("k", "A", letter)
    del state["k"]  # Streamlit forgets a component that was not drawn
    asked = Selection("k", "B", letter)
    assert (asked.value, asked.seed.value, asked.seed.serial) == ("B", "B", 2)


def test_what_was_reported_of_another_figure_can_be_forgotten(state):
    Selection("k", "A", letter)
    report(state, "B")
    forget("k")
    asked = Selection("k", "A", letter)
    assert (asked.value, asked.seed.serial) == ("A", 2)


def test_figures_that_share_a_selection_follow_the_one_that_was_clicked(state):
    def run(present: str) -> tuple[str, list[int]]:
        for key in ("one", "two"):
            present = Selection(key, present, letter).value
        return present, [Selection(key, present, letter).seed.serial for key in ("one", "two")]

    assert run("A") == ("A", [1, 1])
    report(state, "B", key="two")
    assert run("A") == ("B", [2, 1])  # only the other one is drawn anew
    report(state, "C", serial=2, key="one")
    assert run("B") == ("C", [2, 2])
    assert run("C") == ("C", [2, 2])


@pytest.mark.usefixtures("state")
def test_every_figure_of_a_session_has_a_visit_of_its_own():
    first = Selection("film", "A", letter).seed.visit
    assert first
    assert Selection("film", "B", letter).seed.visit == first
    assert Selection("map", "A", letter).seed.visit not in ("", first)


Event = tuple[str, str]
EVENTS = st.lists(st.tuples(st.sampled_from(("reader", "page", "run")), st.sampled_from("ABC")))


@given(EVENTS)
def test_page_and_browser_agree_once_both_have_heard(events: list[Event]):
    """A browser that may be a frame behind, and a page that runs whenever it likes."""
    kept: dict[str, object] = {}
    page, shown, sent = "A", ("A", -1), None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(selection, "st", SimpleNamespace(session_state=kept))
        for who, value in [*events, ("run", ""), ("run", "")]:
            if who == "reader":
                if shown[1] < 0:
                    continue
                shown = (value, shown[1])
                report(kept, value, serial=shown[1])
            elif who == "page":
                page = value
            else:
                if sent is not None and sent.serial != shown[1]:  # the frame of the last run
                    shown = (sent.value, sent.serial)
                asked = Selection("k", page, letter)
                page, sent = asked.value, asked.seed
        if sent is not None and sent.serial != shown[1]:
            shown = (sent.value, sent.serial)
    assert shown[0] == page


def test_a_click_is_one_of_the_things_that_were_drawn(state):
    click(state, 1)
    assert clicked_index("k", 3) is None  # nothing was drawn yet
    assert clicks("k", ("a", "b", "c")) == 1
    assert clicked_index("k", 3) == 1
    for nonsense in (3, -1, "1", True, None, 1.0, [1]):
        click(state, nonsense)
        assert clicked_index("k", 3) is None
    state["k"] = None  # the next run
    assert clicked_index("k", 3) is None


def test_a_click_on_what_stood_there_before_is_ignored(state):
    clicks("k", ("a", "b"))
    assert clicks("k", ("a", "b")) == 1  # drawn again, perhaps with another one lit
    assert clicks("k", ("c", "d")) == 2
    click(state, 0, serial=1)
    assert clicked_index("k", 2) is None
    click(state, 0, serial=2)
    assert clicked_index("k", 2) == 0


def test_a_click_that_is_no_plain_index(state):
    clicks("k", "a table")
    click(state, [2, 5])
    assert clicked_value("k", lambda given: tuple(given) if given == [2, 5] else None) == (2, 5)
    assert clicked_value("k", letter) is None
