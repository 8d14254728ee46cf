"""What the shift does, in one figure: cut; roll and cut; roll back (Liu et al. 2021, figure 4)."""

import numpy as np
import streamlit as st

from app.components.picture_map import PictureMap, picture_row
from app.views.vision.swin import params
from app.views.vision.swin.geometry import Geometry
from core.trace.windows import WindowPartition

KEY = params.HERE.key("shift")
WIDE = 330  # px


def render(geometry: Geometry, block: int, picture: np.ndarray, caption: str) -> None:
    """Three pictures; of a stage that doesn't shift, the first stage's instead."""
    shifting = [i for i, cut in enumerate(geometry.blocks) if any(cut.shift)]
    if not shifting:
        return
    pair = [i for i in geometry.pair_of(block) if i in shifting]
    shown = pair[0] if pair else shifting[0]
    cut, patch = geometry.blocks[shown], geometry.patch_in(shown)
    down, along = cut.shift
    st.subheader("What the shift does")
    plain = WindowPartition(cut.rows, cut.columns, cut.window)
    moved = cut.rolled(picture)
    wrapped = cut.members(patch) & ~cut.partners(patch)
    figures = (
        _figure(picture, cut, plain.chequered(), "1 · W-MSA: plain windows", plain, patch),
        _figure(
            moved,
            cut,
            plain.chequered(),
            f"2 · Rolled by {down} up and {along} left, cut alike",
            None,
            patch,
            bright=cut.rolled(cut.members(patch)),
            hidden=cut.rolled(wrapped),
        ),
        _figure(picture, cut, cut.chequered(), "3 · SW-MSA: rolled back", cut, patch),
    )
    picture_row(
        figures,
        key=KEY,
        label="What the shift does",
        caption=f"{caption} · windows {cut.window[0]} × {cut.window[1]}, shift {down}, {along}",
        clickable=False,
    )
    strangers = int(wrapped.sum())
    st.caption(
        f"Bright: the chosen patch's window, on the grid of {cut.rows} × {cut.columns}. Rolling "
        f"keeps the number of windows ({cut.n_windows}) and their size; shifting the borders alone "
        "would make more windows, smaller ones at the edges. The price: windows at the last row "
        "and column hold patches from opposite edges of the picture, which a mask keeps apart"
        + (
            f" (hatched: {strangers} of this window)."
            if strangers
            else ". This patch's window has none of them; click one near an edge above."
        )
    )


def _figure(
    picture: np.ndarray,
    cut: WindowPartition,
    borders: np.ndarray,
    title: str,
    seen_by: WindowPartition | None,
    patch: int,
    *,
    bright: np.ndarray | None = None,
    hidden: np.ndarray | None = None,
) -> PictureMap:
    lit = seen_by.partners(patch) if seen_by is not None else bright
    return PictureMap(
        picture=picture,
        rows=cut.rows,
        columns=cut.columns,
        label=title,
        dark=None if lit is None else ~lit,
        hidden=hidden,
        outlined=borders,
        width=WIDE,
        title=title,
        grid=False,
    )
