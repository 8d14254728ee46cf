"""Self-attention on its own output, again and again: where do the points end?"""

import numpy as np
import streamlit as st

from app.components.drift import Drift, drift, drift_frame
from app.services import blocks
from app.ui import charts
from app.ui.export_bar import Export
from app.ui.params import Param
from app.views.blocks.attention.state import COOLNESS, POINTS, START, START_SEED, STEP
from app.views.blocks.parts import preset_chips
from app.views.blocks.state import PAGE, get, key, put
from core.blocks.iterated_attention import ARRANGEMENTS, SAME, Run

EXAMPLES: dict[str, dict[Param, object]] = {
    name: dict(zip((START, POINTS, COOLNESS, START_SEED, STEP), (*values, 0, 0), strict=True))
    for name, values in {
        "groups, then a long wait": ("scattered", 40, 0.5),
        "collapse": ("scattered", 40, 2.0),
        "cold: four groups stay": ("scattered", 40, 0.1),
        "a ring that gives way": ("ring", 36, 0.1),
        "three on a line": ("line", 3, 1.0),
    }.items()
}
EXTENT = 2.1  # of the picture, a little more than any start


def render() -> Export | None:
    """Choose a start and λ; watch; measure how fast the points meet."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control("Start", ARRANGEMENTS, key=key(START), required=True)
        st.slider("points", 3, 120, key=key(POINTS), width=160)
        st.slider("temperature λ", 0.02, 4.0, step=0.02, key=key(COOLNESS), width=240)
        st.number_input("seed", 0, 9999, step=1, key=key(START_SEED), width=130)
    preset_chips("limit", EXAMPLES)
    run = blocks.run(get(START), get(POINTS), get(COOLNESS), seed=get(START_SEED))
    caption = (
        f"V ← softmax(V Vᵀ / {get(COOLNESS):g}) V, {get(POINTS)} points, start “{get(START)}”, "
        f"seed {get(START_SEED)}"
    )
    figure = Drift(
        points=run.points,
        diameters=run.diameters,
        moves=run.moves,
        clusters=run.clusters,
        extent=EXTENT,
        same=float(SAME * run.diameters[0]),
        label="Points under iterated self-attention",
        caption=caption,
    )
    left, right = st.columns([5, 6], gap="large")
    with left:
        put(STEP, drift(figure, step=get(STEP), key=f"{PAGE}.drift"))
    with right:
        _convergence(run, caption)
        _says(run)
    _about()
    return Export(
        name="iterated-attention",
        caption=caption,
        table=lambda: (
            ("step", "diameter", "largest_move", "groups"),
            zip(
                range(len(run.points)),
                run.diameters.tolist(),
                run.moves.tolist(),
                run.clusters,
                strict=True,
            ),
        ),
        more={
            "points": lambda: (
                ("step", "point", "x", "y"),
                (
                    (step, point + 1, float(x), float(y))
                    for step, places in enumerate(run.points)
                    for point, (x, y) in enumerate(places)
                ),
            )
        },
        arrays=lambda: {"points": run.points, "diameters": run.diameters, "moves": run.moves},
        offline=("drift", lambda: drift_frame(figure)),
    )


def _convergence(run: Run, caption: str) -> None:
    steps = np.arange(len(run.diameters), dtype=np.float64)
    named = {"diameter of all points": run.diameters, "largest move in the step": run.moves}
    curves = [
        charts.Curve(
            name,
            steps,
            np.where(values > 0, values, np.nan),  # zero has no place on a logarithmic axis
            tuple(
                f"step {step:.0f}: {name} {value:.3g}"
                for step, value in zip(steps, values, strict=True)
            ),
            markers=False,
        )
        for name, values in named.items()
    ]
    chart = charts.chart(curves, x_title="step", y_title="length (log)", log_y=True, height=380)
    charts.mark_x(chart, get(STEP), "")
    charts.show(chart, key=f"{PAGE}.convergence", name="convergence", caption=caption)


def _says(run: Run) -> None:
    last = len(run.points) - 1
    met = next((step for step, groups in enumerate(run.clusters) if groups == 1), None)
    if met is not None:
        st.markdown(
            f"All points have met after **{met} steps** (nearer than {SAME:g} of the first "
            "diameter). Rank one: every token has become the same."
        )
        return
    st.markdown(
        f"After {last} steps **{run.clusters[-1]} groups** are left, and the last step moved no "
        f"point by more than {run.moves[-1]:.2g}. They attract each other still: every weight is "
        "positive, so each step shrinks the hull. But a point looks at another group with only "
        r"$e^{(V_i\cdot V_j-|V_i|^2)/\lambda}$ times the weight that it gives its own place, and "
        "waiting takes as much longer."
    )


def _about() -> None:
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(r"V^{(t+1)}=\mathrm{softmax}\!\Big(\frac{V^{(t)}V^{(t)\top}}{\lambda}\Big)V^{(t)}")
        st.markdown(
            "Each point is query, key and value at once and moves to a weighted mean of all. "
            "Weights are positive and sum to one, so no point leaves the hull, and all meet in "
            "the end: attention alone loses rank "
            "([Dong et al. 2021](https://arxiv.org/abs/2103.03404)). On the way, clusters form "
            "that last long when λ is small "
            "([Geshkovski et al. 2023](https://arxiv.org/abs/2305.05465))."
        )
    with right:
        st.markdown(
            "**Two points by hand:** ±a with λ: the weight on itself is "
            r"$1/(1+e^{-2a^2/\lambda})$, so $a\leftarrow a\tanh(a^2/\lambda)$: "
            "almost a for small λ, and at 0 in the end."
        )
        st.markdown(
            "**Caution:** a Transformer does not do this. Residual connections, feed-forward "
            "networks, norms and different matrices in each layer work against the collapse; "
            "this is what attention does when left alone."
        )
