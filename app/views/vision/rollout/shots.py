"""A film the reader brought: one map of every frame, played with the picture."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.components.picture_film import PictureFilm, Standing, film_frame, picture_film
from app.components.picture_map import PictureMap
from app.services import vision
from app.services.vision import Picture
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import progress
from app.ui.export_bar import Export, matrix_table
from app.views.vision.inputs import Chosen
from app.views.vision.rollout import controls, film, maps
from app.views.vision.rollout.controls import SHOTS, SHOWN, Settings
from core.errors import InputError

WIDTH: Final = 470.0


def render(
    chosen: Chosen, shots: Sequence[Picture], settings: Settings, at: Standing
) -> Export | None:
    """The film, and what of the map is on no patch."""
    shots = [replace(shot, whole=chosen.picture.whole) for shot in shots]
    try:
        rows = _rows(chosen, shots, settings)
        pictures = _pictures(chosen, shots)
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
    figure = _figure(rows, pictures, settings, f"{shown.capitalize()} from {origin}", caption)
    left, right = st.columns([6, 5], gap="large")
    with left:
        picture_film(figure, at, key=SHOTS)
    with right:
        SHOWN.segmented("Map")
        controls.SCALE.segmented("Colour scale")
        st.caption(
            "Each frame is a picture of its own to the model, which knows nothing of the one "
            "before: what moves here is its answer to another picture. Links restore a sample "
            "picture, which is no film."
        )
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
    line, found = st.empty(), list[np.ndarray]()
    for number, (request, future) in enumerate(asked):
        say = partial(line.caption, f"Frame {number} of {len(asked)} …")
        trace = progress.waited(future, say)
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
    line.empty()
    return np.stack(found)


def _pictures(chosen: Chosen, shots: Sequence[Picture]) -> np.ndarray:
    """Every frame as the model saw it."""
    futures = [vision.seen(chosen.card.id, shot) for shot in shots]
    return np.stack([progress.waited(future, lambda: None).picture for future in futures])


def _figure(
    rows: np.ndarray, pictures: np.ndarray, settings: Settings, label: str, caption: str
) -> PictureFilm:
    grid = settings.grid
    values, prefix = rows[:, grid.prefix_tokens :], rows[:, : grid.prefix_tokens]
    others = values.copy()
    if settings.origin == "token" and settings.token >= grid.prefix_tokens:
        others[:, settings.token - grid.prefix_tokens] = 0
    tops = others.max(axis=1)
    if settings.scale == "film":
        tops = np.full_like(tops, tops.max())
    return PictureFilm(
        sheet=PictureMap(
            picture=pictures[0],
            rows=grid.rows,
            columns=grid.columns,
            label=f"{label}, over every frame",
            caption=caption,
            width=WIDTH,
        ),
        values=values.reshape(-1, grid.rows, grid.columns),
        prefix=prefix,
        prefix_names=settings.prefix,
        frames=tuple(f"frame {number}" for number in range(len(rows))),
        lines=tuple(
            f"{three(float(one.sum()))} on patches"
            + (f" · {three(float(other.sum()))} on prefix tokens" if other.size else "")
            for one, other in zip(values, prefix, strict=True)
        ),
        limits=tuple(map(float, tops)),
        scale=controls.SCALE.names[settings.scale],
        uniform=1 / rows.shape[1],
        player="Frame",
        pictures=pictures,
    )
