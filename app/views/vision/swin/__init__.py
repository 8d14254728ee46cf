"""Swin: attention within windows that shift from block to block, on grids that merge."""

from typing import Any

import numpy as np
import streamlit as st
from PIL import Image, ImageOps

from app.services import swin, vision
from app.ui import progress
from app.ui.export_bar import Export
from app.views.vision import inputs, state
from app.views.vision.swin import bias, exports, heads, looks, models, params, reaching, shift
from app.views.vision.swin.geometry import MINI, Geometry, followed
from app.views.vision.swin.words import about
from core.catalog import Family

LEAD = (
    "Attention stays within windows of a few patches; every second block shifts them, so that "
    "neighbours across a border meet. Click any patch to see its window, before and after."
)
PARAMS = params.PARAMS
SIDE = 224  # pixels of the crop that is shown where no model cuts one


def render() -> Export | None:
    """Input, the patch's two windows, its heads, its reach, the shift, the bias."""
    known = swin.swins()
    asked = state.get(params.MODEL) in {card.id for card in known}
    if not asked and not any(map(models.is_here, known)):
        return _geometry_alone()
    chosen = inputs.choose(families=(Family.VISION,), param=params.MODEL, offered=swin.is_swin)
    if chosen is None:
        return None
    request, future = vision.trace(chosen.card.id, chosen.picture)
    trace = progress.outcome(future, chosen.card.id)
    if trace is None:
        st.caption("Choose another model above.")
        return None
    blocks = [layer.windows.partition for layer in trace.layers[trace.kinds[0]] if layer.windows]
    geometry = _follow(blocks)
    caption = f"{chosen.card.title} · {chosen.picture.name}"
    traced = looks.Traced(chosen.card, request, trace, chosen.seen.picture, geometry, caption)
    block = heads.render(traced)
    found = reaching.render(geometry, chosen.seen.picture, caption, traced)
    shift.render(geometry, block, chosen.seen.picture, caption)
    table = bias.render(traced, block)
    about(geometry.blocks[block])
    return exports.export(traced, block, found, table)


def _geometry_alone() -> None:
    """Windows, shift and reach need no model."""
    picture = inputs.choose_picture()
    models.tell_how()
    crop = np.asarray(ImageOps.fit(picture.convert("RGB"), (SIDE, SIDE), Image.Resampling.BICUBIC))
    geometry = _follow(MINI)
    block = heads.choose_block(geometry)
    heads.windows_only(geometry, block, crop)
    reaching.render(geometry, crop, picture.name)
    shift.render(geometry, block, crop, picture.name)
    about(geometry.blocks[block])


def _follow(blocks: Any) -> Geometry:
    """The patch of the link, or of the map that was clicked just now."""
    geometry = followed(blocks, state.get(params.PATCH))
    clicked = params.newest_report([heads.map_key(i) for i in range(len(geometry.blocks))])
    if clicked is not None:
        block = int(clicked[0].rpartition(".")[2])
        if clicked[1] < geometry.blocks[block].n_patches:
            patch = geometry.patch_from(block, clicked[1])
            state.put(params.PATCH, patch)
            geometry = followed(blocks, patch)
    return geometry
