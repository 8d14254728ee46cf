"""The most probable tokens with their bars; a click picks one."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

from app.components.frame import pack
from app.components.mount import nothing, picked, register

_mount: Final = register("candidates")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One token that could stand there."""

    text: str
    probability: float
    note: str = ""  # behind the probability: a rank, a logit
    tip: tuple[str, ...] = ()
    lit: bool = False  # the one that stands there, or was chosen


def candidates(
    rows: tuple[Candidate, ...],
    *,
    label: str,
    key: str,
    clickable: bool = True,
    caption: str = "",
    hue: str = "encoder",
) -> int | None:
    """Draw the bars; return the index of the row clicked, in the run that the click caused."""
    frame = candidates_frame(rows, label=label, clickable=clickable, caption=caption, hue=hue)
    return picked(_mount(key=key, data=frame, on_pick_change=nothing), len(rows))


def candidates_frame(
    rows: tuple[Candidate, ...],
    *,
    label: str,
    clickable: bool = False,
    caption: str = "",
    hue: str = "encoder",
) -> bytes:
    """The byte frame that candidates/view.js draws; also for the standalone page."""
    header = {
        "rows": [asdict(row) for row in rows],
        "label": label,
        "clickable": clickable,
        "caption": caption,
        "hue": hue,
    }
    return pack(header, {})
