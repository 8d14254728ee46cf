"""Additive (Bahdanau) against dot-product scores: bounded against growing, dear against cheap."""

import numpy as np
import streamlit as st
from scipy.special import softmax

from app.components.heat_map import HeatMap, heat_map
from app.services import blocks
from app.ui import charts
from app.ui.export_bar import Export, matrix_table
from app.ui.params import Param
from app.views.blocks import matrices
from app.views.blocks.attention.state import (
    D_K,
    HIDDEN_UNITS,
    KEY_LENGTH,
    N_KEYS,
    SEED,
    WORDS,
    K,
    Q,
)
from app.views.blocks.parts import preset_chips
from app.views.blocks.state import PAGE, get, key
from core.blocks.attention_scores import (
    AdditiveScore,
    growing_key,
    multiplications,
    random_additive_score,
    scaled_dots,
)

EXAMPLES: dict[str, dict[Param, object]] = {
    "64 units": {HIDDEN_UNITS: 64, KEY_LENGTH: 4.0},
    "one unit: a single tanh": {HIDDEN_UNITS: 1, KEY_LENGTH: 10.0},
    "256 units, long keys": {HIDDEN_UNITS: 256, KEY_LENGTH: 10.0},
}
POINTS = 121  # of the curve of a key that grows
TOKENS = 1000  # of the cost comparison


