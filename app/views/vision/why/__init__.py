"""Why this class? Every method's evidence for a class, random and uniform beside them."""

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.components.picture_film import PictureFilm, film_frame
from app.components.picture_map import PictureMap, picture_frame
from app.content.prose import prose
from app.style.markdown_escape import plain
from app.ui.answer import answer
from app.ui.export_bar import Export, Table
from app.ui.page import Drawn, View
from app.ui.place import Place
from app.views.vision import own_film
from app.views.vision.classes import Classes, classes_of
from app.views.vision.inputs import Chosen, choose, display
from app.views.vision.picture_truth import says
from app.views.vision.state import SHARED
from app.views.vision.why import asking, drawing, film, maps, params
from app.views.vision.why.asking import Answers
from core.catalog import Family


def render() -> Drawn:
    """Input, then what follows from it."""
    chosen = choose(families=(Family.VISION,))
    classes = None if chosen is None else classes_of(chosen)
    return None if chosen is None or classes is None else partial(_figure, chosen, classes)


def _figure(chosen: Chosen, classes: Classes) -> Export | None:
    """Class, the chosen method's map, all methods side by side, each as soon as it is there."""
    answered = says(chosen, classes.labels, classes.probabilities)
    place = answer(answered)
    if asking.asks(chosen, classes):
        return None
    maps.pick_method()
    left, middle, right = st.columns([3, 5, 5], gap="medium")
    with left:
        asked = asking.choose_target(classes)
    wanted = params.METHODS[params.wanted()]
    shots = params.FILM.shots(chosen, refusal=film.refusal())
    frames = film.ask(chosen, asked, wanted, shots) if shots else None
    with middle:
        if params.METHOD.value == params.A_CAM:
            params.CAM.selectbox(
                "Class activation map", help=prose("vision/why").columns("cams", {})[0]
            )
        params.FILM.switch(chosen, refusal=film.refusal())
        played = film.draw(chosen, asked, wanted, frames) if frames else None
        large = Place() if played is None else None
    with right:
        rows = {row: Place() for row in asking.rows()}
        st.caption("\\* the same map for every class. Each map has a scale of its own.")
    shown = drawing.as_they_come(
        chosen, asked, large, rows, say=lambda found: place.markdown(f"{answered} {found}")
    )
    if shown is None:
        return None
    method, figure, answers = shown
    _refusals(answers, params.wanted())
    if (patch := params.PATCH.value) != params.NO_PATCH:
        grid = chosen.seen.grid
        if patch < grid.n_patches:
            row, column = divmod(patch, grid.columns)
            st.markdown(f"**The patch in row {row}, column {column}, in every method**")
            maps.patch_table(answers, patch)
            st.caption(
                "Rank 1 speaks most for the class. Share: of the sum of all patches that speak "
                "for it, or, for a negative number, of those that speak against it."
            )
    with st.expander("The other methods"):
        for other in params.names():
            if other != method.id:
                st.markdown(_about(other))
    return Export(
        "evidence-for-a-class",
        f"Evidence for {asked.title} · {chosen.source}",
        lambda: _table(answers),
        lambda: {
            **maps.tables(answers),
            "picture": chosen.seen.picture,
            **({} if played is None else own_film.numbers(played)),
        },
        offline=_offline(figure, played),
        facts={"method": _about(method.id)},
    )


def _offline(
    figure: PictureMap | None, played: PictureFilm | None
) -> tuple[str, Callable[[], bytes]] | None:
    """What an offline page shows: the film, or the map."""
    if played is not None:
        return "picture_film", lambda: film_frame(played)
    return None if figure is None else ("picture_map", lambda: picture_frame((figure,)))


def _about(method: str) -> str:
    """A method's formula, paper and caution."""
    return prose("vision/why").columns(method, {})[0]


def _refusals(answers: Answers, chosen: str) -> None:
    """Why some methods are missing: one sentence for all that share a reason."""
    reasons: dict[str, list[str]] = {}
    for name, reason in answers.refused.items():
        if name != chosen:
            reasons.setdefault(reason, []).append(params.METHODS[name].title)
    for reason, names in reasons.items():
        st.caption(plain(f"Not here: {', '.join(names)}. {reason}"))


def _table(answers: Answers) -> Table:
    lines = (
        (name, row, column, repr(float(value)))
        for name, values in answers.found.items()
        for (row, column), value in np.ndenumerate(values)
    )
    return ("method", "row", "column", "evidence"), lines


VIEW: Final = View("why", "Why this class?", (*SHARED, *params.PARAMS), render, display)
