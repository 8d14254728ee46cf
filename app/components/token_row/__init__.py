"""A text's tokens as a row of buttons: shaded by a number, masked, lit; a click picks one."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final, Literal

from app.components.frame import pack
from app.components.mount import nothing, picked, register

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


def token_row(
    chips: tuple[Chip, ...], *, label: str, key: str, clickable: bool = True, caption: str = ""
) -> int | None:
    """Draw the tokens; return the index of the one clicked, in the run that the click caused."""
    result = _mount(
        key=key,
        data=token_row_frame(chips, label=label, clickable=clickable, caption=caption),
        on_pick_change=nothing,
    )
    return picked(result, len(chips))


def token_row_frame(
    chips: tuple[Chip, ...], *, label: str, clickable: bool = False, caption: str = ""
) -> bytes:
    """The byte frame that token_row/view.js draws; also for the standalone page."""
    header = {
        "chips": [asdict(chip) for chip in chips],
        "label": label,
        "clickable": clickable,
        "caption": caption,
    }
    return pack(header, {})
