"""The token at which the two sentences' heads are compared; none: all that both have."""

import streamlit as st

from app.services import text_maps
from app.services.text_pairs import Sentences
from app.style.visible_space import visible
from app.ui.chosen_words import InText, Places
from app.ui.options import one_of
from app.views.attention.pair import state

WORD_STARTS = "Ġ▁ "


def chosen(sentences: Sentences) -> int | None:
    """The aligned query, as an index of pairs; None for all.

    Raises InputError where nothing can be aligned.
    """
    pairs = sentences.found.queries.first.tolist()
    tokens = _tokens(sentences)

    def words(place: int) -> tuple[str, ...] | None:
        return () if place == state.ALL else (tokens[place],) if place in pairs else None

    shared = f"{pairs[0]} to {pairs[-1]} where the second sentence has the token"
    at = InText(state.TOKEN, Places(words, f"{shared}, {state.ALL} for all of them"))
    place = _own(sentences) if at.value == state.OWN else at.value
    return None if place == state.ALL else pairs.index(place)


def choose(sentences: Sentences) -> None:
    """Which one, by its place in the first sentence; chosen away, the view's own comes back."""
    tokens = _tokens(sentences)

    def named(place: int) -> str:
        return "all shared tokens" if place == state.ALL else f"{place}: {visible(tokens[place])}"

    one_of(
        state.TOKEN,
        st.selectbox,
        "Compared at",
        [state.ALL, *sentences.found.queries.first.tolist()],
        named,
        placeholder=named(_own(sentences)),
    )


def _own(sentences: Sentences) -> int:
    """The place of an example's word in the first sentence, else ALL."""
    word = state.WORDS.get((state.TEXT.value, state.OTHER_TEXT.value))
    tokens = _tokens(sentences)
    places: list[int] = sentences.found.queries.first.tolist()
    found = (place for place in places if word and tokens[place].lstrip(WORD_STARTS) == word)
    return next(found, state.ALL)


def _tokens(sentences: Sentences) -> tuple[str, ...]:
    return text_maps.encodings(sentences.first.trace, sentences.kind)[0].tokens
