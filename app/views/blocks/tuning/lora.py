"""LoRA on a real update: its spectrum, its best factors of a rank, what the model then answers."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map
from app.services import blocks
from app.style.number_format import three
from app.ui import charts, progress
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.page import View
from app.ui.params import Scope
from app.views.blocks.tuning import shared
from core.blocks.int8 import relative_error
from core.blocks.lora import energy_kept, lora_parameters
from core.catalog import ModelCard
from core.outputs.fine_tuning import LowRank, WeightUpdate

MOST: Final = 0.9  # of ‖ΔW‖²
SHOWN: Final = 64  # rows and columns of the matrices that are drawn
HERE: Final = Scope("blocks", "tuning.lora")
RANK: Final = HERE.step("rank", (0, 1, 2, 4, 8, 16, 32, 64, 128, 256), 8)


def render() -> Export | None:
    """Choose matrix and rank; spectra, factors, answers, accuracy."""
    found = shared.tuned()
    if found is None:
        return None
    card, updates = found
    with controls():
        chosen = shared.choose_matrix(updates)
        RANK.select_slider("Rank r", width=240)
    rank = min(RANK.value, len(chosen.update.values))
    caption = f"{card.title}: {chosen.name}, rank {rank}"
    m, n = chosen.update.shape
    stored = three(100 * lora_parameters(m, n, rank) / (m * n))
    answer(
        f"Rank {rank} keeps **{three(100 * float(chosen.update.kept()[rank]))} %** of the update’s "
        f"‖ΔW‖² in **{stored} %** of its numbers; {round(MOST * 100)} % need rank "
        f"**{chosen.update.rank_for(MOST)}**."
    )
    left, right = st.columns(2, gap="large")
    with left:
        _spectra(chosen, rank, caption)
    with right:
        _kept(chosen, rank, caption)
    _numbers(chosen, rank)
    _answers(card, rank)
    _matrices(chosen, rank, caption)
    left, right = st.columns(2, gap="large")
    with left:
        ranks = _ranks_needed(card, updates)
    with right:
        shared.accuracies("low_rank", "rank of every update", chosen=rank)
    up, down = chosen.update.factors(rank)
    return Export(
        name="low-rank-update",
        caption=caption,
        table=lambda: (
            ("index", "singular_value_update", "singular_value_weight", "kept"),
            zip(
                range(1, len(chosen.update.values) + 1),
                chosen.update.values.tolist(),
                chosen.weight_values.tolist(),
                chosen.update.kept()[1:].tolist(),
                strict=True,
            ),
        ),
        arrays=lambda: {
            "W_start": chosen.start, "W_tuned": chosen.weight, "B": up, "A": down,
            "rank_for_90_percent": ranks,
        },
    )  # fmt: skip


def _spectra(chosen: WeightUpdate, rank: int, caption: str) -> None:
    number = np.arange(1, len(chosen.update.values) + 1, dtype=np.float64)
    pairs = (("the update ΔW", chosen.update.values), ("W itself", chosen.weight_values))
    chart = charts.chart(
        [
            charts.Curve(name, number, np.maximum(values / values[0], 1e-6), markers=False)
            for name, values in pairs
        ],
        x_title="number of the singular value",
        y_title="σ ÷ the largest (log)",
        log_y=True,
        height=320,
    )
    if rank:
        charts.mark_x(chart, rank, f"r = {rank}")
    charts.show(chart, key=HERE.key("spectra"), name="spectra", caption=caption)


def _kept(chosen: WeightUpdate, rank: int, caption: str) -> None:
    ranks = np.arange(len(chosen.update.values) + 1, dtype=np.float64)
    weight = energy_kept(chosen.weight_values)
    chart = charts.chart(
        [
            charts.Curve("the update ΔW", ranks, 100 * chosen.update.kept(), markers=False),
            charts.Curve("W itself", ranks, 100 * weight, markers=False),
        ],
        x_title="rank r",
        y_title="share of ‖·‖² kept, %",
        height=320,
    )
    charts.mark_x(chart, rank, f"r = {rank}")
    charts.show(chart, key=HERE.key("kept"), name="kept", caption=caption)


def _numbers(chosen: WeightUpdate, rank: int) -> None:
    m, n = chosen.update.shape
    stored = lora_parameters(m, n, rank)
    off = relative_error(chosen.weight, chosen.start + chosen.update.approximation(rank))
    moved = relative_error(chosen.start, chosen.weight)
    st.markdown(
        f"W is {m} × {n}; the fine-tuning moved it by **{three(100 * moved)} %** of its norm. "
        f"B ({m} × {rank}) and A ({rank} × {n}) have r(m + n) = **{stored:,}** numbers against "
        f"mn = {m * n:,} ({three(100 * stored / (m * n))} %). They keep "
        f"**{three(100 * float(chosen.update.kept()[rank]))} %** of ‖ΔW‖²; W₀ + BA is "
        f"{three(100 * off)} % off the tuned W. {round(MOST * 100)} % of ‖ΔW‖² need rank "
        f"{chosen.update.rank_for(MOST)}."
    )


def _answers(card: ModelCard, rank: int) -> None:
    """What the whole model says with every matrix' update cut to the rank."""
    picture = shared.choose_picture()
    changes = (LowRank(0), LowRank(rank), LowRank(RANK.steps[-1]))
    found = progress.outcome(blocks.cheap_probabilities(card.id, picture, changes), card.id)
    if found is not None:
        names = ("W₀ alone, tuned head", f"W₀ + BA, r = {rank}", "full fine-tuning")
        shared.answers(card, picture, dict(zip(names, found, strict=True)))


