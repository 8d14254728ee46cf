"""The page's sentences."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import streamlit as st

from app.services.training_history import trained
from app.style.markdown_escape import plain
from app.style.number_format import measured
from core.catalog import ModelCard

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


def how_it_was_trained(card: ModelCard, sheet: Mapping[str, Any]) -> None:
    """The settings, the command, and where it departs from the paper."""
    with st.expander(f"How {plain(card.title)} was trained"):
        _settings(sheet)


def _settings(sheet: Mapping[str, Any]) -> None:
    st.markdown(
        f"{sheet['steps']:,} steps, {plain(trained(sheet))}. "
        f"`{sheet['command']}` · {plain(sheet['paper'])}"
    )
    st.table({name: str(value) for name, value in sheet["settings"].items()}, border="horizontal")
    st.markdown("**Otherwise than in the paper**")
    st.markdown("\n".join(f"- {plain(line)}" for line in sheet["departures"]))
    for note in sheet["notes"].values():
        st.caption(plain(note))
