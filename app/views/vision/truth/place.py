"""Does a map lie on the object? Measured against a mask that the reader draws or brings."""

from collections.abc import Callable
from typing import Final

import numpy as np
import streamlit as st

from app.components.picture_map import PictureMap, picture_frame, picture_row
from app.style.markdown_escape import plain
from app.ui.controls import beside_figure
from app.ui.export_bar import Export, Table
from app.views.vision.classes import Classes, pick_class
from app.views.vision.inputs import Chosen
from app.views.vision.truth import asking, params
from app.views.vision.truth.own_mask import draw_mask
from core.explain.attribution.localization import OBJECT, mask_iou, mass_inside, pointing

SMALL: Final = 168.0  # px
Scores = dict[str, tuple[float, float, float]]  # method: pointing, mass, IoU, in per cent


def figure(chosen: Chosen, classes: Classes, say: Callable[[str], object]) -> Export | None:
    """The mask; every method's map with the mask's outline, and how well they agree."""
    left, right = beside_figure()
    with left:
        index = pick_class("Explain", params.PLACE_CLASS, classes.labels, classes.ranked[0])
        names = asking.pick_methods(besides="both")
        cover = draw_mask(chosen)
    label = classes.labels[index]
    with right:
        every = (*names, "random", "uniform")
        futures = asking.ask_maps(chosen.card, chosen.picture, every, index)
        maps = asking.gathered(futures, "Maps:", chosen.card)
        scores = {} if cover is None else _scores(maps, cover)
        shown = _maps(chosen, maps, cover, scores)
        picture_row(
            shown,
            key=params.PLACE.key("maps"),
            label=f"Evidence for {label}, by method",
            clickable=False,
        )
        if cover is None:
            st.info("Mark the object, and its maps are measured here.", icon=":material/info:")
            return None
        _table(scores, cover, label)
        best = max(scores, key=lambda name: scores[name][1])
        say(
            f"{params.METHODS[best].title} has the largest share of its mass on your mask, "
            f"**{scores[best][1]:.1f} %**; a uniform map has **{scores['uniform'][1]:.1f} %**."
        )
    caption = f"Evidence for {label} on a reader's mask · {chosen.source}"
    return Export(
        "own-mask",
        caption,
        lambda: _rows(scores),
        lambda: {name.replace("-", "_"): one for name, one in maps.items()} | {"cover": cover},
        offline=("picture_map", lambda: picture_frame(shown, label=caption)),
    )


def _scores(maps: dict[str, np.ndarray], cover: np.ndarray) -> Scores:
    return {
        name: (
            100 * pointing(one, cover),
            100 * mass_inside(one, cover),
            100 * mask_iou(one, cover),
        )
        for name, one in maps.items()
    }


def _maps(
    chosen: Chosen, maps: dict[str, np.ndarray], cover: np.ndarray | None, scores: Scores
) -> tuple[PictureMap, ...]:
    grid = chosen.seen.grid
    return tuple(
        PictureMap(
            picture=chosen.seen.picture,
            rows=grid.rows,
            columns=grid.columns,
            label=params.METHODS[name].title,
            values=one,
            scale="diverging" if params.METHODS[name].signed else "sequential",
            hue="cross" if params.METHODS[name].class_specific else "encoder",
            outlined=None if cover is None else cover >= OBJECT,
            width=SMALL,
            grid=False,
            title=params.METHODS[name].title
            + (f": {scores[name][1]:.0f} %" if name in scores else ""),
        )
        for name, one in maps.items()
    )


def _table(scores: Scores, cover: np.ndarray, label: str) -> None:
    lines = ["| method | pointing ↑ | mass on it ↑ | IoU ↑ |", "|---|---:|---:|---:|"]
    lines += [
        f"| {params.METHODS[name].title} | {point:.0f} % | {mass:.1f} % | {iou:.1f} % |"
        for name, (point, mass, iou) in scores.items()
    ]
    st.markdown("\n".join(lines))
    st.caption(
        plain(
            f"The mask covers {100 * float(cover.mean()):.1f} % of what the model saw: so much of "
            f"a uniform map’s mass is on it. Asked for {label}; outlined are patches that the "
            "mask covers by half or more. One picture proves little: for many, with intervals, "
            "see “The benchmark”."
        )
    )


def _rows(scores: Scores) -> Table:
    return ("method", "pointing", "mass_on_object", "iou"), (
        (params.METHODS[name].title, *(repr(float(value) / 100) for value in of))
        for name, of in scores.items()
    )
