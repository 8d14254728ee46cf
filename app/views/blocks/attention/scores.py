"""Additive (Bahdanau) against dot-product scores: bounded against growing, dear against cheap."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map
from app.services import blocks
from app.style.number_format import three
from app.ui import charts
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.examples import preset_chips
from app.ui.export_bar import Export, matrix_table
from app.ui.page import View
from app.ui.params import Scope
from app.views.blocks import matrices
from app.views.blocks.attention.state import D_K, N_KEYS, SEED, WORDS, K, Q
from core.blocks.attention import LARGEST
from core.blocks.attention_scores import (
    AdditiveScore,
    growing_key,
    multiplications,
    random_additive_score,
    scaled_dots,
)

HERE: Final = Scope("blocks", "attention.scores")
HIDDEN_UNITS: Final = HERE.step("units", (1, 2, 4, 8, 16, 32, 64, 128, 256), 64)
KEY_LENGTH: Final = HERE.real("length", 0.5, 10.0, 4.0)
PRESETS: Final = {
    "64 units": (HIDDEN_UNITS.at(64), KEY_LENGTH.at(4.0)),
    "one unit: a single tanh": (HIDDEN_UNITS.at(1), KEY_LENGTH.at(10.0)),
    "256 units, long keys": (HIDDEN_UNITS.at(256), KEY_LENGTH.at(10.0)),
}
POINTS = 121  # of the curve of a key that grows
TOKENS = 1000  # of the cost comparison


def render() -> Export:
    """Scores along a growing key, saturation by width, and the worked example both ways."""
    with controls():
        HIDDEN_UNITS.select_slider("hidden units of the additive score", width=300)
        KEY_LENGTH.slider("longest key", step=0.5, width=220)
        SEED.number_input("seed", width=130)
        preset_chips(PRESETS, key=HERE.key("preset"))
    score = random_additive_score(D_K.value, hidden=HIDDEN_UNITS.value, seed=SEED.value)
    caption = f"additive score untrained, {HIDDEN_UNITS.value} units, seed {SEED.value}"
    said = answer()
    left, right = st.columns(2, gap="medium")
    with left:
        table = _growing_key(score, caption)
    said.markdown(_answered(score, table))
    with right:
        _by_width(caption)
    both = _worked_example(score, caption)
    words = WORDS.value.split()[: matrices.MOST]
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
        facts=_facts(score),
    )  # fmt: skip


def _answered(score: AdditiveScore, table: np.ndarray) -> str:
    """What the longest key is worth to each, in Markdown."""
    length, dot, scaled, additive = (three(float(value)) for value in table[-1])
    return (
        f"A key of length {length} scores **{dot}** by q · k, **{scaled}** after ÷ √d_k and "
        f"**{additive}** by the additive score, which never passes **{three(score.bound)}**."
    )


def _growing_key(score: AdditiveScore, caption: str) -> np.ndarray:
    """A query of ones; its key grows in the direction that each score likes best."""
    lengths = np.linspace(-KEY_LENGTH.value, KEY_LENGTH.value, POINTS)
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
    charts.show(chart, key=HERE.key("growing"), name="growing-key", caption=caption)
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
        y_title=f"largest weight over {N_KEYS.value} keys, mean",
        log_x=True,
        height=340,
    )
    charts.show(chart, key=HERE.key("by-width"), name="largest-weight", caption=caption)


def _widths() -> np.ndarray:
    return blocks.largest_weights(N_KEYS.value, HIDDEN_UNITS.value, SEED.value)


def _worked_example(score: AdditiveScore, caption: str) -> list[tuple[str, np.ndarray]]:
    """The Q and K of “Step by step”, scored both ways; returns both, by name."""
    from scipy.special import softmax  # pyright: ignore[reportUnknownVariableType]

    words = WORDS.value.split()[: matrices.MOST]
    queries, keys = (matrices.shown(param, len(words), D_K.value) for param in (Q, K))
    if not words or not all((np.abs(given) <= LARGEST).all() for given in (queries, keys)):
        st.info(
            "“Step by step” has a cell that is empty or too large: change it to see its tokens "
            "scored both ways."
        )
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
                key=HERE.key(f"both-{number}"),
            )  # fmt: skip
    return [("dot product", dots), ("additive", additive)]


def _facts(score: AdditiveScore) -> dict[str, str]:
    d_k, hidden = score.query.shape
    dot, additive = multiplications(TOKENS, TOKENS, d_k, hidden=hidden)
    return {
        "d_k": str(d_k),
        "hidden": str(hidden),
        "dot": f"{dot:,}",
        "additive": f"{additive:,}",
        "tanhs": f"{TOKENS**2 * hidden:,}",
    }


VIEW: Final = View(
    "scores",
    "Two kinds of score",
    (HIDDEN_UNITS, KEY_LENGTH, SEED, N_KEYS, WORDS, D_K, Q, K),
    figure=render,
)
