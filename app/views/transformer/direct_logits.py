"""What every part of the decoder writes to the logit of the word that it says."""

from typing import Final

from streamlit.delta_generator import DeltaGenerator

from app.ui import direct_logits
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.params import Scope
from app.views.transformer.said_word import said_word_view

PARAMS: Final = direct_logits.LogitParams.of(Scope("transformer", "direct"))


def _figure(shown: direct_logits.Shown, place: DeltaGenerator) -> Export | None:
    with controls():
        answers = PARAMS.answers.chosen(shown)
    return direct_logits.figure(PARAMS, shown, answers, {}, place)


VIEW: Final = said_word_view("direct", "Direct logits", PARAMS, _figure)
