"""How did it learn? The embedded models at eight moments of their training."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
import streamlit as st

from app.components.head_film import film_frame
from app.components.selection import Seed
from app.services import training_history
from app.style.markdown_escape import plain
from app.ui import page_links, projector
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.input_line import input_line
from app.ui.options import one_of
from app.ui.page import Figure, Page, View
from app.views.training import curves, heads, pictures, words
from app.views.training.maps import Kept
from app.views.training.state import DEFAULT, HEAD, MAPS, MODEL, MOMENT
from core.catalog import ModelCard
from core.data.snapshots import Course
from core.errors import InputError


@dataclass(frozen=True, slots=True)
class Shown:
    """What the figure shows, for the curves below it."""

    moment: int
    head: heads.Head | None = None
    kept: Kept | None = None


def render() -> Figure | None:
    """A model; the figures."""
    card = _choose_model()
    if card is None:
        st.info("No model on board kept moments of its training.")
        return None
    return partial(_figures, card)


def _figures(card: ModelCard) -> Export | None:
    """The figure, its curves, how the training was run."""
    try:
        course, sheet = training_history.course(card), training_history.sheet(card)
        units = words.units_of(sheet)
        shown = _figure(card, course, units)
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return None
    _curves(card, course, units, shown)
    _elsewhere(card)
    words.how_it_was_trained(card, sheet)
    return _export(card, course, shown)


def _choose_model() -> ModelCard | None:
    by_id = {card.id: card for card in training_history.cards()}
    if not by_id:
        return None
    asked = MODEL.value
    if asked not in by_id:
        default = DEFAULT if DEFAULT in by_id else next(iter(by_id))
        st.info(
            f"“{plain(asked)}” kept no moments of its training; showing "
            f"{plain(by_id[default].title)} instead."
        )
        MODEL.put(default)
    names = {name: card.title.removesuffix(" (trained here)") for name, card in by_id.items()}
    with input_line(names[MODEL.value]) if projector.is_on() else controls("-model"):
        chosen = one_of(
            MODEL,
            st.pills,
            "Model",
            by_id,
            names.__getitem__,
            required=True,
            label_visibility="collapsed",
            changed=_forget_place,
        )
    return by_id[chosen]


def _forget_place() -> None:
    """Another model has other heads; the moment stays."""
    MAPS.reset()
    HEAD.reset()


def _figure(card: ModelCard, course: Course, units: Mapping[str, str]) -> Shown:
    painted = training_history.moments(card, "painted")
    if painted is not None:
        return Shown(pictures.paintings(card, course, painted))
    boxes, chances = (
        training_history.moments(card, "boxes"),
        training_history.moments(card, "probabilities"),
    )
    if boxes is not None and chances is not None:
        return Shown(pictures.scene(card, course, boxes, chances))
    kept = heads.choose(card, course, units)
    if kept is None:
        st.caption("This model kept no maps; its curves are below.")
        return Shown(len(course.metrics.steps) - 1)
    if began := card.starts_from or card.base:
        st.caption(f"It began with {plain(began)}’s weights, so its first moment is no noise.")
    moment, head = heads.render(card, kept)
    return Shown(moment, head, kept)


def _curves(card: ModelCard, course: Course, units: Mapping[str, str], shown: Shown) -> None:
    columns = iter(st.columns(2 if shown.kept is None else 3, gap="medium"))
    if shown.kept is not None and shown.head is not None:
        with next(columns):
            heads.curves(card, shown.kept, shown.head, shown.moment)
    with next(columns):
        curves.metrics(card, course, units, shown.moment)
    with next(columns):
        curves.loss(card, course, shown.moment)


def _elsewhere(card: ModelCard) -> None:
    """Where the same training can be watched on other figures."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("The same training elsewhere", width="content")
        if training_history.moments(card, "positions") is not None:
            page_links.link("positions", "Its positions", {"view": "learned", "model": card.id})
        if training_history.moments(card, "filters") is not None:
            page_links.link("vision", "Its patch filters", {"view": "patches", "model": card.id})
        if training_history.moments(card, "painted") is not None:
            page_links.link("vision", "Its paintings", {"view": "mae", "model": card.id})
        page_links.link("about", "Its figures and credits")


def _export(card: ModelCard, course: Course, shown: Shown) -> Export:
    at = course.metrics
    arrays: dict[str, np.ndarray] = {
        "loss_curve": course.loss_curve,
        "metrics": at.values,
        "steps": at.steps,
        "fractions": at.fractions,
    }
    offline: Any = None
    if shown.kept is not None and shown.head is not None:
        kept, seed = shown.kept, Seed((shown.moment, shown.head))
        arrays["maps"] = kept.film.values
        offline = ("head_film", lambda: film_frame(kept.film, seed))
    rows = [
        (int(step), repr(float(share)), *map(repr, map(float, values)))
        for step, share, values in zip(at.steps, at.fractions, at.values, strict=True)
    ]
    return Export(
        f"training-of-{card.id.rsplit('/', 1)[-1]}",
        f"{card.title}: moments of its training",
        lambda: (("step", "share of the training", *course.metric_names), rows),
        lambda: arrays,
        {"loss": lambda: (("share of the training", "loss"), course.loss_curve.tolist())},
        offline,
    )


PAGE: Final = Page(
    "training",
    "How did it learn?",
    (View("", params=(MODEL, MAPS, MOMENT, HEAD), render=render),),
)
