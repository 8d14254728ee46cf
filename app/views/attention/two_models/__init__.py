"""Two models on one sentence, laid on the stretches of characters that both cut it into."""

from functools import partial
from typing import Final

from app.content import examples
from app.services import engine, models
from app.services.engine import TextTrace
from app.ui import progress
from app.ui.examples import example_chips
from app.ui.input_line import input_line, quoted
from app.ui.model_picker import model_title, pick_model
from app.ui.page import Figure, View
from app.views.attention.state import HEADS, MODEL, TEXT
from app.views.attention.two_models import state
from app.views.attention.two_models.figure import figure
from core.catalog import ModelCard


def render() -> Figure | None:
    """Ask for a sentence and two models, run both, lay their heads together."""
    cards = _input()
    if cards is None:
        return None
    asked = [engine.request_maps(card.id, TEXT.value) for card in cards]
    traced: list[TextTrace] = []
    for card, (request, future) in zip(cards, asked, strict=True):
        trace = progress.outcome(future, card.id)
        if trace is None:
            return None
        traced.append(TextTrace(request, trace))
    return partial(figure, (cards[0], traced[0]), (cards[1], traced[1]))


def _input() -> tuple[ModelCard, ModelCard] | None:
    cards, problems = models.cards(*models.TEXTS), models.problems()
    titles = (model_title(param, cards) for param in (MODEL, state.OTHER_MODEL))
    with input_line(quoted(TEXT.value), *titles):
        TEXT.area("Sentence")
        first = pick_model(MODEL, cards, problems=problems, label="First model")
        second = pick_model(state.OTHER_MODEL, cards, label="Second model")
        by_label = {one.label: one for one in examples.ATTENTION if not one.pair}
        example_chips(by_label, _take, key=state.HERE.key("example"), text=TEXT)
    return None if first is None or second is None else (first, second)


def _take(example: examples.Example) -> None:
    TEXT.put(example.text)
    HEADS.put(example.heads)
    state.OTHER_HEAD.reset()
    state.CELL.reset()


VIEW: Final = View("models", "Two models", state.PARAMS, render)
