"""The reader's texts and the model: what several views of the BERT page share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import streamlit as st

from app.services import encoder, engine, models
from app.services.encoder import Given
from app.style.markdown_escape import plain
from app.ui import progress
from app.ui.examples import example_chips
from app.ui.export_bar import Export
from app.ui.input_line import input_line, quoted
from app.ui.model_picker import model_title, pick_model
from app.ui.page import Figure
from app.ui.params import Param
from app.views.bert import state
from core.catalog import Family, ModelCard
from core.outputs.encoder import EncoderProfile

MASK_TOKENS = ("[MASK]", "<mask>")
MASKED_LM, NEXT_SENTENCE = "masked-LM", "next-sentence"
TRAINED_HERE = " (trained here)"
REASONS = {  # why a family lacks a head, where its paper says so
    ("roberta", NEXT_SENTENCE): (
        "RoBERTa was trained without next-sentence prediction (Liu et al. 2019, section 4.2)."
    ),
    ("distilbert", NEXT_SENTENCE): (
        "DistilBERT dropped the segments and the pooler (Sanh et al. 2019, section 3)."
    ),
    ("electra", MASKED_LM): (
        "ELECTRA's discriminator learns to say which tokens were replaced, not to write them "
        "(Clark et al. 2020, section 2)."
    ),
    ("albert", NEXT_SENTENCE): (
        "ALBERT is asked for the order of two segments instead (Lan et al. 2020, section 3.1)."
    ),
}


@dataclass(frozen=True)
class Example:
    """A text behind a chip, and its masks."""

    label: str
    text: str
    masks: tuple[int, ...] = ()
    pair: str = ""


EXAMPLES = (
    Example("capital and France", "Paris is the capital of France.", (4, 6)),
    Example("a fact", "The native language of Victor Hugo is [MASK]."),
    Example("a cup of coffee", "He drinks a cup of [MASK] every morning."),
    Example("two rooms", "She opened the door and walked into the room.", (4, 9)),
    Example(
        "the answer is in the pair", "He was born in Rome.", (5,), "Rome is the capital of Italy."
    ),
    Example("milk from where?", "the man went to the [MASK] to buy a [MASK] of milk"),
    Example("see it fail: “not”", "A trout is a fish. A trout is not a [MASK]."),
)


def text_inputs() -> tuple[ModelCard, Given] | None:
    """One text or two, and the model."""
    with input_line(quoted(state.TEXT.value, state.PAIR.value), encoder_title()):
        text = state.TEXT.area("Sentence")
        pair = state.PAIR.area(
            "Second sentence (optional)", placeholder="leave empty for one sentence"
        )
        card = encoder_picker()
        examples = {example.label: example for example in EXAMPLES}
        example_chips(examples, show_example, key=state.HERE.key("example"), text=state.TEXT)
    return None if card is None else (card, Given(card.id, text, pair or None))


def encoder_picker(model: Param[str] = state.MODEL) -> ModelCard | None:
    """One of the encoders."""
    cards = models.cards(Family.TEXT_ENCODER)
    return pick_model(model, cards, problems=models.problems())


def encoder_title(model: Param[str] = state.MODEL) -> str:
    """Its name, for the line that holds the input."""
    return model_title(model, models.cards(Family.TEXT_ENCODER))


def opened(card: ModelCard) -> EncoderProfile | None:
    """What the model can do, once it is open; None after its error was shown."""
    return progress.outcome(encoder.profile(card.id), card.id)


def loaded(card: ModelCard) -> ModelCard:
    """The card with the counts that only the opened model tells."""
    return progress.outcome(engine.loaded_card(card.id), card.id) or card


def lacks(card: ModelCard, profile: EncoderProfile, head: str, model: Param[str]) -> None:
    """Say that a model can't do what a view shows, why, and offer the one that can."""
    able = models.card_of(model.default)
    reason = REASONS.get((profile.model_type, head), "")
    with st.container(border=True):
        st.markdown(
            f"**{plain(card.title)} has no {head} head**, so it can't answer here. {reason} "
            "The other views work with it."
        )
        if able is not None:
            st.button(
                f"Take {plain(able.title.removesuffix(TRAINED_HERE))}, which has one",
                on_click=model.reset,
                type="primary",
            )


def masked_lm_of(card: ModelCard, given: Given) -> EncoderProfile | None:
    """The model's profile if it can predict words; what stands in the way is said."""
    profile = opened(card)
    if profile is None:
        return None
    if not profile.masked_lm:
        lacks(card, profile, MASKED_LM, state.MODEL)
        return None
    others = [mask for mask in MASK_TOKENS if mask in given.text + (given.pair or "")]
    if others and profile.mask_token not in others:
        st.info(
            f"{plain(card.title)}'s mask is {plain(profile.mask_token)}; it reads "
            f"{plain(' and '.join(others))} as letters. Click a word instead, or write its own."
        )
    return profile


def of_masked_text(
    figure: Callable[[ModelCard, Given, EncoderProfile], Export | None],
) -> Callable[[], Figure | None]:
    """A view of masked words: its text and a model that predicts words, then its figure."""

    def render() -> Figure | None:
        asked = text_inputs()
        if asked is None:
            return None
        profile = masked_lm_of(*asked)
        return None if profile is None else partial(figure, *asked, profile)

    return render


def masks_display() -> None:
    """The rarely used controls of the masks."""
    state.TOP.slider("Candidates at each mask")
    state.PIECES.toggle(
        "A click masks one piece, not the word",
        help="BERT's first training masked pieces; “whole word masking” came later.",
    )


def show_first_example(link: Mapping[str, str]) -> None:
    """A first screen that makes the point, unless the link brings a text."""
    if state.TEXT.name not in link:
        show_example(EXAMPLES[0])


def show_example(example: Example) -> None:
    """Put a text and its masks in place."""
    state.TEXT.put(example.text)
    state.PAIR.put(example.pair)
    state.MASKS.put(example.masks)
    state.FILLS.reset()
    state.HEAD.reset()
    st.session_state.pop(state.HERE.key("mask-spans"), None)
