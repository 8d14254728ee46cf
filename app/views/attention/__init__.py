"""Where does this head look? Every attention head of a text model, on the reader's sentence.

Two further views lay maps together: two sentences in one model, and two models on one sentence.
A last one shows what all layers' heads together make of a sentence, as a film.
"""

from functools import partial
from typing import Final

from app.ui.page import Figure, Page, View
from app.views.attention import all_heads, pair, rollout, state, syntax, two_models
from app.views.attention.controls import display
from app.views.attention.figure import figure
from app.views.attention.inputs import read_sentence, show_first_example


def render() -> Figure | None:
    """Ask for a sentence, run the model, draw its heads."""
    read = read_sentence()
    return None if read is None else partial(figure, read.traced, read.card)


PAGE: Final = Page(
    "attention",
    "Where does this head look?",
    (
        View("", "One sentence", state.PARAMS, render, display),
        all_heads.VIEW,
        pair.VIEW,
        two_models.VIEW,
        rollout.VIEW,
        syntax.VIEW,
    ),
    entered=show_first_example,
)
