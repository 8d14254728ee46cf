"""The draw of the pre-training view, its rates in the paper, and what every epoch would draw."""

from functools import lru_cache

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map
from app.ui.data_table import data_table
from app.views.bert import papers, state
from core.catalog import ModelCard
from core.explain.objectives.masked_lm import (
    Fate,
    MaskedDraw,
    Rates,
    draw_masks,
)
from core.outputs.encoder import EncoderProfile
from core.trace import Encoding

EPOCHS = 10  # rows of the figure


def drawn(
    encoding: Encoding, profile: EncoderProfile, vocabulary: int, epoch: int, rates: Rates
) -> MaskedDraw:
    """The corrupted input of one epoch, by the page's seed."""
    return draw_masks(
        encoding.ids,
        ~encoding.special,
        rates,
        mask_id=profile.mask_id,
        random_ids=_stand_ins(vocabulary, profile.special_ids),
        seed=(state.SEED.value, epoch),
    )


@lru_cache(maxsize=8)
def _stand_ins(vocabulary: int, special: frozenset[int]) -> tuple[int, ...]:
    """All tokens but the special ones."""
    return tuple(token for token in range(vocabulary) if token not in special)


def rates_table() -> None:
    """Table 8, with the present rates marked."""
    st.subheader("Do the rates matter?")
    rates = state.rates()
    present = (round(rates.masked * 100), round(rates.kept * 100), round(rates.random * 100))
    rows = papers.MASKING_RATES
    data_table(
        {
            "": ["●" if row[:3] == present else "" for row in rows],
            "masked %": [row[0] for row in rows],
            "kept %": [row[1] for row in rows],
            "random %": [row[2] for row in rows],
            "MNLI": [f"{row[3]:.1f}" for row in rows],
            "NER, fine-tuned": [f"{row[4]:.1f}" for row in rows],
            "NER, features": [f"{row[5]:.1f}" for row in rows],
        },
    )
    st.caption(
        "Devlin et al. 2019, table 8: dev sets, one BERT-base trained with each row's rates. **The "
        "rates on this page change this input only, not how the model was trained.**"
    )


def epochs_map(
    encoding: Encoding, profile: EncoderProfile, vocabulary: int, card: ModelCard
) -> HeatMap:
    """Which tokens ten epochs choose; returns the figure for the offline page."""
    st.subheader("A new draw in every epoch")
    codes = {Fate.MASKED: 1.0, Fate.RANDOM: 0.66, Fate.KEPT: 0.33}
    values = np.zeros((EPOCHS, len(encoding)), dtype=np.float32)
    notes: list[str] = []
    for row in range(EPOCHS):
        draw = drawn(encoding, profile, vocabulary, row + 1, state.rates())
        for place, fate in zip(draw.positions, draw.fates, strict=True):
            values[row, place] = codes[fate]
        notes.append(f"{len(draw.positions)} chosen")
    ever = int((values > 0).any(axis=0).sum())
    figure = HeatMap(
        values=values,
        rows=tuple(str(row + 1) for row in range(EPOCHS)),
        row_title="epoch",
        columns=encoding.tokens,
        column_ids=tuple(encoding.ids.tolist()),
        label="Which tokens are chosen in each epoch: masked, random or kept",
        caption=f"{card.title} · dynamic masking, seed {state.SEED.value}",
        scale="sequential",
        limit=1.0,
        row_notes=tuple(notes),
        cell=(34, 22),
    )
    heat_map(figure, key=state.HERE.key("epochs"))
    st.caption(
        f"Dark: masked (1), middle: random (0.66), light: kept (0.33). In {EPOCHS} epochs "
        f"{ever} of {int((~encoding.special).sum())} tokens were asked for. BERT's ten copies were "
        "each seen four times in 40 epochs; RoBERTa draws anew whenever it sees a text, which "
        "changes little (below)."
    )
    data_table(papers.printed(papers.STATIC_AND_DYNAMIC))
    st.caption("Liu et al. 2019, table 1: dev sets; medians of five runs.")
    return figure
