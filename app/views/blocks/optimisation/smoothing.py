"""Label smoothing on a real prediction, or on logits of the reader's own."""

import math
from collections.abc import Iterator
from typing import Final

import numpy as np
import streamlit as st

from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.worked import Step, follow
from app.ui import charts
from app.ui.answer import answer
from app.ui.export_bar import Export
from app.ui.page import View
from app.views.blocks.optimisation.prediction import HERE, PARAMS, SHARE, Case, choose_case
from core.blocks.label_smoothing import (
    best_gap,
    lead,
    loss_by_lead,
    smoothed_loss,
    smoothed_target,
)
from core.errors import InputError

SHOWN: Final = 12  # classes in the figure
GAPS: Final = np.linspace(-4, 24, 113)


def render() -> Export | None:
    """The prediction, the target; the loss against the right class's lead."""
    try:
        case = choose_case()
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return None
    if case is None:
        return None
    share = SHARE.value
    caption = f"right: {case.names[case.right]}, ε = {share:g}, {len(case.names):,} classes"
    loss = smoothed_loss(case.logits, case.right, share)
    answer(
        f"The right class, *{plain(case.names[case.right])}*, has p = "
        f"**{three(loss.probability)}**: its loss is **{three(loss.right)}** nats, and "
        f"**{three(loss.total)}** with ε = {share:g}, where none falls below "
        f"**{three(loss.floor)}**."
    )
    left, right = st.columns(2, gap="medium")
    with left:
        _distributions(case, share, caption)
    with right:
        _losses(case, share, caption)
    _numbers(case, share)
    return Export("label-smoothing", caption, lambda: _table(case, share))


def _order(case: Case) -> list[int]:
    """The right class first, then the most probable others."""
    ranked = np.argsort(-case.logits, kind="stable")
    return [case.right, *ranked[ranked != case.right][: SHOWN - 1].tolist()]


def _distributions(case: Case, share: float, caption: str) -> None:
    from scipy.special import softmax  # pyright: ignore[reportUnknownVariableType]

    order = _order(case)
    names = [case.names[place] for place in order]
    target = smoothed_target(len(case.names), case.right, share)
    probabilities = softmax(case.logits)
    figure = charts.chart(
        [
            charts.Curve(
                name,
                names,
                values[order],
                tuple(f"{n}: {three(v)}" for n, v in zip(names, values[order], strict=True)),
                lines=False,
                hollow=(hollow,) * len(order),
            )
            for name, values, hollow in (
                ("the model's p", probabilities, False),
                (f"target q at ε = {share:g}", target, True),
            )
        ],
        x_title=f"the right class, then the likeliest {len(order) - 1} of {len(case.names):,}",
        y_title="probability (log)",
        log_y=True,
        height=370,
    )
    charts.show(figure, key=HERE.key("smoothing-p"), name="smoothed-target", caption=caption)


def _losses(case: Case, share: float, caption: str) -> None:
    found = {
        kept: loss_by_lead(case.logits, case.right, kept, GAPS)
        for kept in dict.fromkeys((0.0, share))
    }
    curves = [
        charts.Curve(f"loss at ε = {kept:g}", GAPS, losses, markers=False, dashed=kept != share)
        for kept, losses in found.items()
    ]
    now = np.array([smoothed_loss(case.logits, case.right, share).total])
    here = np.array([lead(case.logits, case.right)])
    curves.append(charts.Curve("this prediction", here, now, lines=False))
    figure = charts.chart(
        curves,
        x_title="the right logit's lead over the best other one",
        y_title="loss (nats)",
        height=370,
    )
    if share:
        lowest = GAPS[found[share].argmin()]
        charts.mark_x(figure, float(lowest), f"lowest: lead {three(lowest)}")
    charts.show(figure, key=HERE.key("smoothing-loss"), name="smoothed-loss", caption=caption)


def _numbers(case: Case, share: float) -> None:
    loss = smoothed_loss(case.logits, case.right, share)
    said = follow(
        {"p": loss.probability, "own": loss.right, "mean": loss.uniform, "loss": loss.total},
        [
            Step("own", ("p",), lambda p: -math.log(p) if p else math.inf),
            Step("loss", ("own", "mean"), lambda own, mean: (1 - share) * own + share * mean),
        ],
    )
    columns = st.columns(5)
    columns[0].metric("p of the right class", said["p"])
    columns[1].metric("Loss, ε = 0", f"{said['own']} nats", help="−ln p")
    columns[2].metric(
        f"Loss, ε = {share:g}",
        f"{said['loss']} nats",
        help=f"(1 − ε) · {said['own']} + ε · {said['mean']}, the mean −ln p",
    )
    columns[3].metric(
        "Lowest possible",
        f"{three(loss.floor)} nats",
        help="The target's own entropy, reached where p = q.",
    )
    columns[4].metric(
        "Lead at p = q",
        three(best_gap(len(case.names), share)),
        help="How far the right logit stands above all others where the loss is lowest.",
    )


def _table(case: Case, share: float) -> tuple[list[str], Iterator[tuple[object, ...]]]:
    from scipy.special import softmax  # pyright: ignore[reportUnknownVariableType]

    target = smoothed_target(len(case.names), case.right, share)
    probabilities = softmax(case.logits)
    return ["class", "logit", "p", "q"], zip(
        case.names, case.logits, probabilities, target, strict=True
    )


VIEW: Final = View("smoothing", "Label smoothing", PARAMS, render)
