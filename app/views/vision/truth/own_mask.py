"""Where the object is, as the reader says: patches painted on the picture, or a PNG of theirs."""

import hashlib
from typing import Final, cast

import numpy as np
import streamlit as st
from PIL import Image

from app.components.picture_map import PictureMap, painted_patches, picture_paint
from app.services import vision
from app.services.vision import Picture
from app.ui import progress
from app.ui.file_field import FileField
from app.views.vision import masks
from app.views.vision.inputs import Chosen
from app.views.vision.truth import params
from core.data.object_mask import WANTED, open_mask
from core.explain.attribution.localization import patch_cover
from core.outputs.autoencoder import mask_of

PAINT: Final = params.PLACE.key("paint")
GIVEN: Final = params.PLACE.key("given")  # a mask that was uploaded, with its picture's digest
FIELD: Final = FileField(params.PLACE.key("own"))
HALF: Final = 128  # of 255: resizing blurs the mask's edge
WIDTH: Final = 380.0  # px


def draw_mask(chosen: Chosen) -> np.ndarray | None:
    """The share of each patch that the object covers (row, column); None while there is none."""
    given = _given(chosen.picture)
    cover = _painted(chosen) if given is None else _uploaded(chosen, given)
    _upload(chosen.picture)
    return cover


def _painted(chosen: Chosen) -> np.ndarray | None:
    """Patches under the reader's brush."""
    grid = chosen.seen.grid
    before = frozenset(masks.within(masks.on_grid(params.OBJECT.value, grid), grid))
    painted = painted_patches(PAINT, before, grid.n_patches)
    params.OBJECT.put((grid.rows, grid.columns, tuple(sorted(painted))))
    figure = PictureMap(
        picture=chosen.seen.picture,
        rows=grid.rows,
        columns=grid.columns,
        label="The picture: drag over the object's patches to mark them, once more to unmark them",
        caption=f"{chosen.source}, {len(painted)} patches marked",
        width=WIDTH,
        title="Mark the object",
        paint="outlined",
    )
    picture_paint(figure, key=PAINT, painted=painted)
    if painted:
        st.button(
            "Start again",
            on_click=lambda: params.OBJECT.put(masks.NOTHING),
            type="tertiary",
            key=params.PLACE.key("clear"),
        )
        return mask_of(grid, tuple(painted)).astype(np.float32)
    st.caption("Drag over the object’s patches, or upload a mask of it.")
    return None


def _uploaded(chosen: Chosen, mask: Image.Image) -> np.ndarray | None:
    """A mask of pixels goes the picture's own way: resized and cropped alike."""
    picture = chosen.picture
    digest = hashlib.sha256(mask.tobytes() + repr(mask.size).encode()).hexdigest()
    as_picture = Picture("mask", f"mask {digest}", mask.convert("RGB"), whole=picture.whole)
    seen = progress.outcome(vision.seen(chosen.card.id, as_picture), chosen.card.id)
    if seen is None:
        return None
    grid = chosen.seen.grid
    marked = (seen.picture[..., 0] >= HALF).astype(np.float32)
    cover = patch_cover(marked, grid.rows, grid.columns)
    st.button("Back to painting", on_click=_forget, type="tertiary", key=params.PLACE.key("back"))
    if not cover.max() > 0:
        st.warning(
            "The model sees the centre of the picture alone, and the object lies outside. Turn on "
            "“Whole picture”, or crop picture and mask.",
            icon=":material/info:",
        )
        return None
    return cover


def _upload(picture: Picture) -> None:
    with st.popover("Upload a mask", icon=":material/upload:", width="content"):
        FIELD.ask(
            "PNG of the picture’s shape, up to 10 MB",
            lambda name, content: _keep(picture, name, content),
        )
        FIELD.tell_problem()
        st.caption(f"{WANTED} It stays in this session: never stored, never in a link.")


def _keep(picture: Picture, name: str, content: bytes) -> None:
    mask = open_mask(content, picture.image.size, name)
    image = Image.fromarray(mask.astype(np.uint8) * 255)
    st.session_state[GIVEN] = (picture.digest, image)


def _given(picture: Picture) -> Image.Image | None:
    """The uploaded mask, while its picture is shown."""
    found = cast("tuple[str, Image.Image] | None", st.session_state.get(GIVEN))
    return found[1] if found is not None and found[0] == picture.digest else None


def _forget() -> None:
    st.session_state.pop(GIVEN, None)
