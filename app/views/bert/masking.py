"""The text with its masks, as the views beside “Masked words” draw it: a click masks a word."""

from dataclasses import dataclass

import streamlit as st

from app.components.token_row import token_row
from app.services import encoder
from app.services.encoder import Given
from app.style.markdown_escape import plain
from app.ui import progress
from app.views.bert import state
from app.views.bert.masked_words import after_click, current_masks, keep
from app.views.bert.masks import Masks, typed_masks
from app.views.bert.predictions import token_chips
from core.catalog import ModelCard
from core.outputs.encoder import EncoderProfile
from core.trace import Encoding


@dataclass(frozen=True, slots=True)
class Masking:
    """What is masked, and where there is something to say."""

    encoding: Encoding  # of the text as typed
    masks: Masks
    typed: frozenset[int]  # masks that stand in the text
    places: tuple[int, ...]  # open masks, one at least
    vocabulary: tuple[str, ...]


def mask_words(
    card: ModelCard, given: Given, profile: EncoderProfile, *, key: str
) -> Masking | None:
    """Draw the tokens under `key`, take the click on one; None after saying what is missing."""
    base = progress.outcome(encoder.edited_trace(given)[1], card.id)
    vocabulary = progress.outcome(encoder.vocabulary(card.id), card.id)
    if base is None or vocabulary is None:
        return None
    encoding = encoder.encoding_of(base)
    masks = current_masks(given, encoding, profile, len(vocabulary))
    typed = typed_masks(encoding, profile.mask_id)
    masks, problem = after_click(key, masks, encoding, profile)
    keep(given, masks, encoding)
    token_row(
        token_chips(encoding, masks, typed, vocabulary, profile.mask_token),
        label="The text's tokens; click a word to mask it",
        key=key,
        caption="Masked words",
    )
    if problem:
        st.warning(plain(problem), icon=":material/info:")
    places = tuple(masks.open(typed))
    if not places:
        state.MASK.reset()
        st.info(f"Click a word above, or write {plain(profile.mask_token)} into the text.")
        return None
    return Masking(encoding, masks, typed, places, vocabulary)
