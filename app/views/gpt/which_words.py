"""Which words of the prompt spoke for the next one?"""

from functools import partial
from typing import Final

from app.services.token_evidence import Asked
from app.ui import which_words
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.page import Figure, View
from app.ui.params import Scope
from app.views.gpt.inputs import Opened, prompt_step
from app.views.gpt.state import MODEL, TEXT
from core.explain.predictions.token_distribution import token_distribution
from core.outputs.decoder import NextStep
from core.targets import LogitTarget

PARAMS: Final = which_words.WordParams.of(Scope("gpt", "why"))


def render() -> Figure | None:
    """Prompt, model, then what follows from it."""
    asked = prompt_step()
    return None if asked is None else partial(_figure, *asked)


def _figure(opened: Opened, step: NextStep) -> Export | None:
    place = answer()
    said = token_distribution(step.logits)
    with controls():
        token = PARAMS.pick(said.top(1)[0], opened.vocabulary)
    shown = which_words.Shown(
        card=opened.card,
        asked=Asked(opened.card.id, TEXT.value, LogitTarget(len(step.encoding.tokens) - 1, token)),
        encoding=step.encoding,
        vocabulary=opened.vocabulary,
        probability=said.probability(token),
        rank=said.rank(token),
        hue="decoder",
    )
    return which_words.figure(PARAMS, shown, opened.facts, place)


VIEW: Final = View("why", "Which words?", (MODEL, TEXT, *PARAMS.every), render)
