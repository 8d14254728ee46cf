"""A browser's end of a room: students' hears what is new, the teacher's says that it is there."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

from app.components.frame import pack
from app.components.mount import register
from app.components.selection import clicked_value, clicks

_mount: Final = register("room_stream")
NAME: Final = "room-stream"


@dataclass(frozen=True, slots=True)
class Ear:
    """What the browser has to know."""

    at: str  # where the room's routes stand
    code: str
    key: str
    teaches: bool
    follows: bool
    known: int  # the version that the page shows
    settled: bool  # it has said which key it had before


def room_stream(ear: Ear) -> None:
    """Say who is there, or what is amiss; ask for a run when there is something new."""
    _mount(key=NAME, data=pack({**asdict(ear), "clicks": clicks(NAME, ear.code)}, {}))


def heard() -> str | None:
    """What it said just now: the key that it had before, "" for something new; None: nothing."""
    return clicked_value(NAME, _read)


def _read(given: object) -> str | None:
    match given:
        case {"key": str(key)}:
            return key
        case {"version": int()}:
            return ""
        case _:
            return None
