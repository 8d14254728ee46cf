"""The likeliest answers before and after a change: what each bar gained or lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app.components.frame import pack
from app.components.mount import register
from app.components.selection import clicked_index, clicks

_mount: Final = register("moved_answers")


@dataclass(frozen=True, slots=True)
class Moved:
    """One answer: its probability and its rank (1 for the likeliest), before and after."""

    text: str
    before: float
    after: float
    rank_before: int
    rank_after: int
    lit: bool = False

    def __post_init__(self) -> None:
        if not (0 <= self.before <= 1.0001 and 0 <= self.after <= 1.0001):
            raise ValueError(f"probabilities are {self.before} and {self.after}")


def moved_answers(
    rows: tuple[Moved, ...],
    *,
    label: str,
    key: str,
    caption: str = "",
    clickable: bool = True,
    hue: str = "encoder",
) -> int | None:
    """Draw the bars; return the index of the row clicked, in the run that the click caused."""
    found = clicked_index(key, len(rows))
    number = clicks(key, tuple(row.text for row in rows)) if clickable else 0
    frame = moved_frame(
        rows, label=label, caption=caption, clickable=clickable, clicks=number, hue=hue
    )
    _mount(key=key, data=frame)
    return found


def moved_frame(
    rows: tuple[Moved, ...],
    *,
    label: str,
    caption: str = "",
    clickable: bool = False,
    clicks: int = 0,
    hue: str = "encoder",
) -> bytes:
    """The byte frame that moved_answers/view.js draws; also for the standalone page."""
    header = {
        "rows": rows,
        "label": label,
        "caption": caption,
        "clickable": clickable,
        "clicks": clicks,
        "hue": hue,
    }
    return pack(header, {})
