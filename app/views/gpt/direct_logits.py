"""What every part of the model writes to the logit of the next word."""

from functools import partial
from typing import Final

from app.services import engine
from app.services.silencing import Question
from app.ui import direct_logits, progress
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.page import Figure, View
from app.ui.params import Scope
from app.views.gpt.inputs import Opened, prompt_step
from app.views.gpt.state import MODEL, TEXT
from core.explain.predictions.token_distribution import token_distribution
from core.outputs.decoder import NextStep
from core.trace import AttentionKind, Trace

PARAMS: Final = direct_logits.LogitParams.of(Scope("gpt", "direct"))


def render() -> Figure | None:
    """Prompt, model, then what follows from it."""
    asked = prompt_step()
    return None if asked is None else partial(_figure, *asked)


def _figure(opened: Opened, step: NextStep) -> Export | None:
    card, text = opened.card, TEXT.value

    def trace() -> Trace | None:
        return progress.outcome(engine.request_trace(card.id, text)[1], card.id)

    place = answer()
    shown = direct_logits.Shown(
        card=card,
        question=Question(card.id, text, len(step.encoding) - 1),
        vocabulary=opened.vocabulary,
        said=token_distribution(step.logits),
        trace=trace,
        kind=AttentionKind.DECODER,
        where="as the next token",
    )
    with controls():
        answers = PARAMS.answers.chosen(shown)
    return direct_logits.figure(PARAMS, shown, answers, opened.facts, place)


VIEW: Final = View("direct", "Direct logits", (MODEL, TEXT, *PARAMS.every), render)
