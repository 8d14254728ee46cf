"""Why √d_k: the variance of dot products, and what it does to a softmax and its gradient."""

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map
from app.services import blocks
from app.ui import charts
from app.ui.export_bar import Export, matrix_table
from app.ui.params import Param
from app.views.blocks.attention.state import N_KEYS, SEED, WIDTH
from app.views.blocks.parts import preset_chips
from app.views.blocks.state import PAGE, get, key
from core.blocks.softmax_saturation import DotProducts, Saturation, saturation

EXAMPLES: dict[str, dict[Param, object]] = {
    "a narrow head: d_k = 4": {WIDTH: 4, N_KEYS: 16},
    "BERT's heads: d_k = 64": {WIDTH: 64, N_KEYS: 16},
    "one wide head: d_k = 768": {WIDTH: 768, N_KEYS: 16},
    "among 64 keys": {WIDTH: 64, N_KEYS: 64},
}
WAYS = ("q·k", "q·k/√d_k")
SHOWN_KEYS = 16  # of one query's row, printed


def render() -> Export | None:
    """Draw random vectors, measure, show the curves and one row."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.select_slider("width d_k", blocks.WIDTHS, key=key(WIDTH), width=360)
        st.slider("keys", 2, 64, key=key(N_KEYS), width=200)
        st.number_input("seed", 0, 9999, step=1, key=key(SEED), width=130)
    preset_chips("root", EXAMPLES)
    drawn = blocks.dot_products(get(N_KEYS), get(SEED))
    raw = [saturation(dots) for dots in drawn.dots]
    scaled = [saturation(drawn.scaled(width)) for width in drawn.widths]
    caption = (
        f"{blocks.QUERIES} random queries, {get(N_KEYS)} keys each, components N(0, 1), "
        f"seed {get(SEED)}"
    )
    _curves(drawn, raw, scaled, caption)
    _numbers(drawn, raw, scaled)
    _one_row(drawn, caption)
    _about()
    return Export(
        name="why-sqrt-dk",
        caption=caption,
        table=lambda: (
            ("d_k", "scaled", "variance", "largest_weight", "gradient_norm"),
            (
                (width, name, one.variance, one.largest_weight, one.gradient_norm)
                for name, measured in (("no", raw), ("yes", scaled))
                for width, one in zip(drawn.widths, measured, strict=True)
            ),
        ),
        more={"one row": lambda: matrix_table(drawn.first_weights(get(WIDTH)), WAYS, _keys())},
        arrays=lambda: {"d_k": np.array(drawn.widths), "dots": drawn.dots},
    )


def _curves(
    drawn: DotProducts, raw: list[Saturation], scaled: list[Saturation], caption: str
) -> None:
    widths = np.array(drawn.widths, dtype=np.float64)
    titles = {
        "variance": "variance of the scores",
        "largest_weight": "largest weight of a row, mean",
        "gradient_norm": "‖∂ weights / ∂ scores‖, mean",
    }
    for place, (field, title) in zip(st.columns(3), titles.items(), strict=True):
        curves = [
            charts.Curve(
                name,
                widths,
                np.array([getattr(one, field) for one in measured]),
                tuple(
                    f"d_k = {w}, {name}: {getattr(one, field):.3g}"
                    for w, one in zip(drawn.widths, measured, strict=True)
                ),
            )
            for name, measured in (("q · k", raw), ("q · k / √d_k", scaled))
        ]
        if field == "variance":
            curves.append(
                charts.Curve("d_k, in theory", widths, widths, markers=False, dashed=True)
            )
        chart = charts.chart(
            curves, x_title="d_k (log)", y_title=title, log_x=True, log_y=field == "variance",
            height=330,
        )  # fmt: skip
        charts.mark_x(chart, get(WIDTH), "")
        with place:
            charts.show(chart, key=f"{PAGE}.{field}", name=field, caption=caption)


def _numbers(drawn: DotProducts, raw: list[Saturation], scaled: list[Saturation]) -> None:
    place = drawn.widths.index(get(WIDTH))
    st.dataframe(
        {
            f"d_k = {get(WIDTH)}": ["q · k", "q · k / √d_k"],
            "variance": [raw[place].variance, scaled[place].variance],
            "in theory": [float(get(WIDTH)), 1.0],
            "largest weight": [raw[place].largest_weight, scaled[place].largest_weight],
            "× uniform": [
                one[place].largest_weight * get(N_KEYS) for one in (raw, scaled)
            ],
            "gradient norm": [raw[place].gradient_norm, scaled[place].gradient_norm],
        },
        column_config={
            name: st.column_config.NumberColumn(format="%.3g")
            for name in ("variance", "in theory", "largest weight", "× uniform", "gradient norm")
        },
        hide_index=True,
    )  # fmt: skip


def _one_row(drawn: DotProducts, caption: str) -> None:
    """The first query's weights, both ways."""
    both = drawn.first_weights(get(WIDTH))
    shown = both[:, :SHOWN_KEYS]
    heat_map(
        HeatMap(
            shown,
            WAYS,
            _keys()[:SHOWN_KEYS],
            label="One query's weights",
            title=f"The first query's weights over its keys, d_k = {get(WIDTH)}",
            caption=caption,
            scale="sequential",
            limit=1.0,
            numbers=True,
        ),
        key=f"{PAGE}.row",
    )
    if both.shape[1] > SHOWN_KEYS:
        hidden = both[:, SHOWN_KEYS:].sum(axis=1)
        st.caption(
            f"{both.shape[1] - SHOWN_KEYS} further keys are not drawn; they hold "
            f"{hidden[0]:.3g} and {hidden[1]:.3g} of the two rows."
        )


def _keys() -> tuple[str, ...]:
    return tuple(f"k{number + 1}" for number in range(get(N_KEYS)))


def _about() -> None:
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"\operatorname{Var}(q\cdot k)=\sum_{i=1}^{d_k}\operatorname{Var}(q_ik_i)=d_k"
            r"\quad\Rightarrow\quad\operatorname{Var}\!\Big(\frac{q\cdot k}{\sqrt{d_k}}\Big)=1"
        )
        st.markdown(
            "[Vaswani et al. 2017](https://arxiv.org/abs/1706.03762), section 3.2.1 with its "
            "footnote 4: with independent components of mean 0 and variance 1, dot products grow "
            "with $\\sqrt{d_k}$, and the softmax is pushed to where its gradient all but vanishes."
        )
    with right:
        st.latex(
            r"\frac{\partial p_i}{\partial s_j}=p_i(\delta_{ij}-p_j),\quad"
            r"\|J\|_F^2=\sum p^2-2\sum p^3+\big(\sum p^2\big)^2"
        )
        st.markdown(
            "The gradient is the softmax's own, by its scores: it is small where one weight takes "
            "all, and also where all weights are alike among many keys. **Caution:** in a trained "
            "model the components are neither independent nor of variance 1."
        )
