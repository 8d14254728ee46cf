"""Silenced heads at one step of the decoder."""

from typing import Final

import numpy as np
from jaxtyping import Bool

from app.services import text_maps, translator
from app.services.silencing import Heads, Question
from app.ui import progress
from app.ui.params import Scope
from app.ui.silence import Asked, Effect, Silence, silence_heads
from app.views.transformer.state import KINDS, NAMES, OTHER, TEXT
from core.catalog import ModelCard
from core.outputs.decoding import Decoding
from core.trace import AttentionKind, Trace

ORDER: Final = (AttentionKind.CROSS, AttentionKind.DECODER, AttentionKind.ENCODER)
SILENCE: Final = Silence.of(
    Scope("transformer", "decode"),
    NAMES,
    {str(kind): KINDS[kind] for kind in ORDER},
    other=OTHER,
)


def silence(card: ModelCard, decoded: Decoding, step: int) -> Effect | None:
    """The section for the token that was said at a step; None while it is folded."""
    said = tuple(decoded.label_ids.tolist())
    position = min(step, len(said) - 1)
    trace = decoded.trace

    def left_out(trace: Trace, kind: AttentionKind) -> Bool[np.ndarray, " key"]:
        return text_maps.encodings(trace, kind)[1].special

    def asked() -> Asked | None:
        vocabulary = progress.outcome(translator.vocabulary(card.id), card.id)
        if vocabulary is None:
            return None
        return Asked(
            card=card,
            question=Question(card.id, TEXT.value, position, said=said),
            vocabulary=vocabulary,
            heads={kind: Heads(kind, trace.n_layers(kind), trace.n_heads(kind)) for kind in ORDER},
            trace=lambda: trace,
            left_out=left_out,
            original=said[position],
        )

    return silence_heads(SILENCE, asked)
