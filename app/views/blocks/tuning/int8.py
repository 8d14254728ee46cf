"""8-bit weights of a real matrix: codes and steps, an outlier's harm, what the model answers."""

from functools import lru_cache
from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map
from app.services import blocks
from app.style.number_format import large, three
from app.ui import charts, progress
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.page import View
from app.ui.params import Scope
from app.views.blocks.tuning import shared
from core.blocks.int8 import Quantised, quantise, relative_error, with_outlier
from core.catalog import ModelCard
from core.outputs.fine_tuning import Int8, LowRank

BLOCKS: Final = (16, 64, 256, 1024, 4096, 0)  # 0: the whole matrix is one block
SHOWN: Final = 24
HERE: Final = Scope("blocks", "tuning.int8")
SIZE: Final = HERE.step("size", BLOCKS, 64)  # of the blocks
OUTLIER: Final = HERE.whole("outlier", 1, 200, 1)  # × the largest weight


def render() -> Export | None:
    """Choose matrix, block size and outlier; codes, errors, answers, accuracy."""
    found = shared.tuned()
    if found is None:
        return None
    card, updates = found
    with controls():
        chosen = shared.choose_matrix(updates)
        SIZE.select_slider("Block size", _named, width=220)
        OUTLIER.slider(
            "Plant an outlier, × the largest weight",
            width=220,
            help="The first weight becomes this many times the largest one; 1 plants none.",
        )
    matrix = with_outlier(chosen.weight, OUTLIER.value)
    made = quantise(matrix, SIZE.value or None)
    caption = (
        f"{card.title}: {chosen.name}, blocks: {_named(SIZE.value)}, outlier × {OUTLIER.value}"
    )
    answer(
        f"In int8 the {matrix.shape[0]} × {matrix.shape[1]} weights take "
        f"**{large(made.bytes_stored, 'B')}** instead of **{large(4 * matrix.size, 'B')}**, and "
        f"are **{three(100 * relative_error(matrix, made.restored))} %** off."
    )
    left, right = st.columns(2, gap="large")
    with left:
        _codes(made, caption)
    with right:
        _errors(matrix, caption)
    _numbers(matrix, made)
    st.markdown("**Every matrix of the blocks in int8, no outlier planted**")
    _answers(card)
    shared.accuracies("int8", "block size", chosen=SIZE.value, named=_named)
    return Export(
        name="int8",
        caption=caption,
        table=lambda: (
            ("block_size", "relative_error", "bytes"),
            [
                (_named(size), relative_error(matrix, q.restored), q.bytes_stored)
                for size in BLOCKS
                for q in [quantise(matrix, size or None)]
            ],
        ),
        arrays=lambda: {"codes": made.codes, "steps": made.steps, "weight": matrix},
    )


def _named(block: int) -> str:
    return f"{block:,}" if block else "the matrix"


def _numbers(matrix: np.ndarray, made: Quantised) -> None:
    st.markdown(
        f"{len(made.steps):,} steps of 4 bytes are among the bytes. {made.codes_used} of 255 codes "
        f"are used; {three(100 * made.zeroed(matrix))} % of the weights became 0."
    )


def _codes(made: Quantised, caption: str) -> None:
    corner = made.codes[:SHOWN, :SHOWN].astype(np.float32)
    heat_map(
        HeatMap(
            corner,
            tuple(map(str, range(len(corner)))),
            tuple(map(str, range(corner.shape[1]))),
            label="The codes q", title=f"The codes q, first {SHOWN} × {SHOWN}", caption=caption,
            row_title="output", column_title="input", limit=127.0, height=380.0,
        ),
        key=HERE.key("codes"),
    )  # fmt: skip


@lru_cache(maxsize=8)
def _errors_of(weights: bytes, shape: tuple[int, int], sizes: tuple[int, ...]) -> tuple[float, ...]:
    """With each size of block."""
    matrix = np.frombuffer(weights, np.float32).reshape(shape)
    return tuple(relative_error(matrix, quantise(matrix, size).restored) for size in sizes)


def _errors(matrix: np.ndarray, caption: str) -> None:
    sizes = [size or matrix.size for size in BLOCKS]
    errors = _errors_of(matrix.tobytes(), matrix.shape, tuple(sizes))
    chart = charts.chart(
        [charts.Curve("‖W′ − W‖ / ‖W‖", np.array(sizes, float), 100 * np.array(errors))],
        x_title="block size (log); the last is the whole matrix",
        y_title="error, % (log)",
        log_x=True,
        log_y=True,
        height=380,
    )
    charts.mark_x(chart, float(SIZE.value or matrix.size), "chosen")
    charts.show(chart, key=HERE.key("errors"), name="int8-errors", caption=caption)


def _answers(card: ModelCard) -> None:
    picture = shared.choose_picture()
    changes = (LowRank(10**6), Int8(SIZE.value or None))
    found = progress.outcome(blocks.cheap_probabilities(card.id, picture, changes), card.id)
    if found is not None:
        names = ("float32", f"int8, blocks: {_named(SIZE.value)}")
        shared.answers(card, picture, dict(zip(names, found, strict=True)))
        moved = float(np.abs(found[0] - found[1]).max())
        st.caption(f"The largest change of a probability: {three(moved)}.")


VIEW: Final = View("int8", "8-bit weights", (*shared.PARAMS, SIZE, OUTLIER), figure=render)
