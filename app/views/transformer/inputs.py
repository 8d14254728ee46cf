"""The reader's sentence and the model: what every view of the Transformer page begins with."""

from dataclasses import dataclass
from typing import Final

import streamlit as st

from app.content.lectures import SEWAGE
from app.services import engine, models, translator
from app.ui import progress
from app.ui.examples import example_chips
from app.ui.input_line import input_line, quoted
from app.ui.model_picker import model_title, pick_model
from app.views.transformer.state import (
    ENGLISH,
    GERMAN,
    HERE,
    MODEL,
    PREFIX,
    TARGET,
    TEXT,
    TOKEN,
    asked,
)
from core.catalog import Family, ModelCard
from core.outputs.decoding import Decoding


@dataclass(frozen=True)
class Example:
    """A sentence behind a chip, and a German one for teacher forcing."""

    text: str
    target: str


EXAMPLES: Final = {
    "it: sie or es?": Example(ENGLISH, GERMAN),
    "the verb goes last": Example(
        "I know that you have read the book.",
        "Ich weiß, dass du das Buch gelesen hast.",
    ),
    "greedy errs": Example(
        "My sister has bought a new car.",
        "Meine Schwester hat ein neues Auto gekauft.",
    ),
    "the wrong bank": Example(
        "He is sitting on the bank of the river.",
        "Er sitzt am Ufer des Flusses.",
    ),
    "words it hardly knows": Example(SEWAGE, "Die Kläranlage riecht heute ganz besonders."),
}


def ask(*, target: bool = False) -> ModelCard | None:
    """The text, perhaps the target, the examples and the model; None where nothing can be run."""
    cards = models.cards(Family.TRANSLATOR)
    texts = (TEXT.value, TARGET.value) if target else (TEXT.value,)
    with input_line(quoted(*texts), model_title(MODEL, cards)):
        TEXT.area("English", changed=_forget)
        if target:
            TARGET.area("Your German")
        card = pick_model(MODEL, cards, problems=models.problems())
        example_chips(EXAMPLES, _take, key=HERE.key("example"), text=TEXT, bring=_bring)
    if card is not None and st.session_state.setdefault(HERE.key("of-model"), card.id) != card.id:
        st.session_state[HERE.key("of-model")] = card.id
        _forget()
    if card is None:
        return None
    if card.repository.startswith("google-t5/"):
        st.caption("T5 does many tasks: begin the text with “translate English to German: ”.")
    return progress.outcome(engine.loaded_card(card.id), card.id)


def translated() -> tuple[ModelCard, Decoding, tuple[str, ...]] | None:
    """The model, its own translation and its vocabulary; None after an error was shown."""
    card = ask()
    if card is None:
        return None
    decoded = progress.outcome(translator.decode(asked()), card.id)
    vocabulary = progress.outcome(translator.vocabulary(card.id), card.id)
    return None if decoded is None or vocabulary is None else (card, decoded, vocabulary)


def _take(example: Example) -> None:
    TEXT.put(example.text)
    TARGET.put(example.target)
    _forget()


def _bring(text: str) -> None:
    TEXT.put(text)
    _forget()


def _forget() -> None:
    """What belonged to another sentence's tokens, or another model's."""
    PREFIX.reset()
    TOKEN.reset()
