"""A picture with boxes on it: click a box, drag it, drag its corners.

The picture is a `PictureMap`, so a map of numbers can lie between it and the boxes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final

import streamlit as st

from app.components.frame import pack
from app.components.mount import Seeded, nothing, register, reported
from app.components.picture_map import PictureMap, limit_of

Numbers = tuple[float, float, float, float]  # centre x, centre y, width, height, as shares
NOWHERE: Final = -1  # nothing selected; a seed must not be None
DESCRIPTION: Final = (
    "label", "caption", "title", "rows", "columns", "scale", "hue", "opacity", "width", "grid",
)  # fmt: skip
_mount: Final = register("box_picture")


@dataclass(frozen=True, slots=True)
class Box:
    """One box and what is written at it."""

    numbers: Numbers
    text: str
    hue: str = "encoder"  # a colour with a meaning (app.style.theme.MEANINGS)
    dashed: bool = False
    faint: bool = False
    movable: bool = False
    tip: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class BoxPicture:
    """What is drawn: a picture, perhaps with a map over it, and the boxes on top."""

    figure: PictureMap
    boxes: tuple[Box, ...]


def box_picture(
    shown: BoxPicture, *, key: str, selected: int | None = None
) -> tuple[int | None, tuple[Numbers, ...]]:
    """Draw it; return the selected box and all boxes' numbers, as the reader moved them.

    What the page gives seeds the browser; it may be what the last call returned.
    """
    count = len(shown.boxes)
    if selected is not None and not 0 <= selected < count:
        raise ValueError(f"there is no box {selected}: they count from 0 to {count - 1}")
    wanted = NOWHERE if selected is None else selected
    chosen = Seeded(key, "chosen", wanted, lambda report: read_choice(report, count))
    numbers = tuple(rounded(box.numbers) for box in shown.boxes)
    moved = Seeded(key, "boxes", numbers, lambda report: read_boxes(report, count))
    frame = box_frame(
        shown, seed={"serial": chosen.serial, "chosen": chosen.seed, "turn": moved.serial}
    )
    _mount(key=key, data=frame, on_chosen_change=nothing, on_boxes_change=nothing)
    return (None if chosen.choice == NOWHERE else chosen.choice), moved.choice


def moved_before(key: str, numbers: tuple[Numbers, ...]) -> tuple[Numbers, ...]:
    """The boxes as the browser says they stand now, before the picture is drawn in this run.

    `numbers` if it says nothing new. So what follows from a drag is drawn in the same run.
    """
    slot = f"{key}:boxes:heard"
    report = reported(key, "boxes")
    if report is None or report == st.session_state.get(slot):
        return numbers
    st.session_state[slot] = report
    value = report.get("value") if isinstance(report, Mapping) else None
    return read_boxes(value, len(numbers)) or numbers


def box_frame(shown: BoxPicture, *, seed: dict[str, object] | None = None) -> bytes:
    """The byte frame that box_picture/view.js draws; also for the standalone page."""
    figure = shown.figure
    header = {
        "figure": {name: getattr(figure, name) for name in DESCRIPTION}
        | {"limit": limit_of(figure)},
        "boxes": [asdict(box) | {"numbers": rounded(box.numbers)} for box in shown.boxes],
        "seed": seed or {"serial": 0, "chosen": NOWHERE, "turn": 0},
    }
    arrays = {"picture": figure.picture}
    if figure.values is not None:
        arrays["values"] = figure.values
    return pack(header, arrays, level=1)


def rounded(numbers: Numbers) -> Numbers:
    """To a thousandth of the picture, as the browser reports them."""
    x, y, width, height = (round(float(number), 3) for number in numbers)
    return x, y, width, height


def read_choice(report: object, count: int) -> int | None:
    """The box that a browser says is selected (NOWHERE for none), or None if it can't be."""
    return report if type(report) is int and NOWHERE <= report < count else None


def read_boxes(report: object, count: int) -> tuple[Numbers, ...] | None:
    """The boxes that a browser says stand there, or None if they can't be."""
    if not isinstance(report, list) or len(report) != count:
        return None
    found: list[Numbers] = []
    for box in report:
        if not isinstance(box, list) or len(box) != 4:
            return None
        if not all(type(n) in (int, float) and 0 <= n <= 1 for n in box) or min(box[2:]) <= 0:
            return None
        found.append(rounded((box[0], box[1], box[2], box[3])))
    return tuple(found)
