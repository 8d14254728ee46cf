"""Why softmax: the weights that win most score and stay most open, found without softmax."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import streamlit as st

from app.style import theme
from app.style.number_format import significant, three
from app.ui import charts
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.data_table import data_table
from app.ui.examples import preset_chips
from app.ui.export_bar import Export
from app.ui.page import View
from app.ui.params import Scope
from core.blocks.softmax_as_optimum import (
    CORNERS,
    Ascent,
    ascend,
    best_of,
    divergence,
    landscape,
    optima,
    optimum,
    perturbed,
    random_distributions,
)

HERE: Final = Scope("blocks", "attention.entropy")
SCORES: Final = tuple(
    HERE.real(f"s{number}", -5.0, 5.0, default)
    for number, default in ((1, 1.0), (2, 0.5), (3, -1.0))
)
STRENGTH: Final = HERE.real("temperature", 0.05, 5.0, 1.0)
PRESETS: Final = {
    name: [param.at(value) for param, value in zip((*SCORES, STRENGTH), values, strict=True)]
    for name, values in {
        "three scores": (1.0, 0.5, -1.0, 1.0),
        "a clear winner": (3.0, 0.0, -3.0, 1.0),
        "a tie": (1.0, 1.0, -1.0, 0.5),
        "cold: λ = 0.1": (1.0, 0.5, -1.0, 0.1),
        "warm: λ = 5": (1.0, 0.5, -1.0, 5.0),
    }.items()
}
GRID = 141  # points along one side of the picture
RANDOM, NEIGHBOURS, NEAR, SEED = 2000, 200, 1e-3, 0
STRENGTHS = np.geomspace(0.05, 5, 60)


def render() -> Export:
    """Three scores, λ, the landscape over all weights, and who finds its top."""
    with controls():
        for number, param in enumerate(SCORES):
            param.slider(f"score s{number + 1}", step=0.1, width=170)
        STRENGTH.slider("λ", step=0.05, width=220)
        preset_chips(PRESETS, key=HERE.key("preset"))
    scores = np.array([param.value for param in SCORES])
    strength = STRENGTH.value
    ascent = ascend(scores, strength)
    best, value = optimum(scores, strength)
    caption = f"⟨p, s⟩ + λ H(p) for s = {', '.join(f'{s:g}' for s in scores)} and λ = {strength:g}"
    drawn = random_distributions(len(scores), count=RANDOM, seed=SEED)
    shares = " · ".join(three(float(share)) for share in best)
    _, near = best_of(drawn, scores, strength)
    answer(
        f"softmax(s / λ) = **{shares}** is the best there is, worth **{significant(value, 5)}**; "
        f"the best of {RANDOM:,} random p is worth **{significant(near, 5)}**."
    )
    left, right = st.columns(2, gap="medium")
    with left:
        _landscape(scores, strength, ascent, caption)
    with right:
        _weights_by_strength(scores, strength, caption)
    _checks(scores, strength, ascent)
    return Export(
        name="why-softmax",
        caption=f"{caption}; maximum {value:.6g} at {best.round(6).tolist()}",
        table=lambda: (
            ("step", "p1", "p2", "p3", "value"),
            (
                (step, *point, reached)
                for step, (point, reached) in enumerate(
                    zip(ascent.path.tolist(), ascent.values.tolist(), strict=True)
                )
            ),
        ),
        more={
            "weights by lambda": lambda: (
                ("lambda", "p1", "p2", "p3"),
                zip(STRENGTHS.tolist(), *optima(scores, STRENGTHS).T.tolist(), strict=True),
            )
        },
        arrays=lambda: {"scores": scores, "path": ascent.path, "values": ascent.values},
    )


def _landscape(scores: np.ndarray, strength: float, ascent: Ascent, caption: str) -> None:
    """The objective over the triangle of all weights, and the optimiser's way up."""
    dark = st.context.theme.type == "dark"
    page = theme.page_colours(dark=dark)
    ground = landscape(scores, strength, side=GRID)
    path = ascent.path @ CORNERS
    best, _ = optimum(scores, strength)
    top = best @ CORNERS
    ink, blue = page["textColor"], theme.colour("encoder", dark=dark)
    ascents = [
        f"step {step}: p = {', '.join(f'{share:.3f}' for share in point)}; {reached:.4f}"
        for step, (point, reached) in enumerate(zip(ascent.path, ascent.values, strict=True))
    ]
    traces: list[dict[str, Any]] = [
        {
            "type": "contour",
            "x": charts.numbers(ground.x.astype(np.float32)),
            "y": charts.numbers(ground.y.astype(np.float32)),
            "z": charts.numbers(ground.values.astype(np.float32)),
            "ncontours": 18,
            "colorscale": [[0, page["backgroundColor"]], [1, blue]],
            "line": {"width": 0.5},
            "colorbar": {"title": {"text": "value"}, "thickness": 10},
            "hoverinfo": "skip",
        },
        {
            "type": "scatter",
            "x": charts.numbers(path[:, 0]),
            "y": charts.numbers(path[:, 1]),
            "mode": "lines+markers",
            "name": "Newton's method, step by step",
            "line": {"color": ink, "width": 1.5},
            "marker": {"size": 6, "color": ink},
            "customdata": ascents,
            "hovertemplate": "%{customdata}<extra></extra>",
        },
        {
            "type": "scatter",
            "x": charts.numbers(top[:1]),
            "y": charts.numbers(top[1:]),
            "mode": "markers",
            "name": "softmax(s / λ)",
            "marker": {
                "size": 15,
                "symbol": "circle-open",
                "color": page["primaryColor"],
                "line": {"width": 2.5},
            },
            "customdata": [", ".join(f"{share:.4f}" for share in best)],
            "hovertemplate": "softmax(s / λ) = %{customdata}<extra></extra>",
        },
    ]
    layout = {
        "template": charts.template(dark=dark),
        "height": 400,
        "xaxis": {"visible": False, "range": [-0.16, 1.16]},
        "yaxis": {"visible": False, "scaleanchor": "x", "range": [-0.05, 0.92]},
    }
    figure = charts.Figure(traces, layout)
    for number, (corner, anchor) in enumerate(zip(CORNERS, ("right", "left", "left"), strict=True)):
        figure.add_annotation(
            x=corner[0], y=corner[1], text=f"p{number + 1} = 1", showarrow=False, xanchor=anchor,
            xshift=-6 if anchor == "right" else 6,
        )  # fmt: skip
    charts.show(figure, key=HERE.key("landscape"), name="entropy-landscape", caption=caption)


