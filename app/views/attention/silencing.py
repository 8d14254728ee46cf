"""Silenced heads beside what the model predicts, where it predicts something."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st
from jaxtyping import Bool

from app.services import decoder, encoder, text_maps, translator
from app.services.encoder import Given
from app.services.engine import TextTrace
from app.services.silencing import Heads, Question
from app.style.markdown_escape import plain
from app.style.visible_space import visible
from app.ui import progress
from app.ui.options import one_of
from app.ui.silence import Asked, Effect, silence_heads
from app.views.attention.state import PAIR, PREDICTED, SILENCE, TARGET, TEXT
from core.catalog import Family, ModelCard
from core.trace import AttentionKind, Encoding, Trace

LAST: Final = -1


def silence(traced: TextTrace, card: ModelCard, kind: AttentionKind) -> Effect | None:
    """The section, of the kind of attention that is shown; None while it is folded."""
    return silence_heads(SILENCE, lambda: _asked(traced, card, kind))


def _asked(traced: TextTrace, card: ModelCard, kind: AttentionKind) -> Asked | None:
    """What the model is asked; None after saying why it can be asked nothing."""
    match card.family:
        case Family.TEXT_ENCODER:
            return _masked_word(traced, card, kind)
        case Family.TRANSLATOR:
            return _target_word(traced, card, kind)
        case _:
            return _next_word(traced, card, kind)


def _masked_word(traced: TextTrace, card: ModelCard, kind: AttentionKind) -> Asked | None:
    """One of the text's words behind a mask."""
    profile = progress.outcome(encoder.profile(card.id), card.id)
    if profile is None:
        return None
    if not profile.masked_lm:
        st.info(
            f"{plain(card.title)} predicts nothing: it has no head that fills a mask, so there is "
            "no answer that could change. Choose bert-mini, minilm-mlm, or a decoder."
        )
        return None
    vocabulary = progress.outcome(encoder.vocabulary(card.id), card.id)
    encoding = encoder.encoding_of(traced.trace)
    words = np.flatnonzero(~encoding.special).tolist()
    if vocabulary is None or not words:
        return None
    telling = [place for place in words if encoding.tokens[place].isalnum()]
    place = _place("Masked word", encoding, words, (telling or words)[-1])
    given = Given(card.id, TEXT.value, PAIR.value or None)
    edits = ((place, profile.mask_id),)

    def trace() -> Trace | None:
        return progress.outcome(encoder.edited_trace(given, edits)[1], card.id)

    def left_out(trace: Trace, _: AttentionKind) -> Bool[np.ndarray, " key"]:
        read = encoder.encoding_of(trace)
        return read.special & (read.ids != profile.mask_id)

    return Asked(
        card=card,
        question=Question(card.id, given.text, place, given.pair, edits),
        vocabulary=vocabulary,
        heads=_heads(traced, kind),
        trace=trace,
        left_out=left_out,
        original=int(encoding.ids[place]),
    )


def _next_word(traced: TextTrace, card: ModelCard, kind: AttentionKind) -> Asked | None:
    """The word after one of the text's."""
    vocabulary = progress.outcome(decoder.vocabulary(card.id), card.id)
    if vocabulary is None:
        return None
    encoding = encoder.encoding_of(traced.trace)
    last = len(encoding) - 1
    place = _place("The word after", encoding, range(len(encoding)), last)
    return Asked(
        card=card,
        question=Question(card.id, TEXT.value, place),
        vocabulary=vocabulary,
        heads=_heads(traced, kind),
        trace=lambda: traced.trace,
        left_out=_special,
        original=int(encoding.ids[place + 1]) if place < last else None,
    )


def _target_word(traced: TextTrace, card: ModelCard, kind: AttentionKind) -> Asked | None:
    """One of the target's words, after those before it."""
    asked = translator.Asked(card.id, TEXT.value, TARGET.value or None)
    decoded = progress.outcome(translator.decode(asked), card.id)
    vocabulary = progress.outcome(translator.vocabulary(card.id), card.id)
    if decoded is None or vocabulary is None:
        return None
    said: tuple[int, ...] = tuple(decoded.label_ids.tolist())
    names = [visible(vocabulary[token]) for token in said]
    place = _chosen("Word of the target", names, range(len(said)), 0)
    return Asked(
        card=card,
        question=Question(card.id, TEXT.value, place, said=said),
        vocabulary=vocabulary,
        heads=_heads(traced, kind),
        trace=lambda: decoded.trace,
        left_out=_special,
        original=said[place],
    )


def _heads(traced: TextTrace, kind: AttentionKind) -> dict[AttentionKind, Heads]:
    return {kind: Heads(kind, traced.trace.n_layers(kind), traced.trace.n_heads(kind))}


def _special(trace: Trace, kind: AttentionKind) -> Bool[np.ndarray, " key"]:
    return text_maps.encodings(trace, kind)[1].special


def _place(label: str, encoding: Encoding, places: Sequence[int], usual: int) -> int:
    return _chosen(label, [visible(token) for token in encoding.tokens], places, usual)


def _chosen(label: str, names: Sequence[str], places: Sequence[int], usual: int) -> int:
    """Which of the words; another text may have fewer."""
    if PREDICTED.value not in places:
        PREDICTED.reset()
    options = [LAST, *(place for place in places if place != usual)]

    def named(place: int) -> str:
        return f"{names[usual if place == LAST else place]} · {usual if place == LAST else place}"

    found = one_of(PREDICTED, st.selectbox, label, options, named, width=240)
    return usual if found in (LAST, usual) else found
