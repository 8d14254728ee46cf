"""Where the object is, as the reader says: patches painted on the picture, or a PNG of theirs."""

import hashlib
from typing import Final, cast

import numpy as np
import streamlit as st
from PIL import Image

from app.components.picture_map import PictureMap, painted_patches, picture_paint
from app.services import vision
from app.services.vision import Picture
from app.style.markdown_escape import plain
from app.ui import progress
from app.ui.uploaded import content_of, given_in
from app.views.vision import masks
from app.views.vision.inputs import Chosen
from app.views.vision.truth import params
from core.data.object_mask import WANTED, open_mask
from core.errors import InputError
from core.explain.attribution.localization import patch_cover
from core.outputs.autoencoder import mask_of

PAINT: Final = params.PLACE.key("paint")
GIVEN: Final = params.PLACE.key("given")  # a mask that was uploaded, with its picture's digest
PROBLEM: Final = params.PLACE.key("problem")
TAKEN: Final = params.PLACE.key("taken")  # files so far: each empties the widget it came by
MOST_SENT: Final = 64  # MB that may come, only to be told that they are too many
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
    turn = cast("int", st.session_state.setdefault(TAKEN, 0))
    key = f"{TAKEN}:{turn}"
    with st.popover("Upload a mask", icon=":material/upload:", width="content"):
        st.file_uploader(
            "PNG of the picture’s shape, up to 10 MB",
            max_upload_size=MOST_SENT,
            key=key,
            on_change=lambda: _take(picture, key),
        )
        if problem := cast("str | None", st.session_state.get(PROBLEM)):
            st.warning(plain(problem), icon=":material/info:")
        st.caption(f"{WANTED} It stays in this session: never stored, never in a link.")


def _take(picture: Picture, key: str) -> None:
    """Open what came; a bad file leaves what was there."""
    st.session_state.pop(PROBLEM, None)
    file = next(iter(given_in(key)), None)
    if file is None:
        return
    st.session_state[TAKEN] += 1
    try:
        with content_of(file) as content:
            mask = open_mask(content, picture.image.size, file.name)
    except InputError as error:
        st.session_state[PROBLEM] = str(error)
    else:
        image = Image.fromarray(mask.astype(np.uint8) * 255)
        st.session_state[GIVEN] = (picture.digest, image)


def _given(picture: Picture) -> Image.Image | None:
    """The uploaded mask, while its picture is shown."""
    found = cast("tuple[str, Image.Image] | None", st.session_state.get(GIVEN))
    return found[1] if found is not None and found[0] == picture.digest else None


def _forget() -> None:
    st.session_state.pop(GIVEN, None)
