"""Which neurons of the decoder write the word that it says."""

from typing import Final

from streamlit.delta_generator import DeltaGenerator

from app.ui import direct_logits, neurons
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.params import Scope
from app.views.transformer.said_word import said_word_view

PARAMS: Final = neurons.NeuronParams.of(Scope("transformer", "neurons"))


def _figure(shown: direct_logits.Shown, place: DeltaGenerator) -> Export | None:
    with controls():
        answers = PARAMS.answers.chosen(shown)
        PARAMS.choices()
    return neurons.figure(PARAMS, shown, answers, {}, place)


VIEW: Final = said_word_view("neurons", "Neurons", PARAMS, _figure)
