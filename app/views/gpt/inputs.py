"""The reader's prompt and the model: what several views of the GPT page share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from app.services import decoder, engine, models
from app.style.markdown_escape import plain
from app.ui import progress
from app.ui.examples import example_chips
from app.ui.input_line import input_line, quoted
from app.ui.model_picker import model_title, pick_model
from app.ui.params import Text
from app.views.gpt.state import HERE, MODEL, PLACE, PROMPT, TEXT, TREE
from core.catalog import Family, ModelCard
from core.outputs.decoder import NextStep


@dataclass(frozen=True, slots=True)
class Opened:
    """The model of a view, once it is open."""

    card: ModelCard
    vocabulary: tuple[str, ...]

    @property
    def facts(self) -> dict[str, str]:
        """For the prose."""
        card = self.card
        return {
            "model": f"Model: {plain(card.title)}, {card.size} parameters; {plain(card.task)}. "
            f"{plain(card.licence)}. {card.paper}"
        }


PROMPTS = {
    "background music": PROMPT,
    "a capital": "Paris is the capital of",
    "one day": "One day, a little girl went to the",
    "born in": "He was born in",
    "a number": "2, 4, 6, 8,",
    "copy me": "red blue green red blue",
}


def prompt_input() -> Opened | None:
    """The prompt, its examples and the model; None after an error was shown."""
    with input_line(quoted(TEXT.value), decoder_title(MODEL)):
        TEXT.area("Prompt", changed=_forget_places)
        card = decoder_picker(MODEL)
        if card is not None:
            _forget_other_models_tree(card)
        example_chips(PROMPTS, _take_prompt, key=HERE.key("example"), text=TEXT, bring=_take_prompt)
    return None if card is None else opened(card)


def prompt_step() -> tuple[Opened, NextStep] | None:
    """The same, with what the model says after the prompt."""
    asked = prompt_input()
    if asked is None:
        return None
    step = progress.outcome(decoder.next_step(asked.card.id, TEXT.value), asked.card.id)
    return None if step is None else (asked, step)


def text_input(param: Text, label: str, examples: Mapping[str, str]) -> Opened | None:
    """Another text than the prompt, its examples and the model."""
    with input_line(quoted(param.value), decoder_title(MODEL)):
        param.area(label)
        card = decoder_picker(MODEL)
        example_chips(examples, param.put, key=f"{param.key}.example", text=param)
    return None if card is None else opened(card)


def model_input(*said: str, fields: Callable[[], object] = lambda: None) -> Opened | None:
    """The model, and `fields` of the view's own, whose values are `said`."""
    with input_line(*said, decoder_title(MODEL)):
        fields()
        card = decoder_picker(MODEL)
    return None if card is None else opened(card)


def decoder_picker(param: Text) -> ModelCard | None:
    """One of the causal models."""
    return pick_model(param, models.cards(Family.TEXT_DECODER), problems=models.problems())


def decoder_title(param: Text) -> str:
    """Its name, for the line that holds the input."""
    return model_title(param, models.cards(Family.TEXT_DECODER))


def opened(card: ModelCard) -> Opened | None:
    """The opened model's card and vocabulary; None after its error was shown."""
    vocabulary = progress.outcome(decoder.vocabulary(card.id), card.id)
    if vocabulary is None:
        return None
    loaded = progress.outcome(engine.loaded_card(card.id), card.id)
    return Opened(loaded or card, vocabulary)


def _forget_places() -> None:
    """A tree and a place belong to their prompt."""
    TREE.reset()
    PLACE.reset()


def _forget_other_models_tree(card: ModelCard) -> None:
    """Its ids mean other tokens here."""
    key = HERE.key("tree-of")
    if st.session_state.get(key, card.id) != card.id:
        TREE.reset()
    st.session_state[key] = card.id


def _take_prompt(prompt: str) -> None:
    TEXT.put(prompt)
    _forget_places()
