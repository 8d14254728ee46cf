"""A lesson's keys: arrows, and a presenter's PageDown and PageUp, turn its steps.

The browser writes down where the reader stands, for Home of another day (lesson_resume), and tells
another of its windows the step's notes (notes_window), which may turn the steps, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app.components.frame import pack
from app.components.mount import register

_mount: Final = register("lesson_keys")


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the reader stands."""

    path: str  # the step's page
    search: str  # its link
    title: str  # of the lesson
    step: int  # counted from 0
    steps: int


@dataclass(frozen=True, slots=True)
class Notes:
    """What who teaches wants to know of a step."""

    lesson: str  # its title, as the others are
    title: str
    notes: str  # Markdown
    then: str  # the next step; "": this is the last
    step: int  # counted from 1
    steps: int
    before: int  # minutes of the steps before
    minutes: int  # of this step


def lesson_keys(standing: Standing | None, notes: Notes | None = None) -> None:
    """Draws nothing; where a lesson's step is shown.

    standing, notes: None is written down or told to nobody.
    """
    _mount(key="lesson-keys", data=pack({"standing": standing, "notes": notes}, {}))
