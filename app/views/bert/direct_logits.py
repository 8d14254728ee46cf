"""What every part of the model writes to the logit of the word at a mask."""

from collections.abc import Callable
from typing import Final

from app.services import encoder
from app.services.encoder import Given
from app.services.silencing import Question
from app.ui import direct_logits
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
from core.trace import AttentionKind

PARAMS: Final = direct_logits.LogitParams.of(Scope("bert", "direct"))


def shown_mask(
    card: ModelCard, given: Given, profile: EncoderProfile, key: str
) -> Callable[[], direct_logits.Shown] | None:
    """Draw the text with its masks under `key`; what is called then asks which mask is meant.

    None after saying what is missing.
    """
    asked = masked_text(card, given, profile, key=key)
    if asked is None:
        return None
    masking, edits, traced = asked

    def chosen() -> direct_logits.Shown:
        place = choose_mask(masking.places)
        return direct_logits.Shown(
            card=card,
            question=Question(card.id, given.text, place, given.pair, edits),
            vocabulary=masking.vocabulary,
            said=encoder.distribution(traced, place),
            trace=lambda: traced.trace,
            kind=AttentionKind.ENCODER,
            where=f"at position {place}",
        )

    return chosen


def _figure(card: ModelCard, given: Given, profile: EncoderProfile) -> Export | None:
    top = answer()
    with_masks = shown_mask(card, given, profile, PARAMS.scope.key("tokens"))
    if with_masks is None:
        return None
    with controls():
        shown = with_masks()
        answers = PARAMS.answers.chosen(shown)
    return direct_logits.figure(PARAMS, shown, answers, {"model": model_line(card)}, top)


VIEW: Final = View(
    "direct",
    "Direct logits",
    (*state.MASKED_TEXT, *PARAMS.every),
    inputs.of_masked_text(_figure),
    inputs.masks_display,
)
