"""The page's sentences."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import streamlit as st

from app.style.markdown_escape import plain
from app.style.number_format import measured
from core.catalog import ModelCard

LEAD: Final = (
    "Eight moments of every training that was run here, from random numbers to the shipped model. "
    "Play them, and watch heads find something to look at."
)
METRICS: Final[Mapping[str, str]] = {
    "masked_top_1": "masked words, first guess",
    "masked_top_5": "among the first five",
    "next_sentence": "next sentence",
    "bits_per_byte_wiki": "Wikipedia",
    "bits_per_byte_books": "books",
    "bleu_greedy": "BLEU, greedy",
    "top_1": "right class",
    "hidden_error": "error at hidden patches",
    "mean_giou": "mean generalised IoU of objects with their slots",
}
UNITS: Final[Mapping[str, str]] = {"mean_giou": "", "hidden_error": ""}  # not shares
PATTERNS: Final[Mapping[str, str]] = {
    "previous": "the token before",
    "next": "the token after",
    "followed": "what followed it before",
    "itself": "itself",
    "first": "the first token",
    "special": "special tokens",
}


def metric_name(name: str) -> str:
    """As a legend says it."""
    return METRICS.get(name, name.replace("_", " "))


def moment_name(step: int) -> str:
    return f"step {step:,}"


def moment_line(names: Sequence[str], row: np.ndarray, units: Mapping[str, str]) -> str:
    """“Held-out data: masked words, first guess 23.3 % · next sentence 78.2 %”."""
    said = [
        f"{metric_name(name)} {measured(float(value), units.get(name))}"
        for name, value in zip(names, row, strict=True)
    ]
    return f"On a sample of held-out data: {' · '.join(said)}"


def units_of(sheet: Mapping[str, Any]) -> Mapping[str, str]:
    """The units of the figures that are no shares."""
    return {**UNITS, **sheet.get("metrics_units", {})}


def about(card: ModelCard, sheet: Mapping[str, Any]) -> None:
    """What the figure is, what to be careful with, and how the training was run."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(
            "One fixed input, the same at every moment, through the weights as they were then. A "
            "fresh head gives every key nearly the same: the map is even. Patterns come suddenly, "
            "and not in all heads: which head takes which job is chance, and another seed would "
            "give the same jobs to other heads. What heads of trained BERTs look at was sorted by "
            "[Clark et al. 2019](https://arxiv.org/abs/1906.04341); how a pattern and a drop of "
            "the loss come together, by [Olsson et al. 2022](https://arxiv.org/abs/2209.11895)."
        )
    with right:
        st.markdown(
            "**Cautions.** Maps were kept in 16 bits, so weights have three good digits. Each "
            "moment's figures come from a small sample of the held-out data; the final ones on "
            "the About page from more of it. The learning rate ends at zero, so the last stretch "
            "gains more than its share. A head that looks at a word need not use it."
        )
    with st.expander(f"How {plain(card.title)} was trained"):
        _settings(sheet)


def _settings(sheet: Mapping[str, Any]) -> None:
    st.markdown(
        f"{sheet['steps']:,} steps in {sheet['seconds'] / 60:.0f} minutes on "
        f"{plain(sheet['device'])}. `{sheet['command']}` · {plain(sheet['paper'])}"
    )
    st.table({name: str(value) for name, value in sheet["settings"].items()}, border="horizontal")
    st.markdown("**Otherwise than in the paper**")
    st.markdown("\n".join(f"- {plain(line)}" for line in sheet["departures"]))
    for note in sheet["notes"].values():
        st.caption(plain(note))
