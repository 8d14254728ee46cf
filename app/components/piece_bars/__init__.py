"""Pieces above the letters of a word: a lattice, cuttings, or a search, one bar a piece."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from app.components.frame import pack
from app.components.mount import register

State = Literal["plain", "lit", "failed", "unknown"]
_mount: Final = register("piece_bars")


@dataclass(frozen=True, slots=True)
class Bar:
    """A piece from one place between letters to another."""

    start: int
    end: int
    label: str
    strength: float = 0.0  # how full its colour is, 0 to 1
    state: State = "plain"
    tip: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """Bars that do not overlap, with a name before and a note behind."""

    bars: tuple[Bar, ...]
    name: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """Rows under a title. Where `joined`, its lit bars are one path, drawn as such."""

    title: str
    rows: tuple[Row, ...]
    joined: bool = False


@dataclass(frozen=True, slots=True)
class PieceBars:
    """The whole figure. `marks` are written at the places between letters."""

    letters: tuple[str, ...]
    sections: tuple[Section, ...]
    label: str
    caption: str = ""
    marks: tuple[str, ...] = ()
    marks_title: str = ""


def piece_bars(figure: PieceBars, *, key: str) -> None:
    """Draw the figure."""
    _mount(key=key, data=piece_bars_frame(figure))


@lru_cache(maxsize=32)
def piece_bars_frame(figure: PieceBars) -> bytes:
    """The byte frame that piece_bars/view.js draws; also for the standalone page."""
    header = {
        "letters": figure.letters,
        "label": figure.label,
        "caption": figure.caption,
        "marks": figure.marks,
        "marks_title": figure.marks_title,
        "sections": [
            {
                "title": section.title,
                "joined": section.joined,
                "rows": [
                    {"name": row.name, "note": row.note, "bars": [_bar(bar) for bar in row.bars]}
                    for row in section.rows
                ],
            }
            for section in figure.sections
        ],
    }
    return pack(header, {})


def packed(bars: Sequence[Bar]) -> tuple[Row, ...]:
    """Bars in as few rows as hold them: the longest above, and no two on each other."""
    rows: list[list[Bar]] = []
    for bar in sorted(bars, key=lambda bar: (bar.start - bar.end, bar.start)):
        for row in rows:
            if all(bar.end <= other.start or bar.start >= other.end for other in row):
                row.append(bar)
                break
        else:
            rows.append([bar])
    return tuple(Row(tuple(sorted(row, key=lambda bar: bar.start))) for row in rows)


def _bar(bar: Bar) -> dict[str, object]:
    return {
        "start": bar.start,
        "end": bar.end,
        "label": bar.label,
        "strength": bar.strength,
        "state": bar.state,
        "tip": bar.tip,
    }
