"""The most probable tokens with their bars; a click picks one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app.components.frame import pack
from app.components.mount import register
from app.components.selection import clicked_index, clicks

_mount: Final = register("candidates")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One token that could stand there."""

    text: str
    probability: float
    note: str = ""  # behind the probability: a rank, a logit
    tip: tuple[str, ...] = ()
    lit: bool = False  # the one that stands there, or was chosen
    token_id: int | None = None  # in the model's vocabulary, told on hover


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
    found = clicked_index(key, len(rows))
    number = clicks(key, tuple(row.text for row in rows)) if clickable else 0
    frame = candidates_frame(
        rows, label=label, clickable=clickable, caption=caption, hue=hue, clicks=number
    )
    _mount(key=key, data=frame)
    return found


def candidates_frame(
    rows: tuple[Candidate, ...],
    *,
    label: str,
    clickable: bool = False,
    caption: str = "",
    hue: str = "encoder",
    clicks: int = 0,
) -> bytes:
    """The byte frame that candidates/view.js draws; also for the standalone page."""
    header = {
        "rows": rows,
        "label": label,
        "clickable": clickable,
        "clicks": clicks,
        "caption": caption,
        "hue": hue,
    }
    return pack(header, {})
