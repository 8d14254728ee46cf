"""What a head would write for each token, and which tokens it pairs."""

from functools import partial
from typing import Final

from app.services import encoder
from app.services.encoder import Given
from app.ui import circuits, progress
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.page import Figure, View
from app.ui.params import Scope
from app.views.bert import inputs, state
from app.views.bert.facts import model_line
from core.catalog import ModelCard
from core.trace import AttentionKind

PARAMS: Final = circuits.CircuitParams.of(Scope("bert", "circuits"), (5, 5))


def render() -> Figure | None:
    """Text, a model that predicts words."""
    asked = inputs.text_inputs()
    if asked is None or inputs.masked_lm_of(*asked) is None:
        return None
    return partial(_figure, *asked)


def _figure(card: ModelCard, given: Given) -> Export | None:
    place = answer()
    vocabulary = progress.outcome(encoder.vocabulary(card.id), card.id)
    if vocabulary is None:
        return None
    with controls():
        head = PARAMS.choices(inputs.loaded(card))
    facts = {"model": model_line(card)}
    text = " ".join(filter(None, (given.text, given.pair)))
    return circuits.figure(
        PARAMS, card, vocabulary, text, head, AttentionKind.ENCODER, facts, place
    )


VIEW: Final = View(
    "circuits", "Circuits", (state.MODEL, state.TEXT, state.PAIR, *PARAMS.every), render
)
