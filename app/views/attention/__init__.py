"""Where does this head look? Every attention head of a text model, on the reader's sentence.

Two further views lay maps together: two sentences in one model, and two models on one sentence.
One takes a head's matrix from products to weights; two follow a sentence through all layers, as a
film and as paths.
"""

from typing import Final

from app.ui.page import Page, View
from app.views.attention import (
    flow,
    heads,
    pair,
    query_keys,
    rollout,
    score_steps,
    state,
    syntax,
    two_models,
)
from app.views.attention.controls import display
from app.views.attention.figure import figure
from app.views.attention.inputs import of_sentence, show_first_example

PAGE: Final = Page(
    "attention",
    "Where does this head look?",
    (
        View("", "One sentence", state.PARAMS, of_sentence(figure), display),
        heads.VIEW,
        pair.VIEW,
        two_models.VIEW,
        score_steps.VIEW,
        query_keys.VIEW,
        rollout.VIEW,
        flow.VIEW,
        syntax.VIEW,
    ),
    entered=show_first_example,
)
