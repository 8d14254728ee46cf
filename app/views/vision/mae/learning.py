"""Watch it learn: one picture painted at several moments of the training."""

import numpy as np
import streamlit as st

from app.components.picture_map import PictureMap, picture_map
from app.services import training_history
from app.style.markdown_escape import plain
from app.ui import charts
from app.ui.charts import Curve
from app.ui.snapshot_slider import moment_slider
from app.views.vision.mae import params
from app.views.vision.mae.words import number
from core.catalog import ModelCard
from core.data.snapshots import Moments
from core.errors import InputError


def render(card: ModelCard) -> None:
    """The moment's painting and the error on held-out photographs."""
    st.subheader("Watch it learn")
    try:
        painted, errors = (
            training_history.moments(card, "painted"),
            training_history.moments(card, "metrics"),
        )
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return
    if painted is None or errors is None:
        st.caption(f"{plain(card.title)} kept no paintings of its training.")
        return
    moment = moment_slider("Moment of the training", painted, params.MOMENT)
    left, right = st.columns([2, 3], gap="medium", vertical_alignment="bottom")
    with left:
        _painting(card, painted, moment)
    with right:
        _errors(card, errors, moment)
    st.caption(
        f"{plain(card.title)} on one fixed picture with one fixed mask, three patches of four "
        "hidden, visible patches pasted. First noise, then one colour everywhere, then a colour "
        "a patch, at last edges and shades that go on from patch to patch: every stage has a "
        "smaller squared error than the one before."
    )


def _painting(card: ModelCard, painted: Moments, moment: int) -> None:
    step = int(painted.steps[moment])
    picture_map(
        PictureMap(
            picture=painted.values[moment].astype(np.uint8),
            rows=1,
            columns=1,
            label=f"The picture as painted at step {step:,}",
            title=f"Step {step:,}",
            caption=f"{card.title}, training step {step:,}",
            width=params.WIDTH,
            grid=False,
        ),
        key=params.HERE.key("lesson"),
        clickable=False,
    )


def _errors(card: ModelCard, training: Moments, moment: int) -> None:
    steps = training.steps.astype(float)
    errors = training.values[:, 0].astype(float)
    chart = charts.chart(
        [Curve("held-out photographs", steps, errors, hue="decoder")],
        x_title="training step",
        y_title="error at hidden patches",
        height=260,
    )
    charts.mark_x(chart, float(steps[moment]), number(float(errors[moment])))
    charts.show(
        chart,
        key=params.HERE.key("lessons"),
        name="painting-error-in-training",
        caption=f"{card.title}: mean squared error at hidden patches, held-out photographs",
    )


def table(card: ModelCard) -> list[tuple[int, float]]:
    """Step and error, for the quiet row. Raises InputError if the kept moments are broken."""
    errors = training_history.moments(card, "metrics")
    if errors is None:
        return []
    return [(int(s), float(v)) for s, v in zip(errors.steps, errors.values[:, 0], strict=True)]