def _weights_by_strength(scores: np.ndarray, strength: float, caption: str) -> None:
    found = optima(scores, STRENGTHS)
    curves = [
        charts.Curve(
            f"p{number + 1} (score {score:g})",
            STRENGTHS,
            found[:, number],
            tuple(
                f"λ = {one:.3g}: p{number + 1} = {share:.3g}"
                for one, share in zip(STRENGTHS, found[:, number], strict=True)
            ),
            markers=False,
        )
        for number, score in enumerate(scores)
    ]
    chart = charts.chart(curves, x_title="λ (log)", y_title="weight", log_x=True, height=400)
    charts.mark_x(chart, strength, f"λ = {strength:g}")
    charts.show(chart, key=HERE.key("by-lambda"), name="weights-by-lambda", caption=caption)


def _checks(scores: np.ndarray, strength: float, ascent: Ascent) -> None:
    """Every way to look for a better p, and how far below the closed form it ends."""
    best, value = optimum(scores, strength)
    drawn = random_distributions(len(scores), count=RANDOM, seed=SEED)
    near = perturbed(best, size=NEAR, count=NEIGHBOURS, seed=SEED)
    reached = {
        "softmax(s / λ): value λ log Σ exp(s / λ)": (best, value),
        f"Newton's method from the middle, {len(ascent.path) - 1} steps": (
            ascent.path[-1], float(ascent.values[-1]),
        ),
        f"best of {NEIGHBOURS} neighbours at distance {NEAR:g}": best_of(near, scores, strength),
        f"best of {RANDOM:,} random p": best_of(drawn, scores, strength),
        "all on the largest score": best_of(np.eye(len(scores)), scores, strength),
        "uniform": best_of(np.full((1, len(scores)), 1 / len(scores)), scores, strength),
    }  # fmt: skip
    data_table(
        {
            "who looks": list(reached),
            "p": [", ".join(f"{share:.4f}" for share in p) for p, _ in reached.values()],
            "⟨p, s⟩ + λ H(p)": [f"{one:.6f}" for _, one in reached.values()],
            "short of the maximum": [f"{value - one:.2g}" for _, one in reached.values()],
            "λ KL(p ‖ softmax)": [
                f"{strength * divergence(p, best):.2g}" for p, _ in reached.values()
            ],
        },
    )


VIEW: Final = View("entropy", "Why softmax", (*SCORES, STRENGTH), figure=render)
