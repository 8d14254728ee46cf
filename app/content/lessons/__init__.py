"""Lessons: steps of text beside live pages. Each is a Markdown file in this folder."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from app.content.lessons.lesson import FILE, NAME, Lesson, Predict, Step

__all__ = ["FILE", "NAME", "Lesson", "Predict", "Step", "shipped"]

FOLDER: Final = Path(__file__).parent


@cache
def shipped() -> Mapping[str, Lesson]:
    """Those that come with the app, by their names in links."""
    from app.content.lessons.reading import read  # and YAML, when a lesson is first asked for

    paths = sorted(FOLDER.glob("*.md"))
    return {path.stem: read(path.read_text("utf-8"), path.stem) for path in paths}
