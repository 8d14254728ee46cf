"""A film the reader brought: one map of every frame, played with the picture."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from app.components.picture_film import Standing, film_frame, picture_film
from app.services import vision
from app.services.vision import Picture
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import progress
from app.ui.answer import answer
from app.ui.export_bar import Export, matrix_table
from app.views.vision import own_film
from app.views.vision.inputs import Chosen
from app.views.vision.own_film import FrameMap
from app.views.vision.rollout import controls, film, maps
from app.views.vision.rollout.controls import SHOTS, SHOWN, Settings
from core.errors import InputError
from core.trace import PatchGrid


def render(
    chosen: Chosen, shots: Sequence[Picture], settings: Settings, at: Standing
) -> Export | None:
    """The film, and what of the map is on no patch."""
    try:
        rows = _rows(chosen, shots, settings)
        pictures = own_film.pictures_of(chosen, shots)
    except progress.READER_ERRORS as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return None
    origin = film.origin_name(chosen, settings)
    shown = "rollout" if settings.shown == "rollout" else "attention of the last layer"
    caption = (
        f"{chosen.card.title} · {len(shots)} frames of {chosen.picture.name} · {shown} from "
        f"{origin} · residual {settings.residual:g} · heads fused by {settings.fusion} · "
        f"{settings.discard:.0%} discarded · first layer {settings.start}"
    )
    grid = settings.grid
    own = settings.token - grid.prefix_tokens if settings.origin == "token" else -1
    figure = own_film.film(
        [_frame(row, grid) for row in rows],
        pictures,
        label=f"{shown.capitalize()} from {origin}",
        caption=caption,
        same_scale=settings.scale == "film",
        uniform=1 / rows.shape[1],
        prefix_names=settings.prefix,
        own=own if own >= 0 else None,
    )
    answer(film.answered(figure, at.step))
    left, right = st.columns([6, 5], gap="large")
    with left:
        picture_film(figure, at, key=SHOTS)
    with right:
        SHOWN.segmented("Map")
        controls.SCALE.segmented("Colour scale")
        st.caption(own_film.NOTE)
    names = film.token_names(chosen.seen.prefix, settings.grid)
    return Export(
        "frames",
        caption,
        lambda: matrix_table(rows, figure.frames, names, names=("frame", "token", "share")),
        lambda: {"frames": rows, "pictures": pictures},
        offline=("picture_film", lambda: film_frame(figure)),
    )


def _rows(chosen: Chosen, shots: Sequence[Picture], settings: Settings) -> np.ndarray:
    """(frame, token): one row of every frame's map. All frames are asked for at once."""
    asked = [vision.trace(chosen.card.id, shot) for shot in shots]
    traces = own_film.all_of([future for _, future in asked])
    found: list[np.ndarray] = []
    for (request, _), trace in zip(asked, traces, strict=True):
        stack = maps.fused(request, trace, settings)
        if settings.shown == "rollout":
            found.append(stack.film()[-1])
        elif stack.is_staged:
            raise InputError(
                f"{chosen.card.title}'s last layer looks from another grid of patches than its "
                "first. Choose the rollout, which follows the patches through all grids."
            )
        else:
            found.append(stack.start() @ stack.maps[-1])
    return np.stack(found)


def _frame(row: np.ndarray, grid: PatchGrid) -> FrameMap:
    prefix, patches = row[: grid.prefix_tokens], row[grid.prefix_tokens :]
    line = f"{three(float(patches.sum()))} on patches"
    if prefix.size:
        line += f" · {three(float(prefix.sum()))} on prefix tokens"
    return FrameMap(patches.reshape(grid.rows, grid.columns), line, prefix)
