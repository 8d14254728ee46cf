"""Why this class? Every method's evidence for a class, random and uniform beside them."""

from collections.abc import Callable, Mapping
from concurrent.futures import Future
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
from app.views.vision import own_film
from app.views.vision.classes import Classes, classes_of
from app.views.vision.inputs import Chosen, choose, display
from app.views.vision.picture_truth import says
from app.views.vision.state import SHARED
from app.views.vision.why import asking, film, maps, params
from app.views.vision.why.asking import Answers, Asked, EvidenceMap
from core.catalog import Family
from core.explain.attribution.registry import EvidenceMethod

INSTEAD: Final = ("gradcam", "integrated-gradients", "uniform")  # of a method that can't be used


def render() -> Drawn:
    """Input, then what follows from it."""
    chosen = choose(families=(Family.VISION,))
    classes = None if chosen is None else classes_of(chosen)
    return None if chosen is None or classes is None else partial(_figure, chosen, classes)


def _figure(chosen: Chosen, classes: Classes) -> Export | None:
    """Class, the chosen method's map, all methods side by side."""
    answer(says(chosen, classes))
    maps.pick_method()
    left, middle, right = st.columns([3, 5, 5], gap="medium")
    with left:
        asked = asking.choose_target(classes)
    wanted = params.METHODS[params.wanted()]
    shots = params.FILM.shots(chosen, refusal=film.refusal())
    frames = film.ask(chosen, asked, wanted, shots) if shots else None
    futures = asking.ask_all(chosen, asked)
    with middle:
        if params.METHOD.value == params.A_CAM:
            params.CAM.selectbox(
                "Class activation map", help=prose("vision/why").columns("cams", {})[0]
            )
        params.FILM.switch(chosen, refusal=film.refusal())
        played = film.draw(chosen, asked, wanted, frames) if frames else None
        method, figure = (
            _large(chosen, asked, wanted, futures) if played is None else (wanted, None)
        )
    with right:
        for row, names in asking.rows().items():
            maps.small_maps(
                chosen, asked, asking.gathered({name: futures[name] for name in names}), row
            )
        answers = asking.gathered(futures)  # all are there now
        st.caption("\\* the same map for every class. Each map has a scale of its own.")
    _refusals(answers, wanted.id)
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


def _large(
    chosen: Chosen, asked: Asked, wanted: EvidenceMethod, futures: Mapping[str, Future[EvidenceMap]]
) -> tuple[EvidenceMethod, PictureMap]:
    """The chosen method's map and its sums; where it can't be, the reason and one that can."""
    method, answers = wanted, asking.gathered({wanted.id: futures[wanted.id]})
    if wanted.id in answers.refused:
        st.warning(plain(answers.refused[wanted.id]), icon=":material/info:")
        method = next(m for m in map(params.METHODS.__getitem__, INSTEAD) if _is_there(futures, m))
        answers = asking.gathered({method.id: futures[method.id]})
    figure = maps.large_map(chosen, asked, method, answers.maps[method.id])
    maps.sums(method, answers.maps[method.id])
    return method, figure


def _is_there(futures: Mapping[str, Future[EvidenceMap]], method: EvidenceMethod) -> bool:
    return method.id in asking.gathered({method.id: futures[method.id]}).maps


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
        for name, values in answers.maps.items()
        for (row, column), value in np.ndenumerate(values)
    )
    return ("method", "row", "column", "evidence"), lines


VIEW: Final = View("why", "Why this class?", (*SHARED, *params.PARAMS), render, display)
