"""Curves through a training: of the loss, of the figures on held-out data, of a head."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from app.ui import charts
from app.ui.charts import Curve
from app.views.training.state import HERE
from app.views.training.words import metric_name, moment_name
from core.catalog import ModelCard
from core.data.snapshots import Course

HEIGHT = 340  # px


def loss(card: ModelCard, course: Course, moment: int) -> None:
    """The mean loss over the training, and where the moment was."""
    st.subheader("Loss")
    share, values = course.loss_curve.T.astype(float)
    chart = charts.chart(
        [Curve("training batches", 100 * share, values, markers=False)],
        x_title="share of the training (%)",
        y_title="loss (mean over some steps)",
        height=HEIGHT,
    )
    at = course.metrics
    charts.mark_x(chart, 100 * float(at.fractions[moment]), moment_name(int(at.steps[moment])))
    charts.show(
        chart,
        key=HERE.key("loss-in-training"),
        name="loss-in-training",
        caption=f"{card.title}: loss on training batches",
    )


def metrics(card: ModelCard, course: Course, units: Mapping[str, str], moment: int) -> None:
    """The figures that the training measured at its moments."""
    st.subheader("On held-out data")
    of_these = [units[name] for name in course.metric_names if name in units]
    scale = 1.0 if of_these else 100.0  # shares, which have no unit
    by_moment(
        {
            metric_name(name): scale * values
            for name, values in zip(course.metric_names, course.metrics.values.T, strict=True)
        },
        course.metrics.steps,
        moment,
        y_title=(of_these[0] or metric_name(course.metric_names[0])) if of_these else "%",
        name="figures-in-training",
        caption=f"{card.title}: small samples of held-out data",
    )


def by_moment(
    named: Mapping[str, np.ndarray],
    steps: np.ndarray,
    moment: int,
    *,
    y_title: str,
    name: str,
    caption: str,
) -> None:
    """Curves over the moments, evenly spaced: most of what happens, happens early."""
    names = tuple(f"{step:,}" for step in steps)
    chart = charts.chart(
        [Curve(of, names, values.astype(float)) for of, values in named.items()],
        x_title="step",
        y_title=y_title,
        height=HEIGHT,
    )
    chart.x_axis(type="category")
    charts.mark_x(chart, float(moment), "")
    charts.show(chart, key=HERE.key(f"{name}"), name=name, caption=caption)
