"""A lesson's file: what is read, and what is told of a wrong one, with its line."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as some

from app.content.lessons import Predict, shipped
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
        (f"{FRONT}{STEP}\n![x](http://elsewhere/x.png)", "Line 8: pictures do not go"),
        (f"{FRONT}{STEP}notes: {'[' * 5000}\n\nText.", "Line 5: what begins here is no YAML"),
        (f"{FRONT}{STEP}\n{'x' * LARGEST}", f"{LARGEST:,} go"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(text: str, told: str):
    with pytest.raises(InputError) as refused:
        read(text, "x")
    assert told in str(refused.value)


@given(some.text() | some.lists(some.sampled_from(LESSON.splitlines())).map("\n".join))
def test_whatever_is_written_is_read_or_refused(text: str):
    with suppress(InputError):
        assert read(text, "x").steps


def test_line_ends_and_marks_of_other_editors_are_read():
    assert read("\ufeff" + LESSON.replace("\n", "\r\n"), "one") == read(LESSON, "one")


def test_a_lessons_minutes_are_what_its_title_says():
    assert shipped()["attention"].minutes == 20
