"""Two sentences that differ in little: which heads look elsewhere in the second?"""

from functools import partial
from typing import Final

from app.services import engine, models
from app.services.engine import TextTrace
from app.ui import chosen_words, progress
from app.ui.examples import example_chips
from app.ui.input_line import input_line, quoted
from app.ui.model_picker import model_title, pick_model
from app.ui.page import Figure, View
from app.views.attention.pair import state
from app.views.attention.pair.figure import figure
from core.catalog import ModelCard


def render() -> Figure | None:
    """Ask for two sentences, run the model on both, compare its heads."""
    card = _input()
    if card is None:
        return None
    texts = (state.TEXT.value, state.OTHER_TEXT.value)
    asked = [engine.request_maps(card.id, text) for text in texts]  # both before either is awaited
    traced: list[TextTrace] = []
    for request, future in asked:
        trace = progress.outcome(future, card.id)
        if trace is None:
            return None
        traced.append(TextTrace(request, trace))
    loaded = progress.outcome(engine.loaded_card(card.id), card.id) or card
    return partial(figure, traced[0], traced[1], loaded)


def _input() -> ModelCard | None:
    cards, problems = models.cards(*models.TEXTS), models.problems()
    said = quoted(state.TEXT.value, state.OTHER_TEXT.value)
    with input_line(said, model_title(state.MODEL, cards)):
        state.TEXT.area("First sentence")
        state.OTHER_TEXT.area("Second sentence")
        card = pick_model(state.MODEL, cards, problems=problems)
        example_chips(
            state.EXAMPLES,
            _take,
            key=state.HERE.key("example"),
            text=state.TEXT,
            bring=lambda text: _take(state.Example(text, text)),
        )
    return card


def _take(example: state.Example) -> None:
    """A reader's own sentence comes twice: they change a word in one of them."""
    state.TEXT.put(example.first)
    state.OTHER_TEXT.put(example.second)
    state.HEADS.reset()
    chosen_words.choose(state.TOKEN, state.OWN)
    chosen_words.choose(state.CELL, None)


VIEW: Final = View("pair", "Two sentences", state.PARAMS, render)
