"""Which pair is merged next, and why? Byte-pair encoding, step by step."""

from functools import partial
from typing import Final

from app.services import bpe_training
from app.ui import progress
from app.ui.page import Figure, Page, View
from app.views.tokenization import controls, lives
from app.views.tokenization.figure import figure
from app.views.tokenization.state import PARAMS, recipe


def render() -> Figure | None:
    """Ask for a corpus, train on it, draw every merge."""
    corpus = controls.corpus_input()
    if corpus is None:
        return None
    asked = recipe(corpus)
    training = progress.trained(bpe_training.train(asked), "Training")
    return None if training is None else partial(figure, asked, training)


PAGE: Final = Page(
    "tokenization",
    "Which pair is merged next, and why?",
    (View("", "Step by step", PARAMS, render), lives.VIEW),
)