def _matrices(chosen: WeightUpdate, rank: int, caption: str) -> None:
    update, kept = chosen.weight - chosen.start, chosen.update.approximation(rank)
    pictures = {"ΔW": update, f"BA, r = {rank}": kept, "ΔW − BA": update - kept}
    limit = float(np.abs(update[:SHOWN, :SHOWN]).max()) or 1.0
    places = st.columns(3)
    for number, (title, values) in enumerate(pictures.items()):
        corner = np.ascontiguousarray(values[:SHOWN, :SHOWN])
        with places[number]:
            heat_map(
                HeatMap(
                    corner,
                    tuple(map(str, range(len(corner)))),
                    tuple(map(str, range(corner.shape[1]))),
                    label=title, title=title, caption=caption, row_title="output",
                    column_title="input", limit=limit, height=300.0,
                ),
                key=HERE.key(f"matrix-{number}"),
            )  # fmt: skip
    m, n = chosen.update.shape
    st.caption(
        f"The first {min(SHOWN, m)} × {min(SHOWN, n)} of {m} × {n} numbers, one scale for all."
    )


def _ranks_needed(card: ModelCard, updates: Mapping[str, WeightUpdate]) -> np.ndarray:
    """The rank that keeps most of each matrix' update."""
    n_blocks = len(updates) // len(shared.MATRICES)
    ranks = np.array(
        [
            [updates[f"blocks.{i}.{part}.weight"].update.rank_for(MOST) for part in shared.MATRICES]
            for i in range(n_blocks)
        ],
        dtype=np.float32,
    )
    heat_map(
        HeatMap(
            ranks,
            tuple(map(str, range(n_blocks))),
            tuple(shared.MATRICES),
            label="Rank that keeps 90 % of each update",
            title=f"Rank that keeps {round(MOST * 100)} % of ‖ΔW‖²",
            caption=f"{card.title}: rank that keeps {MOST:.0%} of each update",
            row_title="block", scale="sequential", numbers=True, height=330.0,
        ),
        key=HERE.key("ranks"),
    )  # fmt: skip
    return ranks


VIEW: Final = View("lora", "LoRA", (*shared.PARAMS, RANK), figure=render)
