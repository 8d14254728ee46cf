"""The reader's film: one method's evidence for one class, frame by frame."""

from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st

from app.components.picture_film import PictureFilm
from app.services import vision
from app.services.vision import Picture
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import progress
from app.views.vision import own_film
from app.views.vision.inputs import Chosen
from app.views.vision.own_film import FrameMap
from app.views.vision.why import params
from app.views.vision.why.asking import SLOW, Asked, EvidenceMap
from app.views.vision.why.maps import LARGE
from core.explain.attribution.registry import EvidenceMethod
from core.targets import ClassTarget

TOO_SLOW: Final = (
    "This method runs the model many times for one picture: choose another method for a film."
)


def refusal() -> str | None:
    """Why the method that is looked at can't be played."""
    return TOO_SLOW if params.wanted() in SLOW else None


@dataclass(frozen=True, eq=False)
class Frames:
    """What was asked of every frame; before the slow methods of the still picture are."""

    shots: tuple[Picture, ...]
    maps: tuple[Future[EvidenceMap], ...]
    chances: tuple[Future[np.ndarray], ...]  # of the class, one number each


def ask(chosen: Chosen, asked: Asked, method: EvidenceMethod, shots: tuple[Picture, ...]) -> Frames:
    """Each frame's evidence for the class that is asked about, and its probability."""
    model, target = chosen.card.id, ClassTarget(asked.index)
    against = None if asked.against is None else ClassTarget(asked.against)
    if not method.class_specific:
        asked_for, against = ClassTarget(0), None
    else:
        asked_for = target
    return Frames(
        shots,
        tuple(vision.evidence(model, shot, method.id, asked_for, against) for shot in shots),
        tuple(vision.measure(model, shot, ((),), target) for shot in shots),
    )


def draw(
    chosen: Chosen, asked: Asked, method: EvidenceMethod, frames: Frames
) -> PictureFilm | None:
    """The film of the class that is asked about; None after saying what went wrong."""
    try:
        figure = _figure(chosen, asked, method, frames)
    except progress.READER_ERRORS as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return None
    rows, columns = figure.values.shape[1:]
    patch = params.PATCH.value
    token = patch if 0 <= patch < rows * columns else None
    at = params.FILM.at(len(frames.shots), rows * columns, token)
    params.PATCH.put(params.NO_PATCH if at.token is None else at.token)
    params.FILM.draw(figure, at)
    return figure


def _figure(chosen: Chosen, asked: Asked, method: EvidenceMethod, frames: Frames) -> PictureFilm:
    maps = own_film.all_of(frames.maps)
    chances = own_film.all_of(frames.chances)
    label = f"{method.title} for {asked.title}"
    return own_film.film(
        [
            FrameMap(
                one,
                f"probability {three(100 * float(chance[0]))} % · sum {three(float(one.sum()))}",
            )
            for one, chance in zip(maps, chances, strict=True)
        ],
        own_film.pictures_of(chosen, frames.shots),
        label=label,
        caption=f"{label} · {len(frames.shots)} frames of {chosen.source}",
        same_scale=params.FILM.same.value,
        scale="diverging" if method.signed else "sequential",
        width=LARGE,
    )
