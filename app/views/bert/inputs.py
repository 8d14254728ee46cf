"""The reader's texts and the model: what several views of the BERT page share."""

from dataclasses import dataclass

import streamlit as st

from app.services import encoder, engine
from app.services.encoder import Given
from app.style.markdown_escape import plain
from app.ui import progress, projector
from app.ui.model_picker import choose_model
from app.views.bert import state
from app.views.bert.exports import link_row
from core.catalog import Family, ModelCard
from core.outputs.encoder import EncoderProfile

ENCODERS = (Family.TEXT_ENCODER,)
MASK_TOKENS = ("[MASK]", "<mask>")
MASKED_LM, NEXT_SENTENCE = "masked-LM", "next-sentence"
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
    Example("a fact", "The native language of Victor Hugo is French.", (9,)),
    Example("two rooms", "She opened the door and walked into the room.", (4, 9)),
    Example("a gallon of milk", "the man went to the [MASK] to buy a [MASK] of milk"),
    Example(
        "the answer is in the pair", "He was born in Rome.", (5,), "Rome is the capital of Italy."
    ),
    Example("a robin is not", "A robin is a [MASK]. A robin is not a [MASK]."),
)


def text_inputs() -> tuple[ModelCard, Given]:
    """One text or two, and the model."""
    notices = st.container()
    left, middle, right = st.columns([5, 4, 4], vertical_alignment="bottom")
    with right:
        card = choose_model(state, ENCODERS, notices=notices)
    with left:
        text = st.text_area("Sentence", key=state.key(state.TEXT), height=68)
    with middle:
        pair = st.text_area(
            "Second sentence (optional)",
            key=state.key(state.PAIR),
            height=68,
            placeholder="leave empty for one sentence",
        )
    st.pills(
        "Examples",
        [example.label for example in EXAMPLES],
        key=f"{state.PAGE}.example",
        on_change=_take_example,
        label_visibility="collapsed",
    )
    return card, Given(card.id, text, pair or None)


def opened(card: ModelCard) -> EncoderProfile | None:
    """What the model can do, once it is open; None after its error was shown."""
    return progress.outcome(encoder.profile(card.id), card.id)


def loaded(card: ModelCard) -> ModelCard:
    """The card with the counts that only the opened model tells."""
    return progress.outcome(engine.loaded_card(card.id), card.id) or card


def lacks(card: ModelCard, profile: EncoderProfile, head: str) -> None:
    """Say that a model can't do what a view shows, why, and offer the one that can."""
    reason = REASONS.get((profile.model_type, head), "")
    with st.container(border=True):
        st.markdown(
            f"**{plain(card.title)} has no {head} head**, so it can't answer here. {reason} "
            "The other views work with it."
        )
        st.button(
            "Take BERT mini, which has one",
            on_click=lambda: state.put(state.MODEL, state.MODEL.default),
            type="primary",
        )


def masked_lm_of(card: ModelCard, given: Given) -> EncoderProfile | None:
    """The model's profile if it can predict words; what stands in the way is said."""
    profile = opened(card)
    if profile is None:
        return None
    if not profile.masked_lm:
        lacks(card, profile, MASKED_LM)
        link_row()
        return None
    others = [mask for mask in MASK_TOKENS if mask in given.text + (given.pair or "")]
    if others and profile.mask_token not in others:
        st.info(
            f"{plain(card.title)}'s mask is {plain(profile.mask_token)}; it reads "
            f"{plain(' and '.join(others))} as letters. Click a word instead, or write its own."
        )
    return profile


def display_popover(*, masks: bool) -> None:
    """The rarely used controls; those of the masks only where there are masks."""
    with st.popover("Display", icon=":material/tune:", width="content"):
        if masks:
            st.slider("Candidates at each mask", 3, 20, key=state.key(state.TOP))
            st.toggle(
                "A click masks one piece, not the word",
                key=state.key(state.PIECES),
                help="BERT's first training masked pieces; “whole word masking” came later.",
            )
        projector.toggle(state.PAGE)


def show_example(example: Example) -> None:
    """Put a text and its masks in place."""
    state.put(state.TEXT, example.text)
    state.put(state.PAIR, example.pair)
    state.put(state.MASKS, example.masks)
    state.put(state.FILLS, ())
    state.put(state.HEAD, None)
    st.session_state.pop(f"{state.PAGE}.mask-spans", None)


def _take_example() -> None:
    label = st.session_state[f"{state.PAGE}.example"]
    for example in EXAMPLES:
        if example.label == label:
            show_example(example)
    st.session_state[f"{state.PAGE}.example"] = None
