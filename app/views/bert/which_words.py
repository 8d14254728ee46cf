"""Which words spoke for what the model puts at a mask?"""

from functools import partial
from typing import Final

import streamlit as st

from app.components.token_row import token_row
from app.services import encoder
from app.services.encoder import Given
from app.services.token_evidence import Asked
from app.style.markdown_escape import plain
from app.ui import progress, which_words
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.page import Figure, View
from app.ui.params import Scope
from app.views.bert import inputs, state
from app.views.bert.facts import model_line
from app.views.bert.looking import choose_mask
from app.views.bert.masked_words import after_click, current_masks, keep, traced_masks
from app.views.bert.masks import typed_masks
from app.views.bert.predictions import token_chips
from core.catalog import ModelCard
from core.outputs.encoder import EncoderProfile
from core.targets import LogitTarget

PARAMS: Final = which_words.WordParams.of(Scope("bert", "why"))


def render() -> Figure | None:
    """The same text and masks as in “Masked words”."""
    asked = inputs.text_inputs()
    if asked is None:
        return None
    card, given = asked
    profile = inputs.masked_lm_of(card, given)
    return None if profile is None else partial(_figure, card, given, profile)


def _figure(card: ModelCard, given: Given, profile: EncoderProfile) -> Export | None:
    base = progress.outcome(encoder.edited_trace(given)[1], card.id)
    vocabulary = progress.outcome(encoder.vocabulary(card.id), card.id)
    if base is None or vocabulary is None:
        return None
    encoding = encoder.encoding_of(base)
    masks = current_masks(given, encoding, profile, len(vocabulary))
    typed = typed_masks(encoding, profile.mask_id)
    key, top = PARAMS.scope.key("tokens"), answer()
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
    places = masks.open(typed)
    if not places:
        state.MASK.reset()
        st.info(f"Click a word above, or write {plain(profile.mask_token)} into the text.")
        return None
    edits = tuple(sorted(masks.edits(profile.mask_id)))
    traced = traced_masks(card, given, edits)
    if traced is None:
        return None
    with controls():
        place = choose_mask(places)
        said = encoder.distribution(traced, place)
        token = said.top(1)[0]
        word = PARAMS.word.line(
            "Explain this word instead (empty: the model's own answer)",
            placeholder=vocabulary[token],
            width=420,
            max_chars=60,
        ).strip()
    if word:
        named = which_words.named_token(word, vocabulary)
        if named is None:
            st.caption(f"“{plain(word)}” is not one token here; the model's answer is explained.")
        token = token if named is None else named
    shown = which_words.Shown(
        card=card,
        asked=Asked(card.id, given.text, LogitTarget(place, token), given.pair, edits),
        encoding=encoder.encoding_of(traced.trace),
        vocabulary=vocabulary,
        probability=said.probability(token),
        rank=said.rank(token),
        hue="encoder",
    )
    return which_words.figure(PARAMS, shown, {"model": model_line(card)}, top)


VIEW: Final = View(
    "why",
    "Which words mattered?",
    (*state.MASKED_TEXT, *PARAMS.every),
    render,
    inputs.masks_display,
)
