"""One head, or several overlaid: lines between tokens and a heatmap, linked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float32, Int

Kind = Literal["encoder", "decoder", "cross"]


@dataclass(frozen=True, slots=True, eq=False)
class HeadView:
    """What is drawn: exact weights, from which every printed number comes."""

    kind: Kind
    names: tuple[str, ...]  # one a map: "layer 3 · head 1", "mean of 12 heads"
    palette: tuple[int, ...]  # one a map: which colour of the heads' palette
    maps: Float32[np.ndarray, "map query key"]
    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    visible_keys: Int[np.ndarray, "query"]  # keys that the mask allows, for "× uniform"
    removed: Float32[np.ndarray, "map query"] | None = None  # mass that hidden tokens had
    caption: str = ""  # model, text, settings: written under exported figures


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
class Selection:
    """What the reader chose in the browser."""

    cell: tuple[int, int] | None = None  # (query, key)
    pinned: int | None = None  # a query (direction "from") or a key ("to")
    front: int = 0  # the map that the heatmap shows


def head_view(
    view: HeadView, *, display: Display, selected: Selection, key: str
) -> Selection:
    """Draw the maps; return the reader's selection, or `selected` if there is none.

    `selected` seeds the browser's selection and may be what the last call returned.
    """
    raise NotImplementedError
