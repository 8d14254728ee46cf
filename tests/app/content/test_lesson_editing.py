"""A lesson's languages stay in step with one another, whatever is changed in one of them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from app.content.lessons import Lesson, Predict, Step
from app.content.lessons.editing import added, changed, entitled, moved, removed
from app.content.lessons.reading import read
from app.content.lessons.writing import write

STEPS = tuple(Step(f"{n}", f"Text {n}.", "gpt", {"n": f"{n}"}, 2) for n in range(3))
GERMAN = tuple(replace(step, title=f"{n}.", text=f"Satz {n}.") for n, step in enumerate(STEPS))
LESSON = Lesson("x", "One", "Two.", STEPS, others=(Lesson("x", "Eins", "Zwei.", GERMAN, "de"),))
ASKED = Predict("attended token", "Where?", {"word": "it"})


def titles(lesson: Lesson, language: str = "en") -> list[str]:
    return [step.title for step in lesson.said_in(language).steps]


def test_steps_move_come_and_go_in_every_language():
    assert titles(moved(LESSON, 0, 2)) == ["1", "2", "0"]
    assert titles(moved(LESSON, 2, 0), "de") == ["2.", "0.", "1."]
    assert titles(removed(LESSON, 1), "de") == ["0.", "2."]
    assert titles(added(LESSON, replace(STEPS[0], title="new"), 1), "de") == [
        "0.",
        "new",
        "1.",
        "2.",
    ]


@given(some.integers(0, 2), some.integers(0, 2))
def test_a_move_is_undone_by_the_move_back(at: int, to: int):
    assert moved(moved(LESSON, at, to), to, at) == LESSON


def test_words_are_one_languages_own_and_what_is_common_stays_so():
    german = changed(LESSON, "de", 1, title="Zwei", minutes=5, page="bert", state={})
    assert titles(german) == ["0", "1", "2"]
    assert titles(german, "de") == ["0.", "Zwei", "2."]
    first, other = german.steps[1], german.others[0].steps[1]
    assert (first.minutes, first.page, first.state) == (5, "bert", {})
    assert (other.minutes, other.page, other.state) == (5, "bert", {})


def test_a_link_of_its_own_stays():
    own = replace(LESSON.others[0], steps=(replace(GERMAN[0], page="bert"), *GERMAN[1:]))
    new = changed(replace(LESSON, others=(own,)), "en", 0, page="vision")
    assert (new.steps[0].page, new.others[0].steps[0].page) == ("vision", "bert")


def test_what_is_asked_is_asked_in_every_language_in_its_words():
    asked = changed(LESSON, "en", 0, predict=ASKED)
    assert asked.others[0].steps[0].predict == ASKED
    german = changed(asked, "de", 0, predict=replace(ASKED, question="Wo?"))
    assert german.steps[0].predict == ASKED
    harder = changed(german, "en", 0, predict=replace(ASKED, fields={"word": "cat"}))
    assert harder.others[0].steps[0].predict == Predict("attended token", "Wo?", {"word": "cat"})
    assert changed(harder, "de", 0, predict=None).steps[0].predict is None


def test_a_reveal_comes_in_every_language():
    revealed = changed(LESSON, "en", 0, reveal="So.")
    assert revealed.others[0].steps[0].reveal == "So."
    assert changed(revealed, "de", 0, reveal="Ja.").steps[0].reveal == "So."
    assert read(write(revealed), "x") == revealed


def test_a_line_that_would_begin_a_step_does_not():
    new = changed(LESSON, "en", 0, text="One.\n---\nTwo.")
    assert read(write(new), "x").steps[0].text == "One.\n***\nTwo."


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_title_is_one_languages_own(language: str):
    new = entitled(LESSON, language, title="New")
    assert [one.title for one in (new, *new.others)].count("New") == 1
    assert new.said_in(language).title == "New"
