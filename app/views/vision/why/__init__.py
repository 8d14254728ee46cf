"""Why this class? Ten methods' evidence for a class, random and uniform beside them."""

import numpy as np
import streamlit as st

from app.components.picture_map import PictureMap, picture_frame
from app.plain import plain
from app.quiet_row import Export, Table
from app.views.vision import inputs, state
from app.views.vision.inputs import Chosen
from app.views.vision.why import asking, maps, params
from app.views.vision.why.asking import Answers, Asked
from app.views.vision.why.words import about
from core.catalog import Family
from core.evidence import EvidenceMethod

LEAD = (
    "Ask for any class which patches speak for it, and which against it. Ten methods answer, two "
    "of them knowing nothing: so a pretty map is not taken for evidence."
)
PARAMS = params.PARAMS


def render() -> Export | None:
    """Picture, class, the chosen method's map, all methods side by side."""
    chosen = inputs.choose(families=(Family.VISION,))
    if chosen is None:
        return None
    classes = asking.classes_of(chosen)
    if classes is None:
        return None
    maps.pick_method()
    left, middle, right = st.columns([3, 5, 5], gap="medium")
    with left:
        asked = asking.choose_target(classes)
    futures = asking.ask_all(chosen, asked)
    method = params.METHODS[state.get(params.METHOD)]
    with middle:
        figure = _large(chosen, asked, method, asking.gathered({method.id: futures[method.id]}))
    with right:
        for row, names in asking.ROWS.items():
            maps.small_maps(
                chosen, asked, asking.gathered({name: futures[name] for name in names}), row
            )
        answers = asking.gathered(futures)  # all are there now
        st.caption("\\* the same map for every class. Each map has a scale of its own.")
    _refusals(answers, method.id)
    if (patch := state.get(params.PATCH)) != params.NO_PATCH:
        grid = chosen.seen.grid
        if patch < grid.rows * grid.columns:
            row, column = divmod(patch, grid.columns)
            st.markdown(f"**The patch in row {row + 1}, column {column + 1}, in every method**")
            maps.patch_table(answers, patch)
    about(method)
    return Export(
        "evidence-for-a-class",
        f"Evidence for {asked.title} · {maps.source(chosen)}",
        lambda: _table(answers),
        lambda: {**maps.tables(answers), "picture": chosen.seen.picture},
        offline=None if figure is None else ("picture_map", lambda: picture_frame((figure,))),
    )


def _large(
    chosen: Chosen, asked: Asked, method: EvidenceMethod, answers: Answers
) -> PictureMap | None:
    """The chosen method's map and its sums, or why there is none."""
    if method.id in answers.refused:
        st.warning(plain(answers.refused[method.id]), icon=":material/info:")
        return None
    figure = maps.large_map(chosen, asked, method, answers.maps[method.id])
    maps.sums(method, answers.maps[method.id])
    return figure


def _refusals(answers: Answers, chosen: str) -> None:
    """Why some methods are missing: one sentence, since they share a reason."""
    names = [params.METHODS[name].title for name in answers.refused if name != chosen]
    if names:
        reason = next(iter(answers.refused.values()))
        st.caption(plain(f"Not for this model: {', '.join(names)}. {reason}"))


def _table(answers: Answers) -> Table:
    lines = (
        (name, row, column, repr(float(value)))
        for name, values in answers.maps.items()
        for (row, column), value in np.ndenumerate(values)
    )
    return ("method", "row", "column", "evidence"), lines
