"""Beside the maps: the patch in every stage, and its window as every head of a block sees it."""

import numpy as np
import streamlit as st

from app.components.picture_map import PictureMap, picture_row
from app.views.vision.swin import looks, params
from app.views.vision.swin.geometry import Geometry, window_name
from app.views.vision.swin.looks import Traced
from core.explain.attention.head_means import one_or_mean

HEADS = params.HERE.key("heads")
STAGES = params.HERE.key("stages")
SMALL = 82  # px: three in a row


def head_name(head: int) -> str:
    return "mean of heads" if head == params.MEAN else f"head {head}"


def stages(geometry: Geometry, block: int, picture: np.ndarray) -> None:
    """The patch on every stage's grid; a click goes there (`heads.choose_block`)."""
    st.markdown("**Stages:** 2 × 2 patches become one")
    figures: list[PictureMap] = []
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
    picture_row(figures, key=STAGES, label="The patch in every stage", lit=geometry.stage_of(block))


def heads(traced: Traced, block: int, head: int) -> None:
    """Every head's look within the window, at one scale; a click chooses one for the maps."""
    sight = looks.sight_of(traced.geometry, block)
    windows = traced.layer(block).windows
    if windows is None:
        return
    high, wide = sight.cut.window
    position = sight.cut.place_of(sight.patch)[1]
    rows = windows.weights[sight.window, :, position]
    limit = float(rows.max())
    allowed = sight.cut.allowed[sight.window, position].reshape(high, wide)
    mark = (np.arange(high * wide) == position).reshape(high, wide)
    crop = sight.cut.crop(traced.picture, sight.window)
    figures = [
        PictureMap(
            picture=crop,
            rows=high,
            columns=wide,
            label=f"{head_name(index)} within the window, {traced.geometry.name(block)}",
            values=np.where(allowed, row.reshape(high, wide), np.nan).astype(np.float32),
            hidden=~allowed,
            outlined=mark,
            limit=limit,
            width=SMALL,
            title="mean" if index == params.MEAN else f"head {index}",
        )
        for index, row in ((params.MEAN, one_or_mean(rows, params.MEAN)), *enumerate(rows))
    ]
    st.markdown(f"**Heads** of block {block}, 0 to {limit:.2g}")
    picture_row(
        figures,
        key=HEADS,
        label=f"Every head of block {block}",
        caption=f"{traced.caption} · {traced.geometry.name(block)} · within "
        f"{window_name(sight.cut, sight.window)}, one scale",
        lit=head + 1,
    )
