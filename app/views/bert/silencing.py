"""Silenced heads at one mask."""

import numpy as np
from jaxtyping import Bool

from app.services import encoder
from app.services.encoder import Edits, Given
from app.services.engine import TextTrace
from app.services.silencing import Question
from app.ui.silence import Asked, Effect, heads_of, silence_heads
from app.views.bert import inputs, state
from app.views.bert.predictions import Prediction
from core.catalog import ModelCard
from core.outputs.encoder import EncoderProfile
from core.trace import AttentionKind, Trace


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

    def left_out(trace: Trace, _: AttentionKind) -> Bool[np.ndarray, " key"]:
        encoding = encoder.encoding_of(trace)
        return encoding.special & (encoding.ids != profile.mask_id)

    return silence_heads(
        state.SILENCE,
        lambda: Asked(
            card=card,
            question=Question(given.model_id, given.text, row.place, given.pair, edits),
            vocabulary=vocabulary,
            heads=heads_of(inputs.loaded(card), AttentionKind.ENCODER),
            trace=lambda: traced.trace,
            left_out=left_out,
            original=row.original,
        ),
    )
