"""The check: words hidden in each method's order, the answer's probability measured each time."""

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from operator import sub

import numpy as np
import streamlit as st
from jaxtyping import Float32

from app.services import engine, token_evidence
from app.style.number_format import three
from app.style.worked import step
from app.ui import charts, progress
from app.ui.charts import Curve
from app.ui.which_words.params import METHODS, RANDOM, WordParams
from app.ui.which_words.shown import Shown
from core.explain.attribution.perturbation_curves import Perturbation, mean_of_orders
from core.outputs.token_evidence import TokenEvidence

WAYS = ("most important first", "least important first")


@dataclass(frozen=True, eq=False)
class Measured:
    """Every method's curves by its id; the random ones' mean among them."""

    curves: Mapping[str, Perturbation]

    @property
    def steepest(self) -> str | None:
        """The method whose order brings the answer down fastest; None without any."""
        areas = {name: one.positive_area for name, one in self.curves.items() if name != RANDOM}
        return min(areas, key=areas.__getitem__) if areas else None


def measured(shown: Shown, found: Mapping[str, TokenEvidence], hidden: int) -> Measured:
    """Ask for every set of hidden words; what has a line meanwhile is told."""
    words = shown.words
    flat = np.zeros(len(shown.tokens), dtype=np.float32)  # all ties: a draw for each seed
    orders = {name: (one.values, 0) for name, one in found.items() if name != RANDOM}
    draws = {f"{RANDOM} {seed}": (flat, seed) for seed in range(token_evidence.DRAWS)}
    requests = {
        name: token_evidence.curves_request(shown.asked, words, values, hidden, seed=seed)
        for name, (values, seed) in (draws | orders).items()
    }
    with engine.wanted(requests) as futures:
        numbers = _gathered(futures)
    curves = {
        name: token_evidence.curves_of(words, values, numbers[name], seed=seed)
        for name, (values, seed) in (draws | orders).items()
    }
    return Measured(
        {RANDOM: mean_of_orders([curves[name] for name in draws])}
        | {name: curves[name] for name in orders}
    )


def _gathered(
    futures: Mapping[str, Future[Float32[np.ndarray, " variant"]]],
) -> dict[str, Float32[np.ndarray, " variant"]]:
    numbers: dict[str, Float32[np.ndarray, " variant"]] = {}
    line = st.empty()
    for name, future in futures.items():
        told = f"Hiding words: {len(numbers)} of {len(futures)} orders …"
        numbers[name] = progress.waited(future, partial(line.caption, told))
    line.empty()
    return numbers


def draw(params: WordParams, shown: Shown, found: Measured) -> None:
    """One line a method, the most important words first; random orders' mean last."""
    lines = [
        Curve(
            METHODS[name].title
            + (f", mean of {2 * token_evidence.DRAWS} orders" if name == RANDOM else ""),
            100 * one.fractions,
            100 * one.positive,
            dashed=name == RANDOM,
        )
        for name, one in sorted(found.curves.items(), key=lambda item: item[0] == RANDOM)
    ]
    chart = charts.chart(
        lines,
        x_title="words hidden, %",
        y_title=f"probability of {shown.answer}, %",
        y_range="from zero",
        height=380,
    )
    charts.show(
        chart, key=params.scope.key("curves"), name="deletion-curves", caption=shown.caption
    )


def areas(found: Measured) -> None:
    """Areas under the curves, from nothing hidden to all; the gap of a random order is zero."""
    lines = ["| area | most first ↓ | least first ↑ | gap ↑ |", "|---|---:|---:|---:|"]
    for name, one in found.curves.items():
        (least, most), gap = step((one.negative_area, one.positive_area), one.gap, sub)
        lines.append(f"| {METHODS[name].title} | {most} | {least} | {gap} |")
    st.markdown("\n".join(lines))
    st.caption(
        "Area under the answer's probability while words are hidden, 0 to 1: with the most "
        "important first a good order has little, with the least important first much. One "
        "sentence proves little."
    )


def arrays(found: Measured) -> dict[str, np.ndarray]:
    """For NPZ."""
    made: dict[str, np.ndarray] = {}
    for name, one in found.curves.items():
        made["hidden_fractions"] = one.fractions
        made[f"curve_{name}_most_first"] = one.positive
        made[f"curve_{name}_least_first"] = one.negative
    return made


def said(shown: Shown, found: Measured, evidence: Mapping[str, TokenEvidence]) -> str:
    """What the methods name first, and whose order is steepest beside random ones, in Markdown."""
    best = found.steepest
    if best is None:
        return ""
    others = [one for name, one in evidence.items() if name != RANDOM]
    firsts = [int(shown.words[one.values[shown.words].argmax()]) for one in others]
    most = max(dict.fromkeys(firsts), key=firsts.count)
    fell, chance = (found.curves[name].positive_area for name in (best, RANDOM))
    return (
        f"{firsts.count(most)} of {len(firsts)} methods put **{shown.named(most)}** first. Hidden "
        f"in the order of {METHODS[best].title}, words bring it down fastest: an area of "
        f"**{three(fell)}**, where random orders leave **{three(chance)}**."
    )
