"""One text, and below it what each tokenizer makes of it: aligned to the byte, linked by hover."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from app.components.frame import pack
from app.components.mount import register
from app.components.selection import Seed, Selection
from core.tokenization.comparison import TextComparison
from core.tokenization.glyphs import Glyph

Place = tuple[int, int]  # a range of bytes, (first, one past the last)
_mount: Final = register("token_spans")


@dataclass(frozen=True, slots=True)
class SpanSettings:
    """How the figure is drawn; `notes` stands beside each tokenizer's name."""

    notes: tuple[str, ...]
    ids: bool = False
    bytes: bool = False
    caption: str = ""


def token_spans(
    comparison: TextComparison,
    glyphs: Sequence[Glyph],
    settings: SpanSettings,
    *,
    selected: Place | None,
    key: str,
) -> Place | None:
    """Draw the lanes; return the selected range of bytes, if any.

    `selected` seeds the browser's selection and may be what the last call returned.
    """
    size = len(comparison.text.encode())
    present = selected if selected and 0 <= selected[0] < selected[1] <= size else None
    wanted: tuple[int, ...] = present or ()
    found = Selection(key, wanted, lambda report: read_place(report, size))
    frame = token_spans_frame(comparison, tuple(glyphs), settings, seed=found.seed)
    _mount(key=key, data=frame)
    return (found.value[0], found.value[1]) if found.value else None


@lru_cache(maxsize=16)
def token_spans_frame(
    comparison: TextComparison,
    glyphs: tuple[Glyph, ...],
    settings: SpanSettings,
    *,
    seed: Seed[tuple[int, ...]] | None = None,
) -> bytes:
    """The byte frame that token_spans/view.js draws; also for the standalone page."""
    lanes = [_lane(comparison, row, settings.notes[row]) for row in range(len(comparison.rows))]
    header = {
        "caption": settings.caption,
        "show_ids": settings.ids,
        "show_bytes": settings.bytes,
        "glyphs": [
            {
                "text": glyph.text,
                "shown": shown_glyph(glyph),
                "points": list(glyph.code_points[:12]),
                "names": list(glyph.names[:12]),
                "aliases": "".join(glyph.aliases),
                "visible": glyph.visible,
                "newline": glyph.text in ("\n", "\r\n", "\r"),
            }
            for glyph in glyphs
        ],
        "lanes": [lane for lane, _ in lanes],
        "cuts": [{"byte": cut.byte, "by": cut.made_by} for cut in comparison.cuts if cut.disputed],
        "selection": (seed or Seed(())).header,
    }
    arrays = {
        "glyph_bytes": np.array([glyph.byte_start for glyph in glyphs], dtype=np.int32),
        "data": np.frombuffer(comparison.text.encode() or b"\0", dtype=np.uint8),
    }
    for number, (_, places) in enumerate(lanes):
        arrays[f"lane{number}"] = places
    return pack(header, arrays)


def _lane(
    comparison: TextComparison, row: int, note: str
) -> tuple[Mapping[str, object], np.ndarray]:
    """A tokenizer's tokens, and where each is drawn: (token, [first, last]) in bytes."""
    tokenized = comparison.rows[row]
    spans = tokenized.spans
    lane = {
        "name": tokenized.tokenizer,
        "note": note,
        "tokens": [span.token for span in spans],
        "ids": [span.id for span in spans],
        "unknown": [number for number, span in enumerate(spans) if span.unknown],
        "places": [(span.start, span.end, span.byte_start, span.byte_end) for span in spans],
    }
    return lane, drawn_places([(span.byte_start, span.byte_end) for span in spans])


def drawn_places(places: Sequence[Place]) -> np.ndarray:
    """Tokens that claim the same bytes share their room: (token, [first, last]), in bytes."""
    drawn = np.array(places, dtype=np.float32).reshape(len(places), 2)
    first = 0
    while first < len(places):
        last = first + 1
        while last < len(places) and places[last] == places[first]:
            last += 1
        start, end = places[first]
        if last - first > 1 and end > start:
            edges = np.linspace(start, end, last - first + 1, dtype=np.float32)
            drawn[first:last, 0], drawn[first:last, 1] = edges[:-1], edges[1:]
        first = last
    return drawn


def shown_glyph(glyph: Glyph) -> str:
    """The glyph as it is drawn: marks alone get a circle to sit on."""
    if glyph.visible and unicodedata.category(glyph.text[0]).startswith("M"):
        return "\u25cc" + glyph.text
    return glyph.text


def read_place(report: object, size: int) -> tuple[int, ...] | None:
    """The range of bytes that a browser says is selected, () for none, None for nonsense."""
    match report:
        case []:
            return ()
        case [int(first), int(last)] if 0 <= first < last <= size:
            return (first, last)
        case _:
            return None
