"""The text with its masks, as every view of masked words draws it: a click masks a word."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import streamlit as st

from app.components.selection import clicked_index
from app.components.token_row import token_row
from app.services import encoder
from app.services.encoder import Given
from app.services.engine import TextTrace
from app.style.markdown_escape import plain
from app.ui import progress
from app.views.bert import state
from app.views.bert.masks import Masks, carried, checked, clicked, spans_of, too_many, typed_masks
from app.views.bert.predictions import token_chips
from core.catalog import ModelCard
from core.outputs.encoder import EncoderProfile
from core.trace import Encoding

SPANS: Final = state.HERE.key("mask-spans")
"""The masks' letters, (given, spans), to carry masks over edits."""


@dataclass(frozen=True, slots=True)
class Masking:
    """What is masked, and where there is something to say."""

    encoding: Encoding  # of the text as typed
    masks: Masks
    typed: frozenset[int]  # masks that stand in the text
    places: tuple[int, ...]  # open masks, one at least
    vocabulary: tuple[str, ...]

    def original(self, place: int) -> int | None:
        """The token behind a mask, None where the text itself has the mask."""
        return None if place in self.typed else int(self.encoding.ids[place])


def mask_words(
    card: ModelCard,
    given: Given,
    profile: EncoderProfile,
    *,
    key: str,
    also_chosen: Callable[[Masks, frozenset[int]], Masks] = lambda masks, _: masks,
) -> Masking | None:
    """Draw the tokens under `key`, take the click on one; None after saying what is missing.

    `also_chosen` gives the masks, with those in the text, after what else was clicked.
    """
    base = progress.outcome(encoder.edited_trace(given)[1], card.id)
    vocabulary = progress.outcome(encoder.vocabulary(card.id), card.id)
    if base is None or vocabulary is None:
        return None
    encoding = encoder.encoding_of(base)
    typed = typed_masks(encoding, profile.mask_id)
    masks, problem = _after_click(
        key, _current(given, encoding, profile, len(vocabulary)), encoding, profile
    )
    masks = also_chosen(masks, typed)
    put(masks)
    st.session_state[SPANS] = (given, spans_of(masks, encoding))
    token_row(
        token_chips(encoding, masks, typed, vocabulary, profile.mask_id),
        label="The text's tokens; click a word to mask it",
        key=key,
        caption="Masked words",
    )
    if problem:
        st.warning(plain(problem), icon=":material/info:")
    every = len({*masks.masked, *typed})
    if every > state.MOST_MASKS:
        st.warning(too_many(every), icon=":material/info:")
        return None
    places = tuple(masks.open(typed))
    if not places:
        state.MASK.reset()
        st.info(
            "Every mask is filled in. Click a filled word to open its mask again."
            if masks.fills
            else f"Nothing is masked. Click a word above, or write {plain(profile.mask_token)} "
            "into the text."
        )
        return None
    return Masking(encoding, masks, typed, places, vocabulary)


def traced_masks(card: ModelCard, given: Given, edits: encoder.Edits) -> TextTrace | None:
    """The forward pass on the masked text, or None after its error was shown."""
    request, future = encoder.edited_trace(given, edits)
    trace = progress.outcome(future, card.id)
    return None if trace is None else TextTrace(request, trace)


def masked_text(
    card: ModelCard, given: Given, profile: EncoderProfile, *, key: str
) -> tuple[Masking, encoder.Edits, TextTrace] | None:
    """`mask_words`, the edits that make the masked text, and the forward pass on it."""
    masking = mask_words(card, given, profile, key=key)
    if masking is None:
        return None
    edits = tuple(sorted(masking.masks.edits(profile.mask_id)))
    traced = traced_masks(card, given, edits)
    return None if traced is None else (masking, edits, traced)


def put(masks: Masks) -> None:
    """Remember the masks, in the link's parameters."""
    state.MASKS.put(masks.masked)
    state.FILLS.put(masks.fills)


def _current(given: Given, encoding: Encoding, profile: EncoderProfile, vocabulary: int) -> Masks:
    """The masks as they fit the present text; they move with their letters when it is edited."""
    masks = Masks(state.MASKS.value, state.FILLS.value)
    before, spans = st.session_state.get(SPANS, (given, {}))
    if before != given:
        texts = ((before.text, before.pair or ""), (given.text, given.pair or ""))
        same_model = before.model_id == given.model_id
        masks = carried(masks, spans, texts, encoding, fills=same_model)
    return checked(masks, encoding, profile.mask_id, vocabulary)


def _after_click(
    key: str, masks: Masks, encoding: Encoding, profile: EncoderProfile
) -> tuple[Masks, str | None]:
    """The masks after the click on a token that caused this run, if one did."""
    place = clicked_index(key, len(encoding))
    if place is None:
        return masks, None
    return clicked(masks, encoding, profile.mask_id, place, pieces=state.PIECES.value)
