"""A picture with boxes on it: click a box, drag it, drag its corners.

The picture is a `PictureMap`, so a map of numbers can lie between it and the boxes.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

from app.components.frame import pack
from app.components.mount import register
from app.components.picture_map import PictureMap, limit_of
from app.components.selection import Seed, Selection, items_of, read_index

Numbers = tuple[float, float, float, float]  # centre x, centre y, width, height, as shares
NOWHERE: Final = -1  # how the browser says that nothing is selected
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


def box_picture(shown: BoxPicture, *, key: str, selected: int | None = None) -> int | None:
    """Draw boxes that stay where they are; return what `selected_box` does."""
    found = _choosing(key, selected, len(shown.boxes))
    _mount(key=key, data=box_frame(shown, seed=found.seed))
    return None if found.value == NOWHERE else found.value


def selected_box(key: str, present: int | None, count: int) -> int | None:
    """The box that is selected now, of so many, before the picture is drawn or after.

    `present` seeds the browser's selection, and may be what an earlier call returned.
    """
    value = _choosing(key, present, count).value
    return None if value == NOWHERE else value


def drag_boxes(shown: BoxPicture, *, key: str) -> tuple[Numbers, ...]:
    """Draw boxes that the reader moves; return what `dragged_boxes` does."""
    found = _dragging(key, tuple(box.numbers for box in shown.boxes))
    _mount(key=key, data=box_frame(shown, seed=found.seed))
    return found.value


def dragged_boxes(key: str, present: tuple[Numbers, ...]) -> tuple[Numbers, ...]:
    """Where the boxes stand now, before they are drawn or after; `present` seeds the browser."""
    return _dragging(key, present).value


def _choosing(key: str, present: int | None, count: int) -> Selection[int]:
    if present is not None and not 0 <= present < count:
        raise ValueError(f"there is no box {present}: they count from 0 to {count - 1}")
    wanted = NOWHERE if present is None else present
    return Selection(key, wanted, lambda report: read_index(report, count - 1, NOWHERE))


def _dragging(key: str, present: tuple[Numbers, ...]) -> Selection[tuple[Numbers, ...]]:
    wanted = tuple(map(rounded, present))
    return Selection(key, wanted, lambda report: read_boxes(report, len(wanted)))


def box_frame(
    shown: BoxPicture, *, seed: Seed[int] | Seed[tuple[Numbers, ...]] | None = None
) -> bytes:
    """The byte frame that box_picture/view.js draws; also for the standalone page."""
    figure = shown.figure
    header = {
        "figure": {name: getattr(figure, name) for name in DESCRIPTION}
        | {"limit": limit_of(figure)},
        "boxes": [asdict(box) | {"numbers": rounded(box.numbers)} for box in shown.boxes],
        "selection": (seed or Seed(NOWHERE)).header,
    }
    arrays = {"picture": figure.picture}
    if figure.values is not None:
        arrays["values"] = figure.values
    return pack(header, arrays, level=1)


def rounded(numbers: Numbers) -> Numbers:
    """To a thousandth of the picture, as the browser reports them."""
    x, y, width, height = (round(float(number), 3) for number in numbers)
    return x, y, width, height


def read_boxes(report: object, count: int) -> tuple[Numbers, ...] | None:
    """The boxes that a browser says stand there, or None if they can't be."""
    boxes = items_of(report)
    if not isinstance(report, list) or len(boxes) != count:
        return None
    read = tuple(box for box in map(_read_numbers, boxes) if box is not None)
    return read if len(read) == count else None


def _read_numbers(box: object) -> Numbers | None:
    match items_of(box):
        case [x, y, width, height] if all(
            type(n) in (int, float) and 0 <= n <= 1 for n in (x, y, width, height)
        ):
            return rounded((x, y, width, height)) if min(width, height) > 0 else None
        case _:
            return None
