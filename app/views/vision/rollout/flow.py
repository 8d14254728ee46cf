"""Attention flow beside rollout, on patches pooled to a grid that a network solver can take."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.picture_map import PictureMap, picture_row
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.views.vision.inputs import Chosen
from app.views.vision.rollout.controls import HERE
from app.views.vision.rollout.film import Shown
from app.views.vision.rollout.maps import Stack
from core.errors import InputError
from core.explain.attribution.rank_correlation import rank_correlation
from core.explain.flow.attention_flow import flow_row
from core.explain.flow.patch_pooling import block_side, pool_row, spread_blocks
from core.explain.flow.rollout import row_of_maps
from core.trace import PatchGrid

LARGEST_SIDE: Final = 7  # pooled patches


def render(chosen: Chosen, stack: Stack, shown: Shown) -> None:
    """Both rows on the pooled grid, with the same residual weight."""
    st.subheader("Attention flow: the narrowest edge counts")
    try:
        rollout, flow, grid = stack.derived("rollout-flow", lambda: _both(stack))
    except InputError as error:  # too many prefix tokens
        st.caption(plain(str(error)))
        return
    block = block_side(stack.grid, grid)
    figures = tuple(
        _map(chosen, row, grid, stack.grid, name, shown)
        for name, row in (("Rollout", rollout), ("Flow", flow))
    )
    left, right = st.columns([6, 5], gap="large")
    with left:
        picture_row(
            figures,
            key=HERE.key("flow"),
            label="Rollout and flow on pooled patches",
            caption=f"{shown.caption} · patches pooled {block} × {block}",
            clickable=False,
        )
    with right:
        size = f"{stack.grid.rows} × {stack.grid.columns} patches"
        pooled = f"pooled {block} × {block} to {grid.rows} × {grid.columns}, because"
        st.caption(
            f"{size}, {pooled if block > 1 else 'as they are:'} a network is solved a patch."
        )
        for name, row in (("rollout", rollout), ("flow", flow)):
            on_prefix = float(row[: grid.prefix_tokens].sum())
            told = f", {three(on_prefix)} of it on prefix tokens" if grid.prefix_tokens else ""
            st.caption(
                f"**{name.capitalize()}** from {shown.origin}: the strongest pooled patch holds "
                f"{three(float(row[grid.prefix_tokens :].max()))} of the row{told}."
            )
        st.caption(
            f"Their order agrees with a rank correlation of {rank_correlation(rollout, flow):.2f}. "
            "Rollout adds up all paths, each the product of its edges; flow asks how much can run "
            "at once if no edge carries more than its weight."
        )


def _both(stack: Stack) -> tuple[np.ndarray, np.ndarray, PatchGrid]:
    """The row of rollout and of flow, and the pooled grid."""
    maps, grid = stack.pooled(LARGEST_SIDE)
    start, residual = pool_row(stack.start(), stack.grid, grid), stack.settings.residual
    rollout = row_of_maps(maps, start, residual=residual)
    return rollout, flow_row(maps, start, residual=residual), grid


def _map(
    chosen: Chosen, row: np.ndarray, grid: PatchGrid, fine: PatchGrid, name: str, shown: Shown
) -> PictureMap:
    """One value a block; where the blocks are of two sizes, one a patch."""
    factor = block_side(fine, grid)
    blocks = row[grid.prefix_tokens :].reshape(grid.rows, grid.columns)
    values = blocks
    if fine.rows % factor or fine.columns % factor:
        values = spread_blocks(blocks, fine)
    return PictureMap(
        picture=chosen.seen.picture,
        rows=values.shape[0],
        columns=values.shape[1],
        label=f"{name} from {shown.origin}, on pooled patches",
        values=values,
        uniform=1 / len(row),
        width=280,
        grid=values is blocks,
        title=f"{name}, strongest {three(float(blocks.max()))}",
    )
