"""Swin: attention within windows that shift from block to block, on grids that merge."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st
from jaxtyping import UInt8
from PIL import Image, ImageOps

from app.components.picture_map import selected_patch
from app.services import models, vision
from app.ui import progress
from app.ui.answer import answer
from app.ui.export_bar import Export
from app.ui.input_line import input_line
from app.ui.page import Drawn, View
from app.ui.picture_input import pick_picture, picture_title
from app.views.vision.inputs import Chosen, choose, display
from app.views.vision.state import PICTURE
from app.views.vision.swin import bias, exports, heads, how_to, looks, params, reaching, shift
from app.views.vision.swin.geometry import MINI, Geometry, followed
from core.catalog import Family
from core.trace.windows import WindowPartition

SIDE: Final = 224  # pixels of the crop that is shown where no model cuts one


def render() -> Drawn:
    """Input, then what follows from it: from the picture alone, where no model is here."""
    known = models.swins()
    asked = params.MODEL.value in {card.id for card in known}
    if not asked and not any(map(how_to.is_here, known)):
        with input_line(picture_title(PICTURE)):
            picture = pick_picture(PICTURE)
        how_to.tell_how()
        crop = ImageOps.fit(picture.convert("RGB"), (SIDE, SIDE), Image.Resampling.BICUBIC)
        return partial(_geometry_alone, np.asarray(crop), picture.name)
    chosen = choose(
        families=(Family.VISION,), model=params.MODEL, offered=models.is_swin, whole=None
    )
    return None if chosen is None else partial(_figure, chosen)


def _figure(chosen: Chosen) -> Export | None:
    """The patch's two windows, its heads, its reach, the shift, the bias."""
    request, future = vision.trace(chosen.card.id, chosen.picture)
    trace = progress.outcome(future, chosen.card.id)
    if trace is None:
        st.caption("Choose another model above.")
        return None
    blocks = [layer.windows.partition for layer in trace.layers[trace.kinds[0]] if layer.windows]
    geometry = _follow(blocks)
    caption = f"{chosen.card.title} · {chosen.picture.name}"
    traced = looks.Traced(chosen.card, request, trace, chosen.seen.picture, geometry, caption)
    said = answer()
    block = heads.render(traced)
    said.markdown(reaching.answered(geometry, block))
    found = reaching.render(geometry, chosen.seen.picture, caption, traced)
    shift.render(geometry, block, chosen.seen.picture, caption)
    table = bias.render(traced, block)
    return exports.export(traced, block, found, table)


def _geometry_alone(crop: UInt8[np.ndarray, "height width 3"], name: str) -> Export:
    """Windows, shift and reach need no model."""
    geometry = _follow(MINI)
    block = heads.choose_block(geometry)
    answer(reaching.answered(geometry, block))
    heads.windows_only(geometry, block, crop)
    found = reaching.render(geometry, crop, name)
    shift.render(geometry, block, crop, name)
    return exports.of_geometry(geometry, block, found)


def _follow(blocks: Sequence[WindowPartition]) -> Geometry:
    """The patch of the link, or of the map that was clicked just now."""
    geometry = followed(blocks, params.PATCH.below(blocks[0].n_patches))
    for block, cut in enumerate(geometry.blocks):
        here = geometry.patch_in(block)
        patch = selected_patch(heads.map_key(block), here, cut.n_patches)
        if patch is not None and patch != here:
            geometry = followed(blocks, geometry.patch_from(block, patch))
            params.PATCH.put(geometry.patch)
    return geometry


VIEW: Final = View("swin", "Swin", params.PARAMS, render, display)
