"""Which words spoke for what the model puts at a mask?"""

from typing import Final

from app.services import encoder
from app.services.encoder import Given
from app.services.token_evidence import Asked
from app.ui import which_words
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.page import View
from app.ui.params import Scope
from app.views.bert import inputs, state
from app.views.bert.facts import model_line
from app.views.bert.looking import choose_mask
from app.views.bert.masking import masked_text
from core.catalog import ModelCard
from core.outputs.encoder import EncoderProfile
from core.targets import LogitTarget

PARAMS: Final = which_words.WordParams.of(Scope("bert", "why"))


def _figure(card: ModelCard, given: Given, profile: EncoderProfile) -> Export | None:
    top = answer()
    asked = masked_text(card, given, profile, key=PARAMS.scope.key("tokens"))
    if asked is None:
        return None
    masking, edits, traced = asked
    vocabulary = masking.vocabulary
    with controls():
        place = choose_mask(masking.places)
        said = encoder.distribution(traced, place)
        token = PARAMS.pick(said.top(1)[0], vocabulary)
    shown = which_words.Shown(
        card=card,
        asked=Asked(card.id, given.text, LogitTarget(place, token), given.pair, edits),
        encoding=encoder.encoding_of(traced.trace),
        vocabulary=vocabulary,
        probability=said.probability(token),
        rank=said.rank(token),
        hue="encoder",
    )
    return which_words.figure(PARAMS, shown, {"model": model_line(card)}, top)


VIEW: Final = View(
    "why",
    "Which words?",
    (*state.MASKED_TEXT, *PARAMS.every),
    inputs.of_masked_text(_figure),
    inputs.masks_display,
)
