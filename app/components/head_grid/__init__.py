"""All heads of a model at a glance: one canvas, layers × heads thumbnails."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from app.components.frame import pack
from app.components.mount import Seeded, nothing, register
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
    height: float | None = None,
) -> tuple[HeadId, ...]:
    """Draw every head's map; return the selected heads, in the order of choosing.

    `selected` seeds the browser's selection and may be what the last call
    returned. `label` names the figure for screen readers; `kind` gives the hue.
    Every thumbnail has its own scale unless `shared`. `caption` (model, text,
    settings) is written under exported figures. `notes`, a line a head by layers, say
    what a hover tells instead of the strongest pair. `height`: px at most.
    """
    heads = tuple(len(maxima) for maxima in overview.maxima)
    if read_heads([list(head) for head in selected], heads) is None:
        raise ValueError(f"selected {selected} is not among the heads of each layer, {heads}")
    selection = Seeded(key, "selected", selected, lambda report: read_heads(report, heads))
    settings = GridSettings(label, kind, shared, caption, notes, height)
    frame = head_grid_frame(overview, settings, selected=selection.seed, serial=selection.serial)
    _mount(key=key, data=frame, on_selected_change=nothing)
    return selection.choice


@dataclass(frozen=True, slots=True)
class GridSettings:
    """What the figure says and how it is coloured."""

    label: str
    kind: AttentionKind = AttentionKind.ENCODER
    shared: bool = False
    caption: str = ""
    notes: tuple[tuple[str, ...], ...] = ()
    height: float | None = None


# A rerun must not compress megabytes again. The key is every input: an overview is
# immutable, and equal only to itself.
@lru_cache(maxsize=16)
def head_grid_frame(
    overview: HeadOverview,
    settings: GridSettings,
    *,
    selected: tuple[HeadId, ...],
    serial: int = 1,
) -> bytes:
    """The byte frame that head_grid/view.js draws; also for the standalone page."""
    header = {
        "kind": str(settings.kind),
        "label": settings.label,
        "shared": settings.shared,
        "caption": settings.caption,
        "notes": settings.notes,
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
        "seed": {"serial": serial, "heads": selected},
    }
    arrays = {"codes": np.concatenate(overview.codes), "maxima": np.concatenate(overview.maxima)}
    return pack(header, arrays, level=4)  # level 6 saves 4 % and takes 3 times as long


def _pair(pair: StrongestPair | None) -> tuple[int, int, float] | None:
    return None if pair is None else (pair.query, pair.key, pair.weight)


def read_heads(report: object, heads: tuple[int, ...]) -> tuple[HeadId, ...] | None:
    """The heads that a browser says are selected, or None if they can't be."""
    if not isinstance(report, list) or not 0 < len(report) <= sum(heads):
        return None
    read: list[HeadId] = []
    for entry in report:
        match entry:
            case [int(layer), int(head)] if 0 <= layer < len(heads) and 0 <= head < heads[layer]:
                read.append((layer, head))
            case _:
                return None
    return tuple(dict.fromkeys(read))
