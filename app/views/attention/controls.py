"""The rarely used controls of the attention figure."""

from app.views.attention import state


def display() -> None:
    """Every choice is part of the link."""
    state.LAYOUT.segmented("Show")
    state.DIRECTION.segmented(
        "A token's attention",
        help="From: where a token looks (its row). To: who looks at it (its column).",
    )
    state.SCALE.segmented("Colour scale")
    state.SHARED.toggle("One scale for all heads")
    state.THRESHOLD.slider("Lines from this weight on", step=0.01)
    state.TOP_K.slider("Strongest lines a token (0: all)", step=1)
    state.HIDE_SPECIAL.toggle("Hide special tokens ([CLS], [SEP], </s> …)")
    state.HIDE_PUNCTUATION.toggle("Hide punctuation")
    state.RENORMALISE.toggle(
        "Renormalise what is left",
        help="Rows sum to one again. The hidden mass is shown either way.",
    )
    state.WORDS.toggle(
        "Merge word pieces to words",
        help="Mean over the pieces that look, sum over those looked at (Clark et al. 2019).",
    )
