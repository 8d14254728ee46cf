"""The reader's film: the chosen token's look, frame by frame."""

from dataclasses import replace

import numpy as np
import streamlit as st

from app.components.picture_film import PictureFilm, Standing
from app.services import vision
from app.services.vision import Picture
from app.services.vision_attention import Traced
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import progress
from app.views.vision import own_film
from app.views.vision.attention import params
from app.views.vision.attention.side import WIDTH, Side
from app.views.vision.own_film import FrameMap
from core.explain.attention.patch_attention import resample


def take_token(traced: Traced, n_shots: int) -> Standing:
    """A token clicked in the film becomes the one that looks; read before anything is drawn."""
    token = params.token_of(traced)
    at = params.FILM.at(n_shots, traced.grid.n_tokens, token)
    if at.token != token:
        params.TOKEN.put(params.BEST if at.token is None else at.token)
    return at


def draw(side: Side, shots: tuple[Picture, ...], at: Standing) -> PictureFilm | None:
    """None after saying what went wrong."""
    try:
        figure = _figure(side, shots)
    except progress.READER_ERRORS as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return None
    params.FILM.draw(figure, at)
    return figure


def _figure(side: Side, shots: tuple[Picture, ...]) -> PictureFilm:
    card = side.traced.card
    asked = [vision.trace(card.id, shot) for shot in shots]
    seen = own_film.all_of([vision.seen(card.id, shot) for shot in shots])
    traces = own_film.all_of([future for _, future in asked])
    sides = [
        replace(side, traced=Traced(card, shot, request, trace, one))
        for shot, (request, _), trace, one in zip(shots, asked, traces, seen, strict=True)
    ]
    caption = f"{side.caption}, {len(shots)} frames"
    return own_film.film(
        [_frame(one) for one in sides],
        np.stack([one.picture for one in seen]),
        label=side.caption,
        caption=caption,
        same_scale=params.FILM.same.value,
        uniform=float(side.shown.uniform.max()),
        prefix_names=side.traced.prefix,
        width=WIDTH,
    )


def _frame(side: Side) -> FrameMap:
    look, prefix = side.shown, side.traced.prefix
    line = f"{three(float(look.patches.sum()))} on patches"
    if look.prefix.size:
        line += f" · {three(float(look.prefix.sum()))} on prefix tokens"
    found = np.zeros(len(prefix), dtype=np.float32)
    found[: look.prefix.shape[1]] = look.prefix[0]
    return FrameMap(resample(look.patches[0], side.traced.grid), line, found)
