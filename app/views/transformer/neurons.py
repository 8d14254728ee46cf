"""Which neurons of the decoder write the word that it says."""

from typing import Final

from streamlit.delta_generator import DeltaGenerator

from app.ui import direct_logits, neurons
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.page import View
from app.ui.params import Scope
from app.views.transformer.said_word import of_said_word
from app.views.transformer.state import DECODED, TOKEN

PARAMS: Final = neurons.NeuronParams.of(Scope("transformer", "neurons"))


def _figure(shown: direct_logits.Shown, place: DeltaGenerator) -> Export | None:
    with controls():
        answers = PARAMS.answers.chosen(shown)
        PARAMS.choices()
    return neurons.figure(PARAMS, shown, answers, {}, place)


VIEW: Final = View(
    "neurons",
    "Neurons",
    (*DECODED, TOKEN, *PARAMS.every),
    of_said_word(PARAMS.scope, PARAMS.answers, _figure),
)
