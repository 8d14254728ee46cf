"""Which neurons write the next word, after any token of the prompt."""

from functools import partial
from typing import Final

from app.components.selection import clicked_index
from app.components.token_row import Chip, token_row
from app.services import engine
from app.services.silencing import Question
from app.ui import direct_logits, neurons, progress
from app.ui.answer import answer
from app.ui.chosen_words import InText, token_in
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.page import Figure, View
from app.ui.params import Scope
from app.views.gpt.inputs import Opened, prompt_input
from app.views.gpt.state import MODEL, PLACE, TEXT
from core.explain.predictions.token_distribution import token_distribution
from core.trace import AttentionKind, Trace

PARAMS: Final = neurons.NeuronParams.of(Scope("gpt", "neurons"))
ROW: Final = PARAMS.scope.key("prompt")


def render() -> Figure | None:
    """Prompt, model, the forward pass on it."""
    opened = prompt_input()
    if opened is None:
        return None
    trace = progress.outcome(engine.request_trace(opened.card.id, TEXT.value)[1], opened.card.id)
    return None if trace is None else partial(_figure, opened, trace)


def _figure(opened: Opened, trace: Trace) -> Export | None:
    card, tokens, logits = opened.card, trace.tokens, trace.logits
    if logits is None or trace.encoding is None:
        raise ValueError("a decoder's trace has logits and an encoding")
    place = answer()
    chosen = InText(PLACE, token_in(tokens), figures=(ROW,))
    if (picked := clicked_index(ROW, len(tokens))) is not None:
        chosen.put(PLACE.default if picked == len(tokens) - 1 else picked)
        PARAMS.answers.reset()
    at = len(tokens) - 1 if chosen.value == PLACE.default else chosen.value
    token_row(
        tuple(
            Chip(token, state="lit" if i == at else "plain", hue="decoder", token_id=own)
            for i, (token, own) in enumerate(zip(tokens, trace.encoding.ids.tolist(), strict=True))
        ),
        label="The prompt; click the token after which is read",
        key=ROW,
        caption=f"{card.title} · “{TEXT.value[:200]}”",
    )
    shown = direct_logits.Shown(
        card=card,
        question=Question(card.id, TEXT.value, at),
        vocabulary=opened.vocabulary,
        said=token_distribution(logits[at]),
        trace=lambda: trace,
        kind=AttentionKind.DECODER,
        where="as the next token" if at == len(tokens) - 1 else f"after token {at}",
    )
    with controls():
        answers = PARAMS.answers.chosen(shown)
        PARAMS.choices()
    return neurons.figure(PARAMS, shown, answers, opened.facts, place)


VIEW: Final = View("neurons", "Neurons", (MODEL, TEXT, PLACE, *PARAMS.every), render)