def render() -> Export | None:
    """Scores along a growing key, saturation by width, and the worked example both ways."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.select_slider(
            "hidden units of the additive score",
            (1, 2, 4, 8, 16, 32, 64, 128, 256),
            key=key(HIDDEN_UNITS),
            width=300,
        )
        st.slider("longest key", 0.5, 10.0, step=0.5, key=key(KEY_LENGTH), width=220)
        st.number_input("seed", 0, 9999, step=1, key=key(SEED), width=130)
    preset_chips("scores", EXAMPLES)
    score = random_additive_score(get(D_K), hidden=get(HIDDEN_UNITS), seed=get(SEED))
    caption = f"additive score untrained, {get(HIDDEN_UNITS)} units, seed {get(SEED)}"
    left, right = st.columns(2, gap="medium")
    with left:
        table = _growing_key(score, caption)
    with right:
        _by_width(caption)
    both = _worked_example(score, caption)
    words = get(WORDS).split()[: matrices.MOST]
    _about(score)
    return Export(
        name="two-kinds-of-score",
        caption=caption,
        table=lambda: (("key_length", "dot", "scaled_dot", "additive"), table.tolist()),
        more={
            "by width": lambda: (
                ("d_k", "dot", "scaled_dot", "additive"),
                (
                    (width, *row)
                    for width, row in zip(blocks.WIDTHS, _widths().tolist(), strict=True)
                ),
            ),
            **{name: lambda m=matrix: matrix_table(m, words, words) for name, matrix in both},
        },
        arrays=lambda: {
            "W": score.query, "U": score.key, "v": score.direction, "growing_key": table,
        },
    )  # fmt: skip


def _growing_key(score: AdditiveScore, caption: str) -> np.ndarray:
    """A query of ones; its key grows in the direction that each score likes best."""
    lengths = np.linspace(-get(KEY_LENGTH), get(KEY_LENGTH), POINTS)
    found = growing_key(score, lengths)
    named = {"q · k": found.dots, "q · k / √d_k": found.scaled, "additive": found.additive}
    curves = [
        charts.Curve(
            name,
            lengths,
            values,
            tuple(
                f"{name}: {value:.3g} at length {length:.3g}"
                for length, value in zip(lengths, values, strict=True)
            ),
            markers=False,
        )
        for name, values in named.items()
    ]
    chart = charts.chart(
        curves,
        x_title="length of the key, along each score's steepest direction",
        y_title="score",
        height=340,
    )
    charts.mark_y(chart, score.bound, f"‖v‖₁ = {score.bound:.3g}, the additive score's bound")
    charts.show(chart, key=f"{PAGE}.growing", name="growing-key", caption=caption)
    return np.stack([lengths, *named.values()], axis=1)


def _by_width(caption: str) -> None:
    found = _widths()
    widths = np.array(blocks.WIDTHS, dtype=np.float64)
    curves = [
        charts.Curve(
            name,
            widths,
            found[:, number],
            tuple(
                f"d_k = {width}, {name}: {value:.3g}"
                for width, value in zip(blocks.WIDTHS, found[:, number], strict=True)
            ),
        )
        for number, name in enumerate(("q · k", "q · k / √d_k", "additive"))
    ]
    chart = charts.chart(
        curves,
        x_title="d_k (log)",
        y_title=f"largest weight over {get(N_KEYS)} keys, mean",
        log_x=True,
        height=340,
    )
    charts.show(chart, key=f"{PAGE}.by-width", name="largest-weight", caption=caption)


def _widths() -> np.ndarray:
    return blocks.largest_weights(get(N_KEYS), get(HIDDEN_UNITS), get(SEED))


def _worked_example(score: AdditiveScore, caption: str) -> list[tuple[str, np.ndarray]]:
    """The Q and K of “Step by step”, scored both ways; returns both, by name."""
    words = get(WORDS).split()[: matrices.MOST]
    queries, keys = (matrices.shown(param, len(words), get(D_K)) for param in (Q, K))
    if not words or not (np.isfinite(queries).all() and np.isfinite(keys).all()):
        st.info("“Step by step” has an empty cell: fill it to see its tokens scored both ways.")
        return []
    st.subheader("The worked example, scored both ways")
    dots = scaled_dots(queries, keys)
    additive = score.scores(queries, keys)
    shown = (
        ("scaled dot product", dots, False),
        ("its softmax", softmax(dots, axis=-1), True),
        ("additive, untrained", additive, False),
        ("its softmax ", softmax(additive, axis=-1), True),
    )
    for number, (place, (title, values, weights)) in enumerate(
        zip(st.columns(4), shown, strict=True)
    ):
        with place:
            heat_map(
                HeatMap(
                    values, tuple(words), tuple(words), label=title, title=title, caption=caption,
                    scale="sequential" if weights else "diverging", limit=1.0 if weights else None,
                    numbers=True, cell=(52.0, 34.0),
                ),
                key=f"{PAGE}.both-{number}",
            )  # fmt: skip
    return [("dot product", dots), ("additive", additive)]


def _about(score: AdditiveScore) -> None:
    d_k, hidden = score.query.shape
    dot, additive = multiplications(TOKENS, TOKENS, d_k, hidden=hidden)
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"\text{additive: }v^{\top}\tanh(W^{\top}q+U^{\top}k)\qquad"
            r"\text{dot product: }q\cdot k/\sqrt{d_k}"
        )
        st.markdown(
            "[Bahdanau, Cho & Bengio 2015](https://arxiv.org/abs/1409.0473), appendix A.1.2: a "
            "small network scores a key, and no key can score beyond ‖v‖₁. A dot product grows "
            "with the key's length. [Vaswani et al. 2017](https://arxiv.org/abs/1706.03762), "
            "section 3.2.1: alike for small $d_k$, but unscaled dot products fall behind for large "
            "$d_k$ ([Britz et al. 2017](https://arxiv.org/abs/1703.03906))."
        )
    with right:
        st.markdown(
            f"**Cost.** Scores of {TOKENS:,} × {TOKENS:,} pairs with $d_k$ = {d_k} take {dot:,} "
            f"multiplications as one matrix product, {additive:,} with {hidden} hidden units, and "
            f"{TOKENS**2 * hidden:,} hyperbolic tangents besides. That, and a matrix product's "
            "speed, is why Transformers use the dot product."
        )
        st.markdown(
            "**Caution.** The additive score here is untrained (Glorot's random numbers): its "
            "scores compare scales, not qualities. What it prefers means nothing."
        )
