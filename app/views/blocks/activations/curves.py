"""Every activation and its derivative, and what the cheap forms of GELU get wrong."""

from typing import Final

import numpy as np
import streamlit as st

from app.style.number_format import three
from app.ui import charts
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.examples import preset_chips
from app.ui.export_bar import Export
from app.ui.options import some_of
from app.ui.page import View
from app.ui.params import Scope
from core.blocks.activations import Activation, activations, gelu_errors

POINTS: Final = 401
NAMES: Final = tuple(activations())


def _parse(given: str) -> tuple[str, ...] | None:
    return tuple(name for name in NAMES if name in given.split(",")) or None


HERE: Final = Scope("blocks", "activations.curves")
FOUR: Final = ("relu", "gelu", "elu", "swish")
CHOSEN: Final = HERE.custom("functions", FOUR, _parse, ",".join)
ALPHA: Final = HERE.real("alpha", 0.1, 3.0, 1.0)
BETA: Final = HERE.real("beta", 0.1, 10.0, 1.0)
RANGE: Final = HERE.real("range", 1.0, 10.0, 5.0)
AT: Final = HERE.real("x", -10.0, 10.0, 1.0)

PRESETS: Final = {
    "the four": (CHOSEN.at(FOUR), ALPHA.at(1.0), BETA.at(1.0), RANGE.at(5.0)),
    "GELU's three forms": (CHOSEN.at(("gelu", "gelu-tanh", "gelu-sigmoid")), RANGE.at(4.0)),
    "Swish becomes ReLU: β = 10": (CHOSEN.at(("relu", "swish")), BETA.at(10.0), RANGE.at(3.0)),
    "Swish becomes x/2: β = 0.1": (CHOSEN.at(("relu", "swish")), BETA.at(0.1), RANGE.at(10.0)),
}


def render() -> Export | None:
    """Choose functions; see values, slopes, GELU's errors, and the numbers at one x."""
    functions = activations(alpha=ALPHA.value, beta=BETA.value)
    _controls(functions)
    chosen = {name: functions[name] for name in CHOSEN.value}
    if not chosen:
        st.info("No function is chosen: take at least one above.")
        return None
    x = np.linspace(-RANGE.value, RANGE.value, POINTS)
    caption = f"activations; ELU's α = {ALPHA.value:g}, Swish's β = {BETA.value:g}"
    values = {name: one.value(x) for name, one in chosen.items()}
    slopes = {name: one.slope(x) for name, one in chosen.items()}
    errors = gelu_errors(x)
    titles = {name: one.title for name, one in chosen.items()}
    here = np.array([AT.value])
    said = " · ".join(
        f"{one.title} **{three(float(one.value(here)[0]))}**" for one in chosen.values()
    )
    answer(f"At x = {AT.value:g}: {said}.")
    left, middle, right = st.columns(3, gap="medium")
    with left:
        _chart(x, values, titles, "f(x)", "activations", caption)
    with middle:
        _chart(x, slopes, titles, "f′(x)", "slopes", caption)
    with right:
        _chart(x, errors, {}, "cheap GELU − exact GELU", "gelu-errors", caption)
        worst = {name: float(np.abs(error).max()) for name, error in errors.items()}
        st.caption(
            f"Largest error here: tanh form {worst['tanh form']:.2g}, sigmoid form "
            f"{worst['sigmoid form']:.2g}."
        )
    _at_one_point(chosen)
    return Export(
        name="activations",
        caption=caption,
        table=lambda: (
            ("x", *(f"{n}{end}" for n in chosen for end in ("", "_slope")), *errors),
            zip(
                x.tolist(),
                *(part[name].tolist() for name in chosen for part in (values, slopes)),
                *(error.tolist() for error in errors.values()),
                strict=True,
            ),
        ),
        arrays=lambda: {
            "x": x,
            **values,
            **{f"{name}_slope": slope for name, slope in slopes.items()},
        },
    )


def _controls(functions: dict[str, Activation]) -> None:
    with controls():
        some_of(
            CHOSEN,
            st.pills,
            "Functions",
            NAMES,
            lambda name: functions[name].title,
            in_order=True,
            selection_mode="multi",
            label_visibility="collapsed",
            width="content",
        )
        ALPHA.slider("ELU's α", step=0.1, width=190)
        BETA.slider("Swish's β", step=0.1, width=190)
        RANGE.slider("x from −r to r", step=0.5, width=190)
        AT.slider("numbers at x", step=0.1, width=220)
        preset_chips(PRESETS, key=HERE.key("preset"))


def _chart(
    x: np.ndarray,
    curves: dict[str, np.ndarray],
    titles: dict[str, str],
    y_title: str,
    name: str,
    caption: str,
) -> None:
    drawn = [
        charts.Curve(titles.get(short, short), x, y, markers=False) for short, y in curves.items()
    ]
    chart = charts.chart(drawn, x_title="x", y_title=y_title, height=400)
    charts.mark_x(chart, AT.value, "")
    charts.show(chart, key=HERE.key(name), name=name, caption=caption)


def _at_one_point(chosen: dict[str, Activation]) -> None:
    here = np.array([AT.value])
    rows = [
        f"| {one.title} | ${one.formula}$ | {one.value(here)[0]:.4g} | {one.slope(here)[0]:.4g} |"
        for one in chosen.values()
    ]
    head = f"| | f(x) | at x = {AT.value:g} | slope there |\n|---|---|---|---|\n"
    st.markdown(head + "\n".join(rows))


VIEW: Final = View("curves", "Curves and slopes", (CHOSEN, ALPHA, BETA, RANGE, AT), figure=render)
