"""Silenced heads after a prompt."""

import numpy as np
from jaxtyping import Bool

from app.services import engine
from app.services.engine import TextTrace
from app.services.silencing import Question
from app.ui import progress
from app.ui.silence import Asked, Effect, silence_heads
from app.views.gpt.inputs import Opened
from app.views.gpt.state import SILENCE, TEXT
from core.outputs.decoder import NextStep
from core.trace import AttentionKind


def silence(opened: Opened, step: NextStep) -> Effect | None:
    """The section at the prompt's last token; None while it is folded."""
    text, card = TEXT.value, opened.card

    def traced() -> TextTrace | None:
        request, future = engine.request_trace(card.id, text)
        trace = progress.outcome(future, card.id)
        return None if trace is None else TextTrace(request, trace)

    def left_out(traced: TextTrace) -> Bool[np.ndarray, " key"]:
        if traced.trace.encoding is None:
            raise ValueError("a decoder's trace has tokens")
        return traced.trace.encoding.special

    return silence_heads(
        SILENCE,
        Asked(
            card=card,
            question=Question(card.id, text, len(step.encoding) - 1),
            vocabulary=opened.vocabulary,
            kind=AttentionKind.DECODER,
            traced=traced,
            left_out=left_out,
        ),
    )
