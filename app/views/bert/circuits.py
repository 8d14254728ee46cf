"""What a head would write for each token, and which tokens it pairs."""

from functools import partial
from typing import Final

from app.services import direct_logits, encoder
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
        opened = inputs.loaded(card)
        head = PARAMS.choices(opened.layers, opened.heads)
    chosen = PARAMS.tokens.value.strip() or " ".join(filter(None, (given.text, given.pair)))
    found = progress.outcome(direct_logits.circuits(card.id, chosen, *head), card.id)
    if found is None:
        return None
    facts = {"model": model_line(card)}
    shown = circuits.Shown(card, vocabulary, found, head, AttentionKind.ENCODER, chosen, facts)
    return circuits.figure(PARAMS, shown, place)


VIEW: Final = View(
    "circuits", "Circuits", (state.MODEL, state.TEXT, state.PAIR, *PARAMS.every), render
)
