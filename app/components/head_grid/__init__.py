"""All heads of a model at a glance: one canvas, layers × heads thumbnails."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from app.components.frame import pack
from app.components.head_grid.names import HeadNames
from app.components.mount import register
from app.components.selection import Seed, Selection, items_of
from core.explain.attention.head_overview import TOP_CODE, HeadOverview, StrongestPair
from core.trace import AttentionKind

HeadId = tuple[int, int]  # (layer, head), counted from 0
_mount: Final = register("head_grid")


def head_grid(
    overview: HeadOverview,
    *,
    selected: tuple[HeadId, ...],
    label: str,
    key: str,
    kind: AttentionKind = AttentionKind.ENCODER,
    shared: bool = False,
    caption: str = "",
    notes: tuple[tuple[str, ...], ...] = (),
    names: HeadNames | None = None,
    height: float | None = None,
) -> tuple[HeadId, ...]:
    """Draw every head's map; return the selected heads, in the order of choosing.

    `selected` seeds the browser's selection, as `selected_heads` says. `label` names the figure
    for screen readers; `kind` gives the hue. Every thumbnail has its own scale unless `shared`.
    `caption` (model, text, settings) is written under exported figures. `notes`, a line a head by
    layers, say what a hover tells instead of the strongest pair. `names`: a tag on every head that
    has one. `height`: px at most.
    """
    heads = tuple(len(maxima) for maxima in overview.maxima)
    if read_heads([list(head) for head in selected], heads) is None:
        raise ValueError(f"selected {selected} is not among the heads of each layer, {heads}")
    found = _selection(key, selected, heads)
    settings = GridSettings(label, kind, shared, caption, notes, names, height)
    _mount(key=key, data=head_grid_frame(overview, settings, seed=found.seed))
    return found.value


def selected_heads(
    key: str, present: tuple[HeadId, ...], heads: tuple[int, ...]
) -> tuple[HeadId, ...]:
    """The heads that are selected now, of so many a layer, before the grid is drawn or after.

    `present` seeds the browser's selection, and may be what an earlier call returned.
    """
    return _selection(key, present, heads).value


def _selection(
    key: str, present: tuple[HeadId, ...], heads: tuple[int, ...]
) -> Selection[tuple[HeadId, ...]]:
    return Selection(key, present, lambda report: read_heads(report, heads))


@dataclass(frozen=True, slots=True)
class GridSettings:
    """What the figure says and how it is coloured."""

    label: str
    kind: AttentionKind = AttentionKind.ENCODER
    shared: bool = False
    caption: str = ""
    notes: tuple[tuple[str, ...], ...] = ()
    names: HeadNames | None = None
    height: float | None = None


# A rerun must not compress megabytes again. The key is every input: an overview is
# immutable, and equal only to itself.
@lru_cache(maxsize=16)
def head_grid_frame(
    overview: HeadOverview,
    settings: GridSettings,
    *,
    seed: Seed[tuple[HeadId, ...]],
) -> bytes:
    """The byte frame that head_grid/view.js draws; also for the standalone page."""
    header = {
        "kind": str(settings.kind),
        "label": settings.label,
        "shared": settings.shared,
        "caption": settings.caption,
        "notes": settings.notes,
        "names": settings.names,
        "height": settings.height,
        "query_tokens": overview.query_tokens,
        "key_tokens": overview.key_tokens,
        "heads": [len(maxima) for maxima in overview.maxima],
        "pool": overview.pool,
        "top_code": TOP_CODE,
        "strongest": [[_pair(pair) for pair in layer] for layer in overview.strongest],
        "special_mass": None
        if overview.special_mass is None
        else [mass.tolist() for mass in overview.special_mass],
        "selection": seed.header,
    }
    arrays = {"codes": np.concatenate(overview.codes), "maxima": np.concatenate(overview.maxima)}
    return pack(header, arrays, level=4)  # level 6 saves 4 % and takes 3 times as long


def _pair(pair: StrongestPair | None) -> tuple[int, int, float] | None:
    return None if pair is None else (pair.query, pair.key, pair.weight)


def read_heads(report: object, heads: tuple[int, ...]) -> tuple[HeadId, ...] | None:
    """The heads that a browser says are selected, or None if they can't be."""
    entries = items_of(report)
    if not 0 < len(entries) <= sum(heads):
        return None
    read: list[HeadId] = []
    for entry in entries:
        match entry:
            case [int(layer), int(head)] if 0 <= layer < len(heads) and 0 <= head < heads[layer]:
                read.append((layer, head))
            case _:
                return None
    return tuple(dict.fromkeys(read))
