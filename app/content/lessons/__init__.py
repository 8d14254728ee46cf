"""Lessons: steps of text beside live pages. Each is a Markdown file in this folder."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from app.content.lessons.lesson import FILE, NAME, Lesson, Predict, Step

__all__ = ["FILE", "NAME", "Lesson", "Predict", "Step", "shipped"]

FOLDER: Final = Path(__file__).parent
ORDER: Final = ("attention", "translation", "bpe", "bert", "gpt", "vision")  # of a course


@cache
def shipped() -> Mapping[str, Lesson]:
    """Those that come with the app, by their names in links."""
    from app.content.lessons.reading import read  # and YAML, when a lesson is first asked for

    return {name: read((FOLDER / f"{name}.md").read_text("utf-8"), name) for name in ORDER}
