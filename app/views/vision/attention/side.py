"""One model's side of the view: all heads at a glance, and the chosen one on the picture."""

from dataclasses import dataclass

import numpy as np

from app.components.head_grid import HeadId, head_grid
from app.components.picture_map import PictureMap, picture_map
from app.services import vision_attention
from app.services.vision_attention import Looks, Traced
from app.ui.params import Number
from app.views.vision.attention import clicks, params, words
from app.views.vision.attention.params import token_name
from app.views.vision.state import NAMES
from core.explain.attention.patch_attention import (
    Direction,
    Fusion,
    Look,
    read_patches,
    resample,
    top_mass,
)
from core.trace import AttentionKind

WIDTH = 410.0  # px of the picture, at most
WIDTH_OF_TWO = 380.0
GRID_HEIGHT = 480.0


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """A model on the reader's picture: the token that looks, and which head is shown.

    It knows its settings as values: downloads are made later, in a thread without a session.
    """

    name: str  # "" or "2": tells the two sides' keys apart
    traced: Traced
    token: int | None
    heads: tuple[HeadId, ...]  # all of one layer, or one
    direction: Direction
    fusion: Fusion | None  # None: one head

    @property
    def looks(self) -> Looks:
        return vision_attention.looks(self.traced, self.token, self.direction)

    @property
    def layer(self) -> int:
        return self.heads[0][0]

    @property
    def shown(self) -> Look:
        """The chosen head, or the layer's heads as one: a look of one head."""
        look = self.looks.layers[self.layer]
        if self.fusion is not None:
            return look.fused(self.fusion)
        head = slice(self.heads[0][1], self.heads[0][1] + 1)
        return Look(look.patches[head], look.prefix[head], look.uniform)

    @property
    def which(self) -> str:
        """ "layer 7, head 3" or "layer 7, mean of 8 heads"."""
        if self.fusion is None:
            return f"layer {self.layer}, head {self.heads[0][1]}"
        return f"layer {self.layer}, {self.fusion} of {len(self.heads)} heads"

    @property
    def caption(self) -> str:
        way = "where {} looks" if self.direction == "from" else "who looks at {}"
        who = way.format(token_name(self.traced, self.token))
        return f"{self.traced.card.title}, {self.which}: {who} · {self.traced.picture.name}"


def side_of(
    name: str, traced: Traced, token: int | None, layer: Number[int], head: Number[int]
) -> Side:
    """The side as the page is set now."""
    return Side(
        name,
        traced,
        token,
        clicks.heads_of(traced, layer, head),
        params.DIRECTION.value,
        params.fusion(),
    )


def draw_overview(side: Side) -> None:
    """Every head of every layer, as small pictures."""
    looks = side.looks
    head_grid(
        looks.overview,
        selected=side.heads,
        label=f"{side.traced.card.title}: every head, layers by heads",
        key=clicks.grid_key(side.name),
        shared=params.SHARED_SCALE.value,
        caption=f"{side.traced.card.title}, {token_name(side.traced, side.token)}",
        notes=tuple(words.head_notes(look, side.direction) for look in looks.layers),
        names=NAMES.names(side.traced.card.id, AttentionKind.ENCODER),
        height=GRID_HEIGHT,
    )


def draw_picture(side: Side, *, two: bool) -> PictureMap:
    """The chosen map on the picture, and its sums in words."""
    figure = figure_of(side, WIDTH_OF_TWO if two else WIDTH)
    place = clicks.patch_of(side.traced, side.token)
    picture_map(
        figure,
        key=clicks.picture_key(side.name),
        selected=place,
        clickable=side.name == "",
    )
    words.sums(side.traced, side.shown, side.direction, side.fusion)
    return figure


def figure_of(side: Side, width: float = WIDTH) -> PictureMap:
    """The shown weights over the picture.

    A layer with fewer, larger patches is drawn on the picture's own grid, so that a click means
    the same in every layer.
    """
    look, grid = side.shown, side.traced.grid
    weights = np.ascontiguousarray(look.patches[0])
    keep = params.KEEP.value
    dark = ~top_mass(weights, keep / 100) if keep < 100 else None
    notes = np.array([words.reading(read) for read in read_patches(weights, look.uniform)])
    return PictureMap(
        picture=side.traced.seen.picture,
        rows=grid.rows,
        columns=grid.columns,
        label=side.caption,
        caption=side.caption,
        values=resample(weights, grid),
        uniform=look.even,
        limit=vision_attention.largest(side.looks.layers) if params.SHARED_SCALE.value else None,
        dark=None if dark is None else resample(dark, grid),
        notes=tuple(resample(notes.reshape(weights.shape), grid).reshape(-1).tolist()),
        width=width,
        title=f"{side.traced.card.title} · {side.which}",
    )
