"""A lesson's file: what is read, and what is told of a wrong one, with its line."""

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from app.content.lessons import FOLDER, Lesson, Predict, Step, shipped
from app.content.lessons.reading import LARGEST, read
from core.errors import InputError

FRONT = "---\ntitle: One\nabout: Two.\n---\n"
STEP = "title: A step\nlink: attention?heads=3.10&text=%26\n"
LESSON = f"""{FRONT}
{STEP}minutes: 3
predict:
  ask: attended token
  question: Where?
  word: it
  head: 3.10
reveal: >
  Folded
  text.
notes: Say it.

First.

Second, with `<code>` and 1 < 2.
---
title: Another
link: http://localhost:8501/blocks/?part=root

Text.
"""


def test_a_lesson_is_read_as_it_is_written():
    lesson = read(LESSON, "one")
    assert (lesson.id, lesson.title, lesson.about) == ("one", "One", "Two.")
    first, second = lesson.steps
    assert (first.page, first.state) == ("attention", {"heads": "3.10", "text": "&"})
    assert first.predict == Predict("attended token", "Where?", {"word": "it", "head": "3.10"})
    assert (first.reveal, first.notes) == ("Folded text.", "Say it.")
    assert first.text == "First.\n\nSecond, with `<code>` and 1 < 2."
    assert (second.page, second.state, second.predict) == ("blocks", {"part": "root"}, None)
    assert (lesson.minutes, lesson.predictions) == (5, 1)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("title: no rule", "Line 1: a lesson begins with its title and about"),
        (FRONT, "there is no step"),
        (f"---\ntitel: One\n---\n{STEP}\nText.", "Line 2: a lesson has no field “titel”; title"),
        (f"---\ntitle: One\n---\n{STEP}\nText.", "Line 2: “about:” is missing"),
        (f"---\ntitle: One\ntitle: Two\n---\n{STEP}\nText.", "Line 3: a lesson has title twice"),
        (f"---\ntitle: [a, b]\nabout: c\n---\n{STEP}\nText.", "Line 2: title is a list"),
        (f"{FRONT}title: A step\n\nText.", "Line 5: “link:” is missing"),
        (f"{FRONT}{STEP}", "Line 5: this step has no text"),
        (f"{FRONT}{STEP}minutes: soon\n\nText.", "Line 7: minutes are soon; whole numbers from 1"),
        (f"{FRONT}{STEP}minutes: 99\n\nText.", "Line 7: minutes are 99"),
        (f"{FRONT}{STEP}predict: yes\n\nText.", "Line 7: predict is written as “name: value”"),
        (f"{FRONT}{STEP}predict:\n  ask: x\n\nText.", "Line 7: “question:” is missing"),
        (f"{FRONT}{STEP}notes: 'open\n\nText.", "Line 7: this is no YAML"),
        (f"{FRONT}{STEP}notes: a: b\n\nText.", "Line 7: this is no YAML"),
        (f"{FRONT}{STEP}notes: \x00\n\nText.", "Line 5: what begins here is no YAML"),
        (f"{FRONT}title: x\nlink: a?b\n\nText.", "Line 6: “a?b” is no link"),
        (f"{FRONT}{STEP}\nText <script>alert(1)</script>", "Line 8: HTML does not go, such as <s"),
        (f"{FRONT}{STEP}notes: <b>\n\nText.", "Line 7: HTML does not go, such as <b>"),
        (f"{FRONT}{STEP}\n![x](http://elsewhere/x.png)", "Line 8: a picture stands on a"),
        (f"{FRONT}{STEP}notes: {'[' * 5000}\n\nText.", "Line 5: what begins here is no YAML"),
        (f"{FRONT}{STEP}\n{'x' * LARGEST}", f"{LARGEST:,} go"),
        (f"{FRONT}{STEP}notes: '![a][b]'\n\nText.", "Line 7: a picture stands"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(text: str, told: str):
    with pytest.raises(InputError) as refused:
        read(text, "x")
    assert told in str(refused.value)


MOST_REVEALED = 60  # words
GERMAN = """---
language: de
title: Eins
about: Zwei.
---
title: Ein Schritt
predict:
  question: Wo?
reveal: Da.

Erstens.
---
title: Noch einer
minutes: 4
link: gpt

Zweitens. language: bleibt Text.
"""


def test_a_lesson_is_read_in_several_languages():
    lesson = read(LESSON + GERMAN, "one")
    assert replace(lesson, others=()) == read(LESSON, "one")
    assert lesson.languages == ("en", "de")
    german, first = lesson.said_in("de"), lesson.steps[0]
    assert (german.title, german.about, german.language_name) == ("Eins", "Zwei.", "Deutsch")
    assert (german.steps[0].page, german.steps[0].state) == (first.page, first.state)
    assert german.steps[0].minutes == first.minutes
    assert first.predict is not None
    assert german.steps[0].predict == replace(first.predict, question="Wo?")
    assert (german.steps[1].page, german.steps[1].minutes) == ("gpt", 4)
    assert lesson.said_in("fr") == lesson


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("language: de", "language: Deutsch", "Line 28: “Deutsch” is no language"),
        ("language: de", "language: en", "Line 28: the lesson is in “en” already"),
        ("reveal: Da.\n", "", "Line 32: “reveal:” is missing, which the first language has"),
        ("predict:\n  question: Wo?\n", "", "Line 32: “predict:” is missing"),
        ("  question: Wo?", "  word: it", "“question:” is missing"),
        ("---\ntitle: Noch", "\ntitle: Noch", "Line 28: there are 1 steps in “de”, 2 before it"),
    ],
)
def test_what_is_wrong_in_another_language_is_told(old: str, new: str, told: str):
    with pytest.raises(InputError) as refused:
        read(LESSON + GERMAN.replace(old, new), "x")
    assert told in str(refused.value)


