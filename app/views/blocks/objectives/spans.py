"""T5's spans: what goes in, what has to come out, for any density and span length."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.token_row import Chip
from app.style.markdown_escape import plain
from app.ui.answer import answer
from app.ui.examples import preset_chips
from app.ui.export_bar import Export
from app.ui.input_line import input_line, quoted
from app.ui.page import View
from app.ui.params import Scope
from app.views.blocks.objectives import shared
from core.errors import InputError
from core.explain.objectives.span_corruption import (
    SpanCorruption,
    corrupt_spans,
    draw_spans,
    is_sentinel,
)

THANKS: Final = "Thank you for inviting me to your party last week ."
FIGURE_2: Final = ("for", "inviting", "last")  # what the paper corrupts
HERE: Final = Scope("blocks", "objectives.spans")
TEXT: Final = HERE.text("text", THANKS)
DENSITY: Final = HERE.whole("density", 1, 90, 15)
LENGTH: Final = HERE.whole("length", 1, 10, 3)
SEED: Final = HERE.whole("seed", 0, 999, 0)
PAPERS: Final = HERE.flag("paper")
PRESETS: Final = {
    "the paper's figure 2": (TEXT.at(THANKS), PAPERS.at(value=True)),
    "15 %, spans of 3": (DENSITY.at(15), LENGTH.at(3), PAPERS.at(value=False)),
    "50 %, spans of 3": (DENSITY.at(50), LENGTH.at(3), PAPERS.at(value=False)),
    "single tokens, as BERT": (DENSITY.at(15), LENGTH.at(1), PAPERS.at(value=False)),
}


def render() -> Export | None:
    """The sentence, the spans, input and target."""
    drawn = f"{DENSITY.value} % in spans of {LENGTH.value}, seed {SEED.value}"
    with input_line(quoted(TEXT.value), "the paper's own choice" if PAPERS.value else drawn):
        text = TEXT.line("Sentence", max_chars=400)
        PAPERS.toggle("The paper's own choice")
        DENSITY.slider("Corrupted, %", disabled=PAPERS.value)
        LENGTH.slider("Mean span", disabled=PAPERS.value)
        SEED.number_input("Seed", disabled=PAPERS.value)
        preset_chips(PRESETS, key=HERE.key("preset"))
    words = tuple(text.split())
    try:
        made = corrupt_spans(words, _marks(words))
    except InputError as error:
        st.info(plain(str(error)))
        return None
    answer(
        f"**{int(made.corrupted.sum())} of {len(words)}** tokens in **{made.n_spans}** "
        f"span{'s' * (made.n_spans != 1)}. The encoder reads {len(made.inputs)} tokens, the "
        f"decoder writes {len(made.targets)}."
    )
    _draw(words, made)
    return Export(
        name="t5-spans",
        caption=f"{text} · {DENSITY.value} %, mean span {LENGTH.value}, seed {SEED.value}",
        table=lambda: (
            ("input", "target"), [(" ".join(made.inputs), " ".join(made.targets))]
        ),
        arrays=lambda: {"corrupted": made.corrupted},
    )  # fmt: skip


def _marks(words: tuple[str, ...]) -> np.ndarray:
    if PAPERS.value:
        return np.isin(words, FIGURE_2)
    return draw_spans(
        len(words), density=DENSITY.value / 100, mean_length=float(LENGTH.value), seed=SEED.value
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


VIEW: Final = View("spans", "T5's spans", (TEXT, DENSITY, LENGTH, SEED, PAPERS), render)
