"""A text's tokens as a row of buttons: shaded by a number, masked, lit; a click picks one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from app.components.frame import pack
from app.components.mount import register
from app.components.selection import clicked_index, clicks

_mount: Final = register("token_row")


@dataclass(frozen=True, slots=True)
class Chip:
    """One token as the model sees it."""

    text: str
    note: str = ""  # under it, small: a probability, a rank
    shade: float | None = None  # 0 to 1: how strong its background is
    state: Literal["plain", "lit", "masked", "quiet"] = "plain"
    tip: tuple[str, ...] = ()
    hue: str = "encoder"
    token_id: int | None = None  # in the model's vocabulary, told on hover


def token_row(
    chips: tuple[Chip, ...], *, label: str, key: str, clickable: bool = True, caption: str = ""
) -> int | None:
    """Draw the tokens; return the index of the one clicked, in the run that the click caused."""
    found = clicked_index(key, len(chips))
    number = clicks(key, tuple(chip.text for chip in chips)) if clickable else 0
    frame = token_row_frame(chips, label=label, clickable=clickable, caption=caption, clicks=number)
    _mount(key=key, data=frame)
    return found


def token_row_frame(
    chips: tuple[Chip, ...],
    *,
    label: str,
    clickable: bool = False,
    caption: str = "",
    clicks: int = 0,
) -> bytes:
    """The byte frame that token_row/view.js draws; also for the standalone page."""
    header = {
        "chips": chips,
        "label": label,
        "clickable": clickable,
        "clicks": clicks,
        "caption": caption,
    }
    return pack(header, {})
