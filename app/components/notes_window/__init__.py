"""The notes of the lesson that another window of this browser shows, with a clock.

The windows speak with each other alone (BroadcastChannel); what is heard becomes a report, so that
the page draws its Markdown.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final, cast

from app.components.frame import pack
from app.components.lesson_keys import Notes
from app.components.mount import register
from app.components.selection import clicked_value, clicks

_mount: Final = register("notes_window")
NAME: Final = "notes-window"
LONGEST: Final = 20_000  # characters of a step's notes


def notes_window(shown: Notes | None) -> None:
    """Clock, Back and Next; asks for a run when the other window shows another step."""
    _mount(key=NAME, data=pack({"shown": shown, "clicks": clicks(NAME, shown)}, {}))


def heard() -> Notes | None:
    """What the other window shows by now, if that is new."""
    return clicked_value(NAME, _read)


def _read(given: object) -> Notes | None:
    if not isinstance(given, dict):
        return None
    said = cast("dict[str, Any]", given)
    for field in fields(Notes):
        value = said.get(field.name)
        if field.type == "int" and (type(value) is not int or not 0 <= value < 10_000):
            return None
        if field.type == "str" and (not isinstance(value, str) or len(value) > LONGEST):
            return None
    return Notes(**{field.name: said[field.name] for field in fields(Notes)})
