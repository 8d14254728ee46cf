"""Lessons: steps of text beside live pages. Each is a Markdown file in this folder."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from app.content.lessons.lesson import FILE, NAME, Lesson, Predict, Step

__all__ = ["FILE", "NAME", "TOUR", "Lesson", "Predict", "Step", "shipped", "tour"]

FOLDER: Final = Path(__file__).parent
TOUR: Final = "tour"  # its name in links
ORDER: Final = ("attention", "translation", "bpe", "bert", "gpt", "vision")  # of a course


@cache
def shipped() -> Mapping[str, Lesson]:
    """Those that come with the app, by their names in links."""
    from app.content.lessons.reading import read  # and YAML, when a lesson is first asked for

    return {name: read((FOLDER / f"{name}.md").read_text("utf-8"), name) for name in ORDER}


@cache
def tour() -> Lesson:
    """What a first visit is offered: no lesson of a course, but made and played as one."""
    from app.content.lessons.reading import read

    return read((FOLDER.parent / f"{TOUR}.md").read_text("utf-8"), TOUR)
