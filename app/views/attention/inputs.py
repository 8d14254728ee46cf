"""What the page's views read: a model, a sentence of the reader's or an example."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from app.content import examples
from app.services import engine, models
from app.services.engine import TextTrace
from app.ui import beginnings, chosen_words, progress
from app.ui.examples import example_chips
from app.ui.export_bar import Export
from app.ui.input_line import input_line, quoted
from app.ui.model_picker import model_title, pick_model
from app.ui.page import Figure
from app.views.attention import opening, state
from core.catalog import Family, ModelCard
from core.trace import AttentionKind, Encoding

SECOND_FIELD: Final = {
    Family.TEXT_ENCODER: (state.PAIR, "Second sentence (optional)", "leave empty for one sentence"),
    Family.TRANSLATOR: (
        state.TARGET,
        "Your own target text (optional)",
        "leave empty: the model decodes greedily",
    ),
}


@dataclass(frozen=True, slots=True)
class Read:
    """A sentence that a model has read."""

    traced: TextTrace
    card: ModelCard


def read_sentence() -> Read | None:
    """Ask for a sentence and run the model; None after saying why there is nothing to draw."""
    card = _input()
    if card is None:
        return None
    pair, target = second_texts(card.family)
    request, future = engine.request_maps(
        card.id, state.TEXT.value, pair=pair or None, target=target or None
    )
    trace = progress.outcome(future, card.id)
    if trace is None:
        return None
    loaded = progress.outcome(engine.loaded_card(card.id), card.id) or card
    return Read(TextTrace(request, trace), loaded)


def second_texts(family: Family) -> tuple[str, str]:
    """The second sentence and the target text, each "" for a family that reads none.

    What was typed for another model stays in the page's state.
    """
    read = SECOND_FIELD[family][0] if family in SECOND_FIELD else None
    return (
        state.PAIR.value if read is state.PAIR else "",
        state.TARGET.value if read is state.TARGET else "",
    )


def of_sentence(
    draw: Callable[[TextTrace, ModelCard], Export | None],
) -> Callable[[], Figure | None]:
    """A view of one sentence: asked for, read by the model, then drawn."""

    def render() -> Figure | None:
        read = read_sentence()
        return None if read is None else partial(draw, read.traced, read.card)

    return render


def followed(encoding: Encoding, kind: AttentionKind) -> int:
    """The token whose way is shown: the pinned one, a mask, a decoder's last, or the first."""
    tokens, pinned = encoding.tokens, state.PIN.value
    if 0 <= pinned < len(tokens):
        return pinned
    masks = [place for place, token in enumerate(tokens) if "mask" in token.lower()]
    if masks and encoding.special[masks[0]]:
        return masks[0]
    return len(tokens) - 1 if kind == AttentionKind.DECODER else 0


def read_model() -> ModelCard | None:
    """Ask for a model alone."""
    cards = models.cards(*models.TEXTS)
    with input_line(model_title(state.MODEL, cards)):
        return pick_model(state.MODEL, cards, problems=models.problems())


def _input() -> ModelCard | None:
    """The model, the sentence and its examples; returns the chosen model's card."""
    opening.take()
    cards, problems = models.cards(*models.TEXTS), models.problems()
    title = model_title(state.MODEL, cards)  # puts a model in place that there is
    family = next((card.family for card in cards if card.id == state.MODEL.value), None)
    pair = second_texts(family)[0] if family else ""
    with input_line(quoted(state.TEXT.value, pair), title):
        state.TEXT.area("Sentence")
        card = pick_model(state.MODEL, cards, problems=problems)
        if card is not None and (second := SECOND_FIELD.get(card.family)):
            param, label, hint = second
            param.area(label, placeholder=hint)
        by_label = {example.label: example for example in examples.ATTENTION}
        example_chips(by_label, _show_example, key=state.HERE.key("example"), text=state.TEXT)
    return card


def _show_example(example: examples.Example) -> None:
    state.TEXT.put(example.text)
    state.PAIR.put(example.pair)
    state.HEADS.put(example.heads)
    chosen_words.choose(state.CELL, example.cell)
    chosen_words.choose(state.PIN, example.pin)


def show_first_example(link: Mapping[str, str]) -> None:
    """A first screen that makes the point."""
    if beginnings.is_bare(link):
        _show_example(examples.ATTENTION[0])
