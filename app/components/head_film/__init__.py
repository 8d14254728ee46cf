"""Maps through a training or through layers: play, pause, scrub; one large, and at all moments."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import numpy as np
from jaxtyping import Float32, UInt8

from app.components.frame import pack
from app.components.head_grid import HeadId, read_heads
from app.components.mount import register
from app.components.selection import Seed, Selection, items_of, read_index

DESCRIPTION: Final = (
    "heads", "moments", "lines", "rows", "columns", "row_title", "column_title", "row_ids",
    "column_ids", "label", "caption", "scale", "hue", "names", "unit",
)  # fmt: skip
_mount: Final = register("head_film")


@dataclass(frozen=True, slots=True, eq=False)
class HeadFilm:
    """All maps travel once, so the browser scrubs alone; every printed number is exact."""

    values: Float32[np.ndarray, "moment head row column"]  # heads layer by layer
    heads: tuple[int, ...]  # how many each layer has
    moments: tuple[str, ...]  # what each moment is: "step 567"
    lines: tuple[str, ...]  # what is said of each moment
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    label: str  # names the figure for screen readers
    caption: str  # model, text: written under exported figures
    row_title: str = "query"
    column_title: str = "key"
    row_ids: tuple[int, ...] = ()  # of rows that are tokens of a vocabulary, told on hover
    column_ids: tuple[int, ...] = ()
    scale: Literal["sqrt", "diverging"] = "sqrt"
    hue: str = "encoder"  # of the √ scale
    picture: UInt8[np.ndarray, "height width 3"] | None = None  # that the cells are patches of
    names: tuple[str, ...] = ()  # of the maps, where they are no heads of layers: one row of them
    unit: Literal["moment", "layer"] = "moment"  # what the player counts

    def __post_init__(self) -> None:
        if self.names and (len(self.names),) != self.heads:
            raise ValueError(f"{len(self.names)} names for maps in rows of {self.heads}")
        for labels, ids in ((self.rows, self.row_ids), (self.columns, self.column_ids)):
            if ids and len(ids) != len(labels):
                raise ValueError(f"{len(ids)} ids for {len(labels)} tokens")
        expected = (len(self.moments), sum(self.heads), len(self.rows), len(self.columns))
        if self.values.shape != expected or 0 in expected or len(self.lines) != expected[0]:
            raise ValueError(
                f"values are {self.values.shape} with {len(self.lines)} lines, but moments, heads "
                f"and labels ask for {expected}"
            )

    @property
    def nbytes(self) -> int:
        return self.values.nbytes


Standing = tuple[int, HeadId]  # the moment, and the head that is shown large


def standing(key: str, present: Standing, *, n_moments: int, heads: tuple[int, ...]) -> Standing:
    """Where the reader of a film stands now, before it is drawn or after.

    `present` seeds the browser, and may be what an earlier call returned.
    """
    return _selection(key, present, n_moments, heads).value


def head_film(figure: HeadFilm, at: Standing, *, key: str) -> Standing:
    """Draw it; return what `standing` does."""
    found = _selection(key, at, len(figure.moments), figure.heads)
    _mount(key=key, data=film_frame(figure, found.seed))
    return found.value


def _selection(
    key: str, present: Standing, n_moments: int, heads: tuple[int, ...]
) -> Selection[Standing]:
    return Selection(key, present, lambda report: read_standing(report, n_moments, heads))


# A rerun must not compress a film again. The key is every input: a film is immutable, and
# equal only to itself.
@lru_cache(maxsize=16)
def film_frame(figure: HeadFilm, seed: Seed[Standing]) -> bytes:
    """The byte frame that head_film/view.js draws; also for the standalone page.

    Each head's colours end at its largest |value| of all moments, so that one can see it grow.
    """
    header = {name: getattr(figure, name) for name in DESCRIPTION}
    limits = np.abs(figure.values).max(axis=(0, 2, 3))
    header["limits"] = [float(limit) or 1.0 for limit in limits]
    header["selection"] = seed.header
    arrays = {"values": figure.values}
    if figure.picture is not None:
        arrays["picture"] = figure.picture
    return pack(header, arrays, level=1)


def read_standing(report: object, n_moments: int, heads: tuple[int, ...]) -> Standing | None:
    """The moment and the head that a browser names, or None if there are none such."""
    match items_of(report):
        case [moment, head] if read_index(moment, n_moments - 1) is not None:
            read = read_heads([head], heads)
            return (moment, read[0]) if read else None
        case _:
            return None
