"""One model's side of the view: all heads at a glance, and the chosen one on the picture."""

from dataclasses import dataclass

import numpy as np

from app import links, looking
from app.components.head_grid import head_grid
from app.components.picture_map import PictureMap, picture_map
from app.looking import Looks, Traced
from app.views.vision import state
from app.views.vision.attention import clicks, params, words
from core.explain.patch_reading import Look, read_patches, top_mass
from core.trace import PatchGrid

WIDTH = 410.0  # px of the picture, at most
WIDTH_OF_TWO = 380.0
GRID_HEIGHT = 480.0


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """A model on the reader's picture, the token that looks, and the parameters of its head."""

    name: str  # "" or "2": tells the two sides' keys apart
    traced: Traced
    token: int | None
    layer: links.Param
    head: links.Param

    @property
    def looks(self) -> Looks:
        return looking.looks(self.traced, self.token, state.get(params.DIRECTION))

    @property
    def index(self) -> int:
        """The layer that is shown."""
        return params.layer_of(self.traced.trace.n_layers(), self.layer)

    @property
    def shown(self) -> Look:
        """The chosen head, or the layer's heads as one: a look of one head."""
        look, how = self.looks.layers[self.index], params.fusion()
        if how is not None:
            return look.fused(how)
        index = params.head_of(len(look.patches), self.head)
        return Look(look.patches[index : index + 1], look.prefix[index : index + 1], look.uniform)

    @property
    def which(self) -> str:
        """ "layer 7, head 3" or "layer 7, mean of 8 heads"."""
        count = self.traced.trace.n_heads(layer=self.index)
        how = params.fusion()
        if how is None:
            return f"layer {self.index}, head {params.head_of(count, self.head)}"
        return f"layer {self.index}, {how} of {count} heads"

    @property
    def caption(self) -> str:
        picture, who = state.get(state.PICTURE), words.token_name(self.traced, self.token)
        way = "where {} looks" if state.get(params.DIRECTION) == "from" else "who looks at {}"
        return f"{self.traced.card.title}, {self.which}: {way.format(who)} · {picture}"


def draw_overview(side: Side) -> None:
    """Every head of every layer, as small pictures."""
    looks = side.looks
    heads = clicks.heads_of(side.traced, side.layer, side.head)
    head_grid(
        looks.overview,
        selected=heads,
        label=f"{side.traced.card.title}: every head, layers by heads",
        key=clicks.grid_key(side.name),
        shared=state.get(params.SHARED),
        caption=f"{side.traced.card.title}, {words.token_name(side.traced, side.token)}",
        notes=tuple(words.head_notes(look) for look in looks.layers),
        height=GRID_HEIGHT,
    )


def draw_picture(side: Side, *, two: bool) -> PictureMap:
    """The chosen map on the picture, and its sums in words."""
    figure = figure_of(side, WIDTH_OF_TWO if two else WIDTH)
    place = clicks.patch_of(side.traced, side.token)
    picture_map(
        figure,
        key=clicks.picture_key(side.name),
        selected=None if place == clicks.NOWHERE else place,
        clickable=side.name == "",
    )
    words.sums(side.traced, side.shown)
    return figure


def figure_of(side: Side, width: float = WIDTH) -> PictureMap:
    """The shown weights over the picture.

    A layer with fewer, larger patches is drawn on the picture's own grid, so that a click means
    the same in every layer.
    """
    look, grid = side.shown, side.traced.grid
    weights = np.ascontiguousarray(look.patches[0])
    keep: int = state.get(params.KEEP)
    dark = ~top_mass(weights, keep / 100) if keep < 100 else None
    notes = np.array([words.reading(read) for read in read_patches(weights, look.uniform)])
    return PictureMap(
        picture=side.traced.seen.picture,
        rows=grid.rows,
        columns=grid.columns,
        label=side.caption,
        caption=side.caption,
        values=_spread(weights, grid),
        limit=looking.largest(side.looks.layers) if state.get(params.SHARED) else None,
        dark=None if dark is None else _spread(dark, grid),
        notes=tuple(_spread(notes.reshape(weights.shape), grid).reshape(-1).tolist()),
        width=width,
        title=f"{side.traced.card.title} · {side.which}",
    )


def _spread(values: np.ndarray, grid: PatchGrid) -> np.ndarray:
    """Each of the picture's patches gets what its layer's patch has."""
    down = np.arange(grid.rows) * values.shape[0] // grid.rows
    across = np.arange(grid.columns) * values.shape[1] // grid.columns
    return np.ascontiguousarray(values[down][:, across])
