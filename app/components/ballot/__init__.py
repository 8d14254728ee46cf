"""A question's answers: a student votes, a teacher sees the bars grow. No run is asked for."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

import numpy as np
from jaxtyping import UInt8

from app.components.frame import pack
from app.components.mount import register

_mount: Final = register("ballot")


@dataclass(frozen=True, slots=True)
class Board:
    """Options that stand in rows and columns: heads, or patches."""

    rows: int
    columns: int
    titles: tuple[str, str]  # of rows and columns


@dataclass(frozen=True, slots=True)
class Ballot:
    """What stands to be voted on; votes go to the room's routes."""

    label: str
    options: tuple[str, ...]
    at: str  # where the room's routes stand
    key: str  # the reader's
    poll: str
    counts: bool  # the teacher's: bars in place of buttons
    mine: int | None = None  # what this student has voted for
    grid: Board | None = None  # None: the options stand in a row


def ballot(
    shown: Ballot, *, key: str, picture: UInt8[np.ndarray, "height width 3"] | None = None
) -> None:
    """Draw it. picture: whose patches the options are."""
    _mount(key=key, data=pack(asdict(shown), {} if picture is None else {"picture": picture}))
