"""One head, or several overlaid: lines between tokens and a heatmap, linked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from jaxtyping import Float32, Int64

from app.components.frame import pack
from app.components.mount import register
from app.components.selection import Seed, Selection
from core.trace import AttentionKind

_mount: Final = register("head_view")


@dataclass(frozen=True, slots=True, eq=False)
class HeadView:
    """What is drawn: exact weights, from which every printed number comes."""

    kind: AttentionKind
    names: tuple[str, ...]  # one a map: "layer 3 · head 1", "mean of 12 heads"
    palette: tuple[int, ...]  # one a map: which colour of the heads' palette
    maps: Float32[np.ndarray, "map query key"]
    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    visible_keys: Int64[np.ndarray, " query"]  # drawn keys that the mask allows, for the rank
    uniform_keys: Int64[np.ndarray, " query"]  # for "× uniform": all that share what the row sums
    removed: Float32[np.ndarray, "map query"] | None = None  # mass that hidden tokens had
    caption: str = ""  # model, text, settings: written under exported figures
    query_ids: tuple[tuple[int, ...], ...] = ()  # of each label's tokens, in the vocabulary
    key_ids: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        expected = (len(self.names), len(self.query_tokens), len(self.key_tokens))
        if self.maps.shape != expected or len(self.palette) != len(self.names):
            raise ValueError(
                f"maps are {self.maps.shape} (map, query, key) with {len(self.palette)} colours, "
                f"but names and tokens ask for {expected}"
            )
        if 0 in expected:
            raise ValueError(f"a view needs at least one map, query and key, not {expected}")


@dataclass(frozen=True, slots=True)
class Display:
    """How it is drawn."""

    layout: Literal["both", "lines", "heatmap"] = "both"
    direction: Literal["from", "to"] = "from"  # a token's row (from) or column (to)
    scale: Literal["linear", "sqrt", "log"] = "linear"
    maximum: float | None = None  # top of the colour scale; None: each map's own maximum
    threshold: float = 0.0  # weights below it are not drawn as lines
    top_k: int | None = None  # lines a token; None: all above the threshold


@dataclass(frozen=True, slots=True)
class Choice:
    """What the reader chose in the browser."""

    cell: tuple[int, int] | None = None  # (query, key)
    pinned: int | None = None  # a query (direction "from") or a key ("to")
    front: int = 0  # the map that the heatmap shows


def head_view(view: HeadView, *, display: Display, selected: Choice, key: str) -> Choice:
    """Draw the maps; return the reader's selection, or `selected` if there is none.

    `selected` seeds the browser's selection and may be what the last call returned.
    """
    if not _possible(selected, view, display):
        raise ValueError(f"{selected} lies outside maps of {view.maps.shape} (map, query, key)")
    found = Selection(key, selected, lambda report: read_choice(report, view, display))
    _mount(key=key, data=head_view_frame(view, display, seed=found.seed))
    return found.value


def head_view_frame(view: HeadView, display: Display, *, seed: Seed[Choice] | None = None) -> bytes:
    """The byte frame that head_view/view.js draws; also for the standalone page."""
    seed = seed or Seed(Choice())
    header = {
        "kind": str(view.kind),
        "names": view.names,
        "palette": view.palette,
        "query_tokens": view.query_tokens,
        "key_tokens": view.key_tokens,
        "query_ids": view.query_ids,
        "key_ids": view.key_ids,
        "caption": view.caption,
        "display": display,
        "selection": seed.header | {"value": seed.value},
    }
    arrays = {
        "maps": view.maps,
        "visible": view.visible_keys.astype(np.int32),
        "uniform": view.uniform_keys.astype(np.int32),
    }
    if view.removed is not None:
        arrays["removed"] = view.removed
    return pack(header, arrays, level=1)  # float32 hardly compress: level 6 takes 4 times as long


def read_choice(report: object, view: HeadView, display: Display) -> Choice | None:
    """What a browser says is selected, or None if it can't be."""
    match report:
        case {
            "cell": ([int(), int()] | None) as cell,
            "pinned": (int() | None) as pinned,
            "front": int(front),
        }:
            choice = Choice(None if cell is None else (cell[0], cell[1]), pinned, front)
            return choice if _possible(choice, view, display) else None
        case _:
            return None


def _possible(choice: Choice, view: HeadView, display: Display) -> bool:
    n_maps, n_queries, n_keys = view.maps.shape
    query, key = choice.cell or (0, 0)
    pinned = choice.pinned or 0
    return (
        0 <= choice.front < n_maps
        and 0 <= query < n_queries
        and 0 <= key < n_keys
        and 0 <= pinned < (n_queries if display.direction == "from" else n_keys)
    )
