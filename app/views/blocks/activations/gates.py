"""Feed-forward blocks with a gate: the surface, its slopes, and one vector's way through."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map, heat_map_frame
from app.ui import params
from app.ui.export_bar import Export, Table
from app.views.blocks import matrices
from app.views.blocks.state import PAGE, get, key
from core.blocks.attention import LARGEST
from core.blocks.gated_ffn import (
    GATES,
    GatedSteps,
    equal_width,
    gate_surface,
    gated_steps,
    random_block,
)

D_MODEL: Final = 4
AXIS: Final = np.linspace(-4, 4, 33)

KIND: Final = params.choice("gate", list(GATES))
D_FF: Final = params.number("gff", 2, 12, 8)
SEED: Final = params.number("gseed", 0, 9999, 0)
X: Final = matrices.matrix("gx", ((1.0, -0.5, 2.0, 0.5),))
PARAMS: Final = (KIND, D_FF, SEED, X)


def render() -> Export | None:
    """Choose a gate; see it over the plane, then on a vector of yours."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "Gate", list(GATES), format_func=lambda name: GATES[name].title, key=key(KIND),
            required=True,
        )  # fmt: skip
        st.slider("d_ff of the example", 2, 12, key=key(D_FF), width=200)
        st.number_input("seed of its matrices", 0, 9999, step=1, key=key(SEED), width=170)
    kind, title = get(KIND), GATES[get(KIND)].title
    surfaces = gate_surface(AXIS, AXIS, kind)
    caption = f"{title}: f(a) · b over a = xW and b = xV"
    names = ("f(a) · b", "slope by a: f′(a) · b", "slope by b: f(a)")
    maps = [_surface(values, name, caption) for values, name in zip(surfaces, names, strict=True)]
    for number, (place, one) in enumerate(zip(st.columns(3), maps, strict=True)):
        with place:
            heat_map(one, key=f"{PAGE}.surface-{number}")
    steps = _example(kind)
    _about()
    return Export(
        name="gated-feed-forward",
        caption=caption,
        table=lambda: (
            ("a", "b", "value", "slope_by_a", "slope_by_b"),
            (
                (a, b, *(float(surface[i, j]) for surface in surfaces))
                for i, a in enumerate(AXIS)
                for j, b in enumerate(AXIS)
            ),
        ),
        more={} if steps is None else {"example": lambda: _example_table(steps)},
        arrays=lambda: {
            "a": AXIS,
            "b": AXIS,
            "value": surfaces[0],
            **({} if steps is None else {"hidden": steps.hidden, "output": steps.output}),
        },
        offline=("heat_map", lambda: heat_map_frame(maps[0])),
    )


def _surface(values: np.ndarray, name: str, caption: str) -> HeatMap:
    labels = tuple(f"{value:g}" for value in AXIS)
    return HeatMap(
        values.astype(np.float32), labels, labels, label=name, title=name, caption=caption,
        row_title="a = x W, the gate", column_title="b = x V, what passes", height=340.0,
    )  # fmt: skip


def _example(kind: str) -> GatedSteps | None:
    st.subheader("One vector through the block")
    left, right = st.columns([4, 8], gap="medium")
    with left:
        st.markdown("**x**, yours to edit")
        x = matrices.edit(X, ("x",), D_MODEL)[0].astype(np.float64)
        if not (np.abs(x) <= LARGEST).all():
            st.warning(
                f"A cell of x is empty or too large. Put numbers from {-LARGEST:g} to "
                f"{LARGEST:g} there.",
                icon=":material/info:",
            )
            return None
        block = random_block(D_MODEL, get(D_FF), seed=get(SEED))
        steps = gated_steps(x, block, kind)
        heat_map(
            HeatMap(
                steps.output[None].astype(np.float32), ("output",),
                tuple(str(number + 1) for number in range(D_MODEL)), label="Output",
                title="5 · hidden · W₂", numbers=True, cell=(56.0, 34.0),
            ),
            key=f"{PAGE}.gate-output",
        )  # fmt: skip
    with right:
        function = {"glu": "σ", "reglu": "ReLU", "geglu": "GELU", "swiglu": "Swish"}[kind]
        rows = {
            "1·xW": steps.gate_input,
            f"2·{function}(xW)": steps.gate,
            "3·xV": steps.value,
            "4·2⊙3": steps.hidden,
        }
        heat_map(
            HeatMap(
                np.stack(list(rows.values())).astype(np.float32), tuple(rows),
                tuple(str(number + 1) for number in range(get(D_FF))), label="Steps of the block",
                title="Two projections, one of them a gate", numbers=True, cell=(62.0, 34.0),
            ),
            key=f"{PAGE}.gate-steps",
        )  # fmt: skip
    return steps


def _example_table(steps: GatedSteps) -> Table:
    fields = ("gate_input", "gate", "value", "hidden", "output")
    rows = (
        (name, number + 1, float(value))
        for name in fields
        for number, value in enumerate(getattr(steps, name))
    )
    return ("step", "dimension", "value"), rows


def _about() -> None:
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"\begin{aligned}\text{SwiGLU: }&\big(\mathrm{Swish}_1(xW)\otimes xV\big)W_2\\"
            r"\text{GeGLU: }&\big(\mathrm{GELU}(xW)\otimes xV\big)W_2\end{aligned}"
        )
        st.markdown(
            "[Shazeer 2020](https://arxiv.org/abs/2002.05202), equations 5 and 6. Where a plain "
            "block bends each coordinate by itself, a gate multiplies two projections of x: the "
            "slope by b is f(a), so the gate decides how much of b, and of its gradient, passes."
        )
    with right:
        st.markdown(
            f"**Three matrices instead of two**, so papers shrink d_ff to ⅔: 3,072 becomes "
            f"{equal_width(3072):,} with as many parameters (2 · d · 3,072 = 3 · d · 2,048)."
        )
        st.markdown(
            "**A slip to know:** slides often write SwiGLU(x) = x σ(x). Without the second "
            "projection V, that is only Swish. **Caution:** the matrices here are random; why "
            "gates help is open (the paper: “we attribute their success … to divine benevolence”)."
        )
