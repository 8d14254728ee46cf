"""Watch it learn: one picture painted at several moments of the training."""

import numpy as np
import streamlit as st

from app import figures, painting
from app.components.picture_map import PictureMap, picture_map
from app.figures import Curve
from app.painting import Lessons
from app.plain import plain
from app.views.vision import state
from app.views.vision.mae import params
from app.views.vision.mae.words import number
from core.catalog import ModelCard
from core.errors import InputError


def render(card: ModelCard) -> None:
    """The moment's painting and the error on held-out photographs."""
    st.subheader("Watch it learn")
    try:
        lessons = painting.lessons(card)
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return
    if lessons is None:
        st.caption(f"{plain(card.title)} kept no paintings of its training.")
        return
    moment = _moment(lessons)
    left, right = st.columns([2, 3], gap="medium", vertical_alignment="bottom")
    with left:
        _painting(card, lessons, moment)
    with right:
        _errors(card, lessons, moment)
    st.caption(
        f"{plain(card.title)} on one fixed picture with one fixed mask, three patches of four "
        "hidden, visible patches pasted. First noise, then one colour everywhere, then a colour "
        "a patch, at last edges and shades that go on from patch to patch: every stage has a "
        "smaller squared error than the one before."
    )


def _moment(lessons: Lessons) -> int:
    steps = lessons.painted.steps.tolist()
    last = len(steps) - 1
    asked: int = state.get(params.MOMENT)
    slot = f"{params.KEY}.moment"
    if slot not in st.session_state:
        st.session_state[slot] = last if asked < 0 else min(asked, last)

    def keep() -> None:
        chosen: int = st.session_state[slot]
        state.put(params.MOMENT, -1 if chosen == last else chosen)

    if last == 0:
        return 0
    return st.select_slider(
        "Moment of the training",
        range(len(steps)),
        format_func=lambda index: f"step {steps[index]:,}",
        key=slot,
        on_change=keep,
    )


def _painting(card: ModelCard, lessons: Lessons, moment: int) -> None:
    step = int(lessons.painted.steps[moment])
    picture_map(
        PictureMap(
            picture=lessons.picture(moment),
            rows=1,
            columns=1,
            label=f"The picture as painted at step {step:,}",
            title=f"Step {step:,}",
            caption=f"{card.title}, training step {step:,}",
            width=params.WIDTH,
            grid=False,
        ),
        key=f"{params.KEY}.lesson",
        clickable=False,
    )


def _errors(card: ModelCard, lessons: Lessons, moment: int) -> None:
    if lessons.errors is None:
        return
    steps = lessons.errors.steps.astype(float)
    errors = lessons.errors.values[:, 0].astype(float)
    chart = figures.chart(
        [Curve("held-out photographs", steps, errors, hue="decoder")],
        x_title="training step",
        y_title="error at hidden patches",
        height=260,
    )
    figures.mark_x(chart, float(steps[moment]), number(float(errors[moment])))
    figures.show(
        chart,
        key=f"{params.KEY}.lessons",
        name="painting-error-in-training",
        caption=f"{card.title}: mean squared error at hidden patches, held-out photographs",
    )


def table(lessons: Lessons) -> list[tuple[int, float]]:
    """Step and error, for the quiet row."""
    if lessons.errors is None:
        return []
    values: np.ndarray = lessons.errors.values[:, 0]
    return [(int(s), float(v)) for s, v in zip(lessons.errors.steps, values, strict=True)]
