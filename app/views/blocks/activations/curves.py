"""Every activation and its derivative, and what the cheap forms of GELU get wrong."""

from typing import Final

import numpy as np
import streamlit as st

from app.ui import charts, params
from app.ui.export_bar import Export
from app.views.blocks.parts import preset_chips
from app.views.blocks.state import PAGE, get, key
from core.blocks.activations import Activation, activations, gelu_errors

POINTS: Final = 401
NAMES: Final = tuple(activations())


def _parse(given: str) -> tuple[str, ...] | None:
    return tuple(name for name in NAMES if name in given.split(",")) or None


CHOSEN: Final = params.Param("fn", ("relu", "gelu", "elu", "swish"), _parse, ",".join)
ALPHA: Final = params.number("alpha", 0.1, 3.0, 1.0)
BETA: Final = params.number("beta", 0.1, 10.0, 1.0)
RANGE: Final = params.number("xmax", 1.0, 10.0, 5.0)
AT: Final = params.number("x", -10.0, 10.0, 1.0)
PARAMS: Final = (CHOSEN, ALPHA, BETA, RANGE, AT)

EXAMPLES: Final[dict[str, dict[params.Param, object]]] = {
    "the four": {CHOSEN: CHOSEN.default, ALPHA: 1.0, BETA: 1.0, RANGE: 5.0},
    "GELU's three forms": {CHOSEN: ("gelu", "gelu-tanh", "gelu-sigmoid"), RANGE: 4.0},
    "Swish becomes ReLU: β = 10": {CHOSEN: ("relu", "swish"), BETA: 10.0, RANGE: 3.0},
    "Swish becomes x/2: β = 0.1": {CHOSEN: ("relu", "swish"), BETA: 0.1, RANGE: 10.0},
}


def render() -> Export | None:
    """Choose functions; see values, slopes, GELU's errors, and the numbers at one x."""
    functions = activations(alpha=get(ALPHA), beta=get(BETA))
    _controls(functions)
    chosen = {name: functions[name] for name in get(CHOSEN)}
    if not chosen:
        st.info("No function is chosen: take at least one above.")
        return None
    x = np.linspace(-get(RANGE), get(RANGE), POINTS)
    caption = f"activations; ELU's α = {get(ALPHA):g}, Swish's β = {get(BETA):g}"
    values = {name: one.value(x) for name, one in chosen.items()}
    slopes = {name: one.slope(x) for name, one in chosen.items()}
    errors = gelu_errors(x)
    titles = {name: one.title for name, one in chosen.items()}
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
    _about()
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
    preset_chips("curves", EXAMPLES)
    st.session_state[f"{PAGE}.fn-pills"] = list(get(CHOSEN))
    st.pills(
        "Functions",
        NAMES,
        selection_mode="multi",
        format_func=lambda name: functions[name].title,
        key=f"{PAGE}.fn-pills",
        on_change=_take_functions,
        label_visibility="collapsed",
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.slider("ELU's α", 0.1, 3.0, step=0.1, key=key(ALPHA), width=190)
        st.slider("Swish's β", 0.1, 10.0, step=0.1, key=key(BETA), width=190)
        st.slider("x from −r to r", 1.0, 10.0, step=0.5, key=key(RANGE), width=190)
        st.slider("numbers at x", -10.0, 10.0, step=0.1, key=key(AT), width=220)


def _take_functions() -> None:
    chosen = st.session_state[f"{PAGE}.fn-pills"]
    st.session_state[key(CHOSEN)] = tuple(name for name in NAMES if name in chosen)


def _chart(
    x: np.ndarray,
    curves: dict[str, np.ndarray],
    titles: dict[str, str],
    y_title: str,
    name: str,
    caption: str,
) -> None:
    drawn = [
        charts.Curve(
            titles.get(short, short),
            x,
            y,
            tuple(
                f"{titles.get(short, short)}: {value:.3g} at x = {place:.3g}"
                for place, value in zip(x, y, strict=True)
            ),
            markers=False,
        )
        for short, y in curves.items()
    ]
    chart = charts.chart(drawn, x_title="x", y_title=y_title, height=400)
    charts.mark_x(chart, get(AT), "")
    charts.show(chart, key=f"{PAGE}.{name}", name=name, caption=caption)


def _at_one_point(chosen: dict[str, Activation]) -> None:
    here = np.array([get(AT)])
    rows = [
        f"| {one.title} | ${one.formula}$ | {one.value(here)[0]:.4g} | {one.slope(here)[0]:.4g} |"
        for one in chosen.values()
    ]
    head = f"| | f(x) | at x = {get(AT):g} | slope there |\n|---|---|---|---|\n"
    st.markdown(head + "\n".join(rows))


def _about() -> None:
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(
            r"ReLU as in [Vaswani et al. 2017](https://arxiv.org/abs/1706.03762), equation 2. "
            r"GELU $=x\,\Phi(x)$, with Φ the standard normal distribution function: "
            "[Hendrycks & Gimpel 2016](https://arxiv.org/abs/1606.08415); BERT and GPT use it. "
            "ELU: [Clevert et al. 2016](https://arxiv.org/abs/1511.07289). Swish: "
            "[Ramachandran et al. 2017](https://arxiv.org/abs/1710.05941), called SiLU for β = 1."
        )
    with right:
        st.markdown(
            "GPT-2 computes the tanh form, which is off by less than 5 · 10⁻⁴; the sigmoid form is "
            "Swish with β = 1.702, off by up to 0.02. **Caution:** they are not the same function: "
            "a checkpoint trained with one and run with another gives slightly other numbers. At "
            "x = 0 ReLU has no derivative; libraries take 0."
        )