@given(some.text() | some.lists(some.sampled_from((LESSON + GERMAN).splitlines())).map("\n".join))
def test_whatever_is_written_is_read_or_refused(text: str):
    with suppress(InputError):
        assert read(text, "x").steps


def test_line_ends_and_marks_of_other_editors_are_read():
    assert read("\ufeff" + LESSON.replace("\n", "\r\n"), "one") == read(LESSON, "one")


@pytest.mark.parametrize("lesson", shipped().values(), ids=lambda lesson: lesson.id)
def test_a_lesson_is_short_and_asks_often(lesson: Lesson):
    assert 8 <= len(lesson.steps) <= 12
    assert lesson.predictions * 3 >= len(lesson.steps)
    for one in (lesson, *lesson.others):
        assert all(step.notes for step in one.steps)
        long = [step.title for step in one.steps if len(step.reveal.split()) > MOST_REVEALED]
        assert not long, "a projector shows no more without scrolling"


def minutes(step: Step) -> float:
    """Read aloud at 130 words a minute; 20 s for a prediction and a minute to look, 1½ without."""
    asked = step.predict.question if step.predict else ""
    words = " ".join((step.title, step.text, asked, step.reveal)).split()
    return len(words) / 130 + (80 / 60 if asked else 90 / 60)


@pytest.mark.parametrize("lesson", shipped().values(), ids=lambda lesson: lesson.id)
def test_a_lesson_takes_the_minutes_that_it_says(lesson: Lesson):
    for one in (lesson, *lesson.others):
        found = {step.title: (minutes(step), step.minutes) for step in one.steps}
        off = {title: both for title, both in found.items() if abs(both[0] - both[1]) > 1}
        assert not off
        assert sum(map(minutes, one.steps)) == pytest.approx(one.minutes, rel=0.2)


def test_every_file_is_a_lesson_of_the_app():
    assert {path.stem for path in FOLDER.glob("*.md")} == set(shipped())


def test_three_lessons_are_in_german():
    assert sum("de" in lesson.languages for lesson in shipped().values()) >= 3


def test_a_lessons_minutes_are_what_its_title_says():
    assert shipped()["attention"].minutes == 20
