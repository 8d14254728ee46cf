"""The patch's window before and after the shift, side by side on the picture."""

import numpy as np
import streamlit as st

from app.components.picture_map import PictureMap, picture_map
from app.components.selection import clicked_index
from app.ui.controls import controls
from app.ui.options import one_of
from app.views.vision.swin import looks, params, side
from app.views.vision.swin.geometry import Geometry, kind_of, window_name
from app.views.vision.swin.looks import Sight, Traced
from core.explain.attention.head_means import one_or_mean

WIDE = 410  # px
COLUMNS = (11, 11, 8)


def map_key(block: int) -> str:
    """The component of a block's map; the block is read back from it."""
    return params.HERE.key(f"map.{block}")


def render(traced: Traced) -> int:
    """Block slider, both windows; beside them stages and heads. Returns the block."""
    geometry = traced.geometry
    block = choose_block(geometry)
    n_heads = traced.layer(block).n_heads
    head = _choose_head(n_heads)
    pair = geometry.pair_of(block)
    columns = st.columns(COLUMNS, gap="medium")
    for column, shown in zip(columns, pair, strict=False):
        with column:
            _window_map(geometry, shown, traced.picture, traced.caption, lit=shown == block)(
                one_or_mean(looks.weights_of(traced, shown), head), side.head_name(head)
            )
    with columns[-1]:
        side.stages(geometry, block, traced.picture)
        side.heads(traced, block, head)
    return block


def windows_only(geometry: Geometry, block: int, picture: np.ndarray) -> None:
    """The same without a model's weights."""
    pair = geometry.pair_of(block)
    columns = st.columns(COLUMNS, gap="medium")
    for column, shown in zip(columns, pair, strict=False):
        with column:
            _window_map(geometry, shown, picture, "geometry of swin-mini", lit=shown == block)(
                None, ""
            )
    with columns[-1]:
        side.stages(geometry, block, picture)


def choose_block(geometry: Geometry) -> int:
    """A slider over all blocks; a click on a stage or a reach has set it before."""
    last = len(geometry.blocks) - 1
    if (stage := clicked_index(side.STAGES, len(geometry.stages))) is not None:
        params.BLOCK.put(geometry.stages[stage])
    params.BLOCK.kept_below(last + 1)
    if not last:
        return 0
    with controls():
        return one_of(
            params.BLOCK,
            st.select_slider,
            "Block",
            range(last + 1),
            geometry.name,
            help="W-MSA attends within plain windows, SW-MSA within shifted ones. Between stages, "
            "2 × 2 patches merge into one.",
        )


def _choose_head(n_heads: int) -> int:
    if (picked := clicked_index(side.HEADS, n_heads + 1)) is not None:
        params.HEAD.put(picked - 1)
    return params.HEAD.kept_below(n_heads)


def _window_map(geometry: Geometry, block: int, picture: np.ndarray, caption: str, *, lit: bool):
    """Draws one block's map, given the patch's row."""
    sight = looks.sight_of(geometry, block)
    cut = sight.cut

    def draw(row: np.ndarray | None, head: str) -> None:
        figure = PictureMap(
            picture=picture,
            rows=cut.rows,
            columns=cut.columns,
            label=f"{geometry.name(block)}: the window of the chosen patch",
            caption=f"{caption} · {geometry.name(block)} · {head}".rstrip(" ·"),
            values=None if row is None else looks.on_grid(row, sight),
            hidden=sight.masked,
            outlined=sight.members,
            notes=() if row is None else looks.notes_of(row, sight),
            width=WIDE,
            title=f"{geometry.name(block)}{' · chosen' * lit}",
        )
        picture_map(figure, key=map_key(block), selected=sight.patch)
        st.caption(_words(sight))

    return draw


def _words(sight: Sight) -> str:
    cut = sight.cut
    row, column = divmod(sight.patch, cut.columns)
    seen, masked = int(sight.partners.sum()), int(sight.masked.sum())
    place = (
        f"{kind_of(cut)}: patch in row {row}, column {column} stands in "
        f"{window_name(cut, sight.window)} and sees {seen} patches."
    )
    if masked:
        place += (
            f" {masked} more were rolled into its window from the opposite edge: masked, "
            "hatched grey."
        )
    if cut.n_windows == 1:
        place += " The whole grid is one window, so there is nothing to shift."
    return place
