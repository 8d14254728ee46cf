"""Go on with a lesson where this browser left it. The browser alone keeps where that was."""

from __future__ import annotations

from typing import Final

from app.components.frame import pack
from app.components.mount import register

_mount: Final = register("lesson_resume")


def lesson_resume(base: str) -> None:
    """Offer it where a lesson was left before its end; base: where pages stand."""
    _mount(key="lesson-resume", data=pack({"base": base}, {}))
