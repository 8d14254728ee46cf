"""Table 3 of the Transformer's paper, with our count of every row's parameters."""

import streamlit as st

from app.ui.data_table import data_table
from core.blocks.parameters import total
from core.blocks.published_shapes import VARIATIONS


def variations() -> None:
    """What each change cost and gained."""
    with st.expander("Which of these numbers matter? The variations of Vaswani et al. 2017"):
        counts = [total(row.shape) / 1e6 for row in VARIATIONS]
        data_table(
            {
                "row": [row.row for row in VARIATIONS],
                "change to the base model": [row.change or "none" for row in VARIATIONS],
                "perplexity": [row.perplexity for row in VARIATIONS],
                "BLEU": [row.bleu for row in VARIATIONS],
                "printed, M": [row.millions for row in VARIATIONS],
                "our count, M": [round(count, 1) for count in counts],
                "difference, M": [
                    None if row.millions is None else round(count - row.millions, 1)
                    for row, count in zip(VARIATIONS, counts, strict=True)
                ],
            },
            height=38 + 35 * len(VARIATIONS),
        )
        st.caption(
            "Table 3: English–German, newstest2013; perplexity per word piece; learned positions "
            "are not in our count. The printed sums lie about 4,000 · d_model above ours, as a "
            "vocabulary of 41,000 instead of “about 37,000” would make them; the big model's does "
            "not fit that. Each row is one training: 0.2 BLEU may be chance."
        )
