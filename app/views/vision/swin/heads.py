"""The patch's window before and after the shift, side by side; and every head of one block."""

import numpy as np
import streamlit as st

from app.components.mount import picked_before
from app.components.picture_map import PictureMap, picture_map, picture_row
from app.views.vision import state
from app.views.vision.swin import looks, params
from app.views.vision.swin.geometry import Geometry, kind_of
from app.views.vision.swin.looks import Sight, Traced

HEADS = f"{state.PAGE}.swin-heads"
STAGES = f"{state.PAGE}.swin-stages"
BIG, SMALL, TINY = 400, 132, 104  # px


def map_key(block: int) -> str:
    """The component of a block's map; the block is read back from it."""
    return f"{state.PAGE}.swin-map.{block}"


def render(traced: Traced) -> int:
    """Block slider, both windows, the stages; below, the heads. Returns the block."""
    geometry = traced.geometry
    block = choose_block(geometry)
    n_heads = traced.layer(block).n_heads
    head = _choose_head(n_heads)
    pair = geometry.pair_of(block)
    columns = st.columns([5, 5, 4], gap="medium")
    for column, shown in zip(columns, pair, strict=False):
        with column:
            _window_map(geometry, shown, traced.picture, traced.caption, lit=shown == block)(
                looks.chosen_row(looks.weights_of(traced, shown), head), _head_name(head)
            )
    with columns[-1]:
        _side(geometry, pair, traced.picture)
    _all_heads(traced, block, head)
    return block


def windows_only(geometry: Geometry, block: int, picture: np.ndarray) -> None:
    """The same without a model's weights."""
    pair = geometry.pair_of(block)
    columns = st.columns([5, 5, 4], gap="medium")
    for column, shown in zip(columns, pair, strict=False):
        with column:
            _window_map(geometry, shown, picture, "geometry of swin-mini", lit=shown == block)(
                None, ""
            )
    with columns[-1]:
        _side(geometry, pair, picture)


def choose_block(geometry: Geometry) -> int:
    """A slider over all blocks; a click on a stage or a reach has set it before."""
    last = len(geometry.blocks) - 1
    if (stage := picked_before(STAGES, len(geometry.stages))) is not None:
        state.put(params.BLOCK, geometry.stages[stage])
    state.put(params.BLOCK, min(state.get(params.BLOCK), last))
    if not last:
        return 0
    return st.select_slider(
        "Block",
        range(last + 1),
        format_func=geometry.name,
        key=state.key(params.BLOCK),
        help="W-MSA attends within plain windows, SW-MSA within shifted ones. Between stages, "
        "2 × 2 patches merge into one.",
    )


def _choose_head(n_heads: int) -> int:
    if (picked := picked_before(HEADS, n_heads + 1)) is not None:
        state.put(params.HEAD, picked - 1)
    state.put(params.HEAD, min(state.get(params.HEAD), n_heads - 1))
    return state.get(params.HEAD)


def _head_name(head: int) -> str:
    return "mean of heads" if head == params.MEAN else f"head {head}"


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
            width=BIG,
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
        f"{kind_of(cut)}: patch in row {row + 1}, column {column + 1} stands in window "
        f"{sight.window + 1} of {cut.n_windows} and sees {seen} patches."
    )
    if masked:
        place += (
            f" {masked} more were rolled into its window from the opposite edge: masked, "
            "hatched grey."
        )
    if cut.n_windows == 1:
        place += " The whole grid is one window, so there is nothing to shift."
    return place


def _side(geometry: Geometry, pair: tuple[int, ...], picture: np.ndarray) -> None:
    """The patch on every stage's grid."""
    st.markdown("**Stages:** 2 × 2 patches become one")
    figures = []
    for start in geometry.stages:
        cut = geometry.blocks[start]
        mark = np.zeros(cut.n_patches, dtype=bool)
        mark[geometry.patch_in(start)] = True
        figures.append(
            PictureMap(
                picture=picture,
                rows=cut.rows,
                columns=cut.columns,
                label=f"The patch on the grid of {cut.rows} by {cut.columns}",
                outlined=mark.reshape(cut.rows, cut.columns),
                width=SMALL,
                title=f"{cut.rows} × {cut.columns}",
            )
        )
    picture_row(
        figures, key=STAGES, label="The patch in every stage", lit=geometry.stage_of(pair[0])
    )
    st.caption(
        "What the chosen patch stands for in each stage. Click one to go there."
        + (" This stage has no shifted block beside it." if len(pair) == 1 else "")
    )


def _all_heads(traced: Traced, block: int, head: int) -> None:
    """Every head's look at one scale; a click chooses one for the maps above."""
    sight = looks.sight_of(traced.geometry, block)
    rows = looks.weights_of(traced, block)
    limit = float(rows.max())
    named = [(params.MEAN, rows.mean(axis=0)), *enumerate(rows)]
    figures = [
        PictureMap(
            picture=traced.picture,
            rows=sight.cut.rows,
            columns=sight.cut.columns,
            label=f"{_head_name(index)}, {traced.geometry.name(block)}",
            values=looks.on_grid(row, sight),
            hidden=sight.masked,
            outlined=sight.members,
            notes=looks.notes_of(row, sight),
            limit=limit,
            width=SMALL,
            title="mean" if index == params.MEAN else f"head {index}",
            grid=False,
        )
        for index, row in named
    ]
    st.markdown(f"**Every head of block {block}**, one scale: 0 to {limit:.3g}")
    picture_row(
        figures,
        key=HEADS,
        label=f"Every head of block {block}",
        caption=f"{traced.caption} · {traced.geometry.name(block)} · all heads, one scale",
        lit=head + 1,
    )
