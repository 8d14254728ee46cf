"""T5's spans: what goes in, what has to come out, for any density and span length."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.token_row import Chip
from app.ui import params
from app.ui.export_bar import Export
from app.views.blocks.objectives import shared
from app.views.blocks.objectives.words import about_spans
from app.views.blocks.parts import preset_chips
from app.views.blocks.state import get, key
from core.errors import InputError
from core.explain.objectives.span_corruption import (
    SpanCorruption,
    corrupt_spans,
    draw_spans,
    is_sentinel,
)

THANKS: Final = "Thank you for inviting me to your party last week ."
TEXT: Final = params.text("stext", THANKS)
DENSITY: Final = params.number("sdens", 1, 90, 15)
LENGTH: Final = params.number("slen", 1, 10, 3)
SEED: Final = params.number("sseed", 0, 999, 0)
PAPERS: Final = params.flag("spaper")
PARAMS: Final = (TEXT, DENSITY, LENGTH, SEED, PAPERS)
FIGURE_2: Final = ("for", "inviting", "last")


def render() -> Export | None:
    """The sentence, the spans, input and target."""
    preset_chips(
        "spans",
        {
            "the paper's figure 2": {TEXT: THANKS, PAPERS: True},
            "15 %, spans of 3": {DENSITY: 15, LENGTH: 3, PAPERS: False},
            "50 %, spans of 3": {DENSITY: 50, LENGTH: 3, PAPERS: False},
            "single tokens, as BERT": {DENSITY: 15, LENGTH: 1, PAPERS: False},
        },
    )
    text = st.text_input("Sentence", key=key(TEXT), max_chars=400)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.toggle("The paper's own choice", key=key(PAPERS))
        st.slider("Corrupted, %", 1, 90, key=key(DENSITY), width=200, disabled=get(PAPERS))
        st.slider("Mean span", 1, 10, key=key(LENGTH), width=180, disabled=get(PAPERS))
        st.number_input("Seed", 0, 999, key=key(SEED), width=110, disabled=get(PAPERS))
    words = tuple(text.split())
    try:
        made = corrupt_spans(words, _marks(words))
    except InputError as error:
        st.info(str(error))
        return None
    _draw(words, made)
    st.markdown(
        f"**{int(made.corrupted.sum())} of {len(words)}** tokens in **{made.n_spans}** "
        f"span{'s' * (made.n_spans != 1)}. The encoder reads {len(made.inputs)} tokens, the "
        f"decoder writes {len(made.targets)}."
    )
    about_spans()
    return Export(
        name="t5-spans",
        caption=f"{text} · {get(DENSITY)} %, mean span {get(LENGTH)}, seed {get(SEED)}",
        table=lambda: (
            ("input", "target"), [(" ".join(made.inputs), " ".join(made.targets))]
        ),
        arrays=lambda: {"corrupted": made.corrupted},
    )  # fmt: skip


def _marks(words: tuple[str, ...]) -> np.ndarray:
    if get(PAPERS):
        return np.isin(words, FIGURE_2)
    return draw_spans(
        len(words), density=get(DENSITY) / 100, mean_length=float(get(LENGTH)), seed=get(SEED)
    )


def _draw(words: tuple[str, ...], made: SpanCorruption) -> None:
    original = tuple(
        Chip(word, state="lit" if hidden else "plain")
        for word, hidden in zip(words, made.corrupted, strict=True)
    )
    rows = {
        "The text": original,
        "The encoder reads": made.inputs,
        "The decoder writes": made.targets,
    }
    for name, tokens in rows.items():
        st.markdown(f"**{name}**")
        chips = tuple(
            token
            if isinstance(token, Chip)
            else Chip(token, state="masked" if is_sentinel(token) else "plain", hue="cross")
            for token in tokens
        )
        shared.row(name, chips, name)
