"""A lesson's keys: arrows, and a presenter's PageDown and PageUp, turn its steps."""

from __future__ import annotations

from typing import Final

from app.components.frame import pack
from app.components.mount import register

_mount: Final = register("lesson_keys")


def lesson_keys() -> None:
    """Draws nothing; where a lesson's step is shown."""
    _mount(key="lesson-keys", data=pack({}, {}))
