"""Boxes and arrows: an architecture whose parts can be chosen."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Final

from app.components.frame import pack
from app.components.mount import register
from app.components.selection import Seed, Selection

_mount: Final = register("diagram")


@dataclass(frozen=True, slots=True)
class Box:
    """One part, in units of a grid; (x, y) is its upper left corner. Without a text: a frame."""

    id: str
    text: str
    x: float
    y: float
    w: float
    h: float
    sub: str = ""  # a second, quieter line: a shape
    hue: str | None = None  # encoder decoder cross query key value; None: paper
    dashed: bool = False  # added later, or not there
    tip: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Arrow:
    """A line through points, with its head at the last."""

    points: tuple[tuple[float, float], ...]
    label: str = ""
    dashed: bool = False

    def __post_init__(self) -> None:
        if len(self.points) < 2:
            raise ValueError("an arrow needs two points")


@dataclass(frozen=True, slots=True)
class Diagram:
    """The whole drawing, `width` by `height` units; boxes are reached in their order."""

    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    width: float
    height: float
    label: str
    caption: str = ""


def diagram(
    figure: Diagram, *, key: str, selected: str | None = None, clickable: bool = True
) -> str | None:
    """Draw it; return the id of the selected box, or `selected` if the reader chose none."""
    ids = {box.id for box in figure.boxes}
    if selected is not None and selected not in ids:
        raise ValueError(f"there is no box {selected!r} among {sorted(ids)}")
    found = _selection(key, selected, ids)
    _mount(key=key, data=diagram_frame(figure, seed=found.seed, clickable=clickable))
    return found.value or None


def selected_box(key: str, present: str | None, ids: Collection[str]) -> str | None:
    """The id of the selected box, before the drawing is."""
    return _selection(key, present, ids).value or None


def _selection(key: str, present: str | None, ids: Collection[str]) -> Selection[str]:
    return Selection(
        key,
        present or "",
        lambda report: report if isinstance(report, str) and report in {*ids, ""} else None,
    )


def diagram_frame(
    figure: Diagram, *, seed: Seed[str] | None = None, clickable: bool = False
) -> bytes:
    """The byte frame that diagram/view.js draws; also for the standalone page."""
    header = {
        **asdict(figure),
        "clickable": clickable,
        "selection": (seed or Seed("")).header,
    }
    return pack(header, {})
