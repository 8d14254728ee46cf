"""A picture cut into patches, one number a patch painted over it: click a patch, or paint a mask.

Three ways to draw the same figure: `picture_map` (one, a patch can be selected),
`picture_paint` (dragging hides patches), `picture_row` (small multiples side by side).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from jaxtyping import Bool, Float32, UInt8

from app.components.frame import pack
from app.components.mount import register
from app.components.selection import Seed, Selection, clicked_index, clicks, items_of, read_index

NOWHERE: Final = -1  # how the browser says that nothing is selected
MARKS: Final = ("dark", "hidden", "outlined")
DESCRIPTION: Final = (
    "label", "caption", "title", "rows", "columns", "scale", "hue", "opacity", "width", "grid",
    "notes", "paint", "uniform",
)  # fmt: skip
_mount: Final = register("picture_map")


@dataclass(frozen=True, slots=True, eq=False)
class PictureMap:
    """What is drawn. Every printed number comes from `values`; patches count row by row from 0."""

    picture: UInt8[np.ndarray, "height width 3"]
    rows: int
    columns: int
    label: str  # names the figure for screen readers
    caption: str = ""  # model, picture, settings: written under exported figures
    values: Float32[np.ndarray, "row column"] | None = None  # None: the picture and its grid
    scale: Literal["sequential", "diverging"] = "sequential"
    hue: str = "encoder"  # of a sequential scale
    limit: float | None = None  # top of the colour scale; None: the largest |value|
    uniform: float | None = None  # the even share of one patch, where values are shares
    opacity: float = 0.65  # of the colours over the picture
    dark: Bool[np.ndarray, "row column"] | None = None  # dimmed: below a threshold
    hidden: Bool[np.ndarray, "row column"] | None = None  # grey and hatched: the model can't see
    outlined: Bool[np.ndarray, "row column"] | None = None  # a window, a box, an object
    notes: tuple[str, ...] = ()  # one line a patch, on hover
    width: float = 420.0  # px at most
    grid: bool = True  # hairlines between patches
    title: str = ""
    paint: Literal["hidden", "outlined"] = "hidden"  # how patches look that the reader paints

    def __post_init__(self) -> None:
        shape = (self.rows, self.columns)
        for name in ("values", *MARKS):
            array = getattr(self, name)
            if array is not None and array.shape != shape:
                raise ValueError(f"{name} are {array.shape}, but the grid has {shape} patches")
        if self.notes and len(self.notes) != self.rows * self.columns:
            raise ValueError(f"{len(self.notes)} notes for {self.rows * self.columns} patches")


def picture_map(
    figure: PictureMap, *, key: str, selected: int | None = None, clickable: bool = True
) -> int | None:
    """Draw one map; return what `selected_patch` does."""
    n_patches = figure.rows * figure.columns
    if selected is not None and not 0 <= selected < n_patches:
        raise ValueError(f"there is no patch {selected}: they count from 0 to {n_patches - 1}")
    found = _selection(key, selected, n_patches)
    mode = "select" if clickable else "show"
    _mount(key=key, data=picture_frame((figure,), mode=mode, seed=found.seed))
    return None if found.value == NOWHERE else found.value


def selected_patch(key: str, present: int | None, n_patches: int) -> int | None:
    """The patch that is selected now, of so many, before the map is drawn or after.

    `present` seeds the browser's selection, and may be what an earlier call returned.
    """
    value = _selection(key, present, n_patches).value
    return None if value == NOWHERE else value


def _selection(key: str, present: int | None, n_patches: int) -> Selection[int]:
    wanted = NOWHERE if present is None else present
    return Selection(key, wanted, lambda report: read_index(report, n_patches - 1, NOWHERE))


def picture_paint(
    figure: PictureMap, *, key: str, painted: frozenset[int] = frozenset()
) -> frozenset[int]:
    """Draw a map on which the reader paints patches; return what `painted_patches` does.

    `figure.paint` says how they look; the figure's own mask of that name is not drawn here.
    """
    found = _painting(key, painted, figure.rows * figure.columns)
    _mount(key=key, data=picture_frame((figure,), mode="paint", seed=found.seed))
    return frozenset(found.value)


def painted_patches(key: str, present: frozenset[int], n_patches: int) -> frozenset[int]:
    """Which of so many patches are painted now, before the map is drawn or after.

    `present` seeds the browser's set, and may be what an earlier call returned.
    """
    return frozenset(_painting(key, present, n_patches).value)


def _painting(key: str, present: frozenset[int], n_patches: int) -> Selection[tuple[int, ...]]:
    wanted = tuple(sorted(present))
    return Selection(key, wanted, lambda report: read_painted(report, n_patches))


def picture_row(
    figures: Sequence[PictureMap],
    *,
    key: str,
    label: str,
    caption: str = "",
    clickable: bool = True,
    lit: int | None = None,
) -> int | None:
    """Small multiples, titles above; return the one clicked, as `selection.clicked_index` does.

    All have one picture's shape and one grid. `lit` marks one of them.
    """
    found = clicked_index(key, len(figures))
    frame = picture_frame(
        figures,
        mode="pick" if clickable else "show",
        label=label,
        caption=caption,
        lit=lit,
        clicks=clicks(key, tuple(figure.label for figure in figures)) if clickable else 0,
    )
    _mount(key=key, data=frame)
    return found


def picture_frame(
    figures: Sequence[PictureMap],
    *,
    mode: str = "show",
    seed: Seed[int] | Seed[tuple[int, ...]] | None = None,
    label: str = "",
    caption: str = "",
    lit: int | None = None,
    clicks: int = 0,
) -> bytes:
    """The byte frame that picture_map/view.js draws; also for the standalone page.

    Equal pictures travel once.
    """
    pictures: dict[int, int] = {}
    arrays: dict[str, np.ndarray] = {}
    described: list[dict[str, object]] = []
    for index, figure in enumerate(figures):
        one = {name: getattr(figure, name) for name in DESCRIPTION}
        if id(figure.picture) not in pictures:
            pictures[id(figure.picture)] = len(pictures)
            arrays[f"picture{len(pictures) - 1}"] = figure.picture
        one["picture"] = pictures[id(figure.picture)]
        one["limit"] = limit_of(figure)
        if figure.values is not None:
            arrays[f"values{index}"] = figure.values
        for name in MARKS:
            mask = getattr(figure, name)
            if mask is not None:
                arrays[f"{name}{index}"] = mask.astype(np.uint8)
        described.append(one)
    header = {
        "figures": described,
        "mode": mode,
        "selection": (seed or Seed(NOWHERE)).header,
        "lit": NOWHERE if lit is None else lit,
        "clicks": clicks,
        "label": label or figures[0].label,
        "caption": caption or figures[0].caption,
    }
    return pack(header, arrays, level=1)


def limit_of(figure: PictureMap) -> float:
    """The top of the colour scale."""
    if figure.limit is not None:
        return figure.limit or 1.0
    finite = figure.values[np.isfinite(figure.values)] if figure.values is not None else np.zeros(0)
    return float(np.abs(finite).max(initial=0.0)) or 1.0


def read_painted(report: object, n_patches: int) -> tuple[int, ...] | None:
    """The patches that a browser says are hidden, sorted, or None if they can't be."""
    indices = items_of(report)
    if not isinstance(report, list) or len(indices) > n_patches:
        return None
    if not all(type(index) is int and 0 <= index < n_patches for index in indices):
        return None
    return tuple(sorted(set(indices)))
