"""Silenced heads at one mask."""

import numpy as np
from jaxtyping import Bool

from app.services import encoder
from app.services.encoder import Edits, Given
from app.services.engine import TextTrace
from app.services.silencing import Question
from app.ui.silence import Asked, Effect, silence_heads
from app.views.bert import inputs, state
from app.views.bert.predictions import Prediction
from core.catalog import ModelCard
from core.outputs.encoder import EncoderProfile
from core.trace import AttentionKind


def silence(
    card: ModelCard,
    given: Given,
    edits: Edits,
    traced: TextTrace,
    row: Prediction,
    profile: EncoderProfile,
    vocabulary: tuple[str, ...],
) -> Effect | None:
    """The section; None while it is folded. A mask is a place to look at, [CLS] and [SEP] not."""

    def left_out(traced: TextTrace) -> Bool[np.ndarray, " key"]:
        encoding = encoder.encoding_of(traced.trace)
        return encoding.special & (encoding.ids != profile.mask_id)

    return silence_heads(
        state.SILENCE,
        Asked(
            card=inputs.loaded(card),
            question=Question(given.model_id, given.text, row.place, given.pair, edits),
            vocabulary=vocabulary,
            kind=AttentionKind.ENCODER,
            traced=lambda: traced,
            left_out=left_out,
            original=row.original,
        ),
    )
