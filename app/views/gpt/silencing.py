"""Silenced heads after a prompt."""

import numpy as np
from jaxtyping import Bool

from app.services import engine
from app.services.silencing import Question
from app.ui import progress
from app.ui.silence import Asked, Effect, heads_of, silence_heads
from app.views.gpt.inputs import Opened
from app.views.gpt.state import SILENCE, TEXT
from core.outputs.decoder import NextStep
from core.trace import AttentionKind, Trace


def silence(opened: Opened, step: NextStep) -> Effect | None:
    """The section at the prompt's last token; None while it is folded."""
    text, card = TEXT.value, opened.card

    def trace() -> Trace | None:
        return progress.outcome(engine.request_trace(card.id, text)[1], card.id)

    def left_out(trace: Trace, _: AttentionKind) -> Bool[np.ndarray, " key"]:
        if trace.encoding is None:
            raise ValueError("a decoder's trace has tokens")
        return trace.encoding.special

    return silence_heads(
        SILENCE,
        lambda: Asked(
            card=card,
            question=Question(card.id, text, len(step.encoding) - 1),
            vocabulary=opened.vocabulary,
            heads=heads_of(card, AttentionKind.DECODER),
            trace=trace,
            left_out=left_out,
        ),
    )
