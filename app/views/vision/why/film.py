"""The reader's film: one method's evidence for one class, frame by frame."""

from typing import Final

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
from app.views.vision.why.asking import SLOW, Asked
from app.views.vision.why.maps import LARGE
from core.explain.attribution.registry import EvidenceMethod
from core.targets import ClassTarget

TOO_SLOW: Final = (
    "This method runs the model many times for one picture: choose another method for a film."
)


def refusal() -> str | None:
    """Why the method that is looked at can't be played."""
    return TOO_SLOW if params.wanted() in SLOW else None


def draw(
    chosen: Chosen, asked: Asked, method: EvidenceMethod, shots: tuple[Picture, ...]
) -> PictureFilm | None:
    """The film of the class that is asked about; None after saying what went wrong."""
    try:
        figure = _figure(chosen, asked, method, shots)
    except progress.READER_ERRORS as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return None
    rows, columns = figure.values.shape[1:]
    patch = params.PATCH.value
    at = params.FILM.at(len(shots), rows * columns, patch if 0 <= patch < rows * columns else None)
    params.PATCH.put(params.NO_PATCH if at.token is None else at.token)
    params.FILM.draw(figure, at)
    return figure


def _figure(
    chosen: Chosen, asked: Asked, method: EvidenceMethod, shots: tuple[Picture, ...]
) -> PictureFilm:
    model, target = chosen.card.id, ClassTarget(asked.index)
    against = None if asked.against is None else ClassTarget(asked.against)
    explained = ClassTarget(asked.index if method.class_specific else 0)
    maps = own_film.all_of(
        [
            vision.evidence(
                model, shot, method.id, explained, against if method.class_specific else None
            )
            for shot in shots
        ]
    )
    chances = own_film.all_of([vision.measure(model, shot, ((),), target) for shot in shots])
    label = f"{method.title} for {asked.title}"
    return own_film.film(
        [
            FrameMap(one, f"probability {three(100 * float(chance[0]))} % · sum {three(one.sum())}")
            for one, chance in zip(maps, chances, strict=True)
        ],
        own_film.pictures_of(chosen, shots),
        label=label,
        caption=f"{label} · {len(shots)} frames of {chosen.source}",
        same_scale=params.FILM.same.value,
        scale="diverging" if method.signed else "sequential",
        width=LARGE,
    )
