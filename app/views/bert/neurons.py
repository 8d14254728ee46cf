"""Which neurons write the word at a mask."""

from typing import Final

from app.services.encoder import Given
from app.ui import neurons
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.page import View
from app.ui.params import Scope
from app.views.bert import inputs, state
from app.views.bert.direct_logits import shown_mask
from app.views.bert.facts import model_line
from core.catalog import ModelCard
from core.outputs.encoder import EncoderProfile

PARAMS: Final = neurons.NeuronParams.of(Scope("bert", "neurons"))


def _figure(card: ModelCard, given: Given, profile: EncoderProfile) -> Export | None:
    place = answer()
    with_masks = shown_mask(card, given, profile, PARAMS.scope.key("tokens"))
    if with_masks is None:
        return None
    with controls():
        shown = with_masks()
        answers = PARAMS.answers.chosen(shown)
        PARAMS.choices()
    return neurons.figure(PARAMS, shown, answers, {"model": model_line(card)}, place)


VIEW: Final = View(
    "neurons",
    "Neurons",
    (*state.MASKED_TEXT, *PARAMS.every),
    inputs.of_masked_text(_figure),
    inputs.masks_display,
)
