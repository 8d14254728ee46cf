"""Feed-forward blocks with a gate: the surface, its slopes, and one vector's way through."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map, heat_map_frame
from app.style.number_format import three
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export, Table
from app.ui.page import View
from app.ui.params import Scope
from app.views.blocks import matrices
from core.blocks.attention import LARGEST
from core.blocks.gated_ffn import (
    GATES,
    GatedSteps,
    gate_surface,
    gated_steps,
    random_block,
)

D_MODEL: Final = 4
AXIS: Final = np.linspace(-4, 4, 33)

HERE: Final = Scope("blocks", "activations.gates")
KIND: Final = HERE.choice("gate", {name: gate.title for name, gate in GATES.items()})
D_FF: Final = HERE.whole("d_ff", 2, 12, 8)
SEED: Final = HERE.whole("seed", 0, 9999, 0)
X: Final = matrices.matrix(HERE, "x", ((1.0, -0.5, 2.0, 0.5),))


def render() -> Export:
    """Choose a gate; see it over the plane, then on a vector of yours."""
    with controls():
        KIND.segmented("Gate")
        D_FF.slider("d_ff of the example", width=200)
        SEED.number_input("seed of its matrices", width=170)
    kind, title = KIND.value, GATES[KIND.value].title
    surfaces = gate_surface(AXIS, AXIS, kind)
    caption = f"{title}: f(a) · b over a = xW and b = xV"
    names = ("f(a) · b", "slope by a: f′(a) · b", "slope by b: f(a)")
    maps = [_surface(values, name, caption) for values, name in zip(surfaces, names, strict=True)]
    passed = surfaces[0][:, -1]
    answer(
        f"Of b = {AXIS[-1]:g}, {title} lets **{three(float(passed[0]))}** through where the gate’s "
        f"a is −{-AXIS[0]:g}, and **{three(float(passed[-1]))}** where it is {AXIS[-1]:g}."
    )
    for number, (place, one) in enumerate(zip(st.columns(3), maps, strict=True)):
        with place:
            heat_map(one, key=HERE.key(f"surface-{number}"))
    steps = _example(kind)
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
        block = random_block(D_MODEL, D_FF.value, seed=SEED.value)
        steps = gated_steps(x, block, kind)
        heat_map(
            HeatMap(
                steps.output[None].astype(np.float32), ("output",),
                tuple(str(number + 1) for number in range(D_MODEL)), label="Output",
                title="5 · hidden · W₂", numbers=True, cell=(56.0, 34.0),
            ),
            key=HERE.key("gate-output"),
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
                tuple(str(number + 1) for number in range(D_FF.value)), label="Steps of the block",
                title="Two projections, one of them a gate", numbers=True, cell=(62.0, 34.0),
            ),
            key=HERE.key("gate-steps"),
        )  # fmt: skip
    return steps


def _example_table(steps: GatedSteps) -> Table:
    named = {
        "gate_input": steps.gate_input,
        "gate": steps.gate,
        "value": steps.value,
        "hidden": steps.hidden,
        "output": steps.output,
    }
    rows = (
        (name, number + 1, value)
        for name, values in named.items()
        for number, value in enumerate(values.tolist())
    )
    return ("step", "dimension", "value"), rows


VIEW: Final = View("gates", "With a gate: SwiGLU, GeGLU", (KIND, D_FF, SEED, X), figure=render)
