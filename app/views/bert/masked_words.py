"""Masked words: click any word away and see what the model puts there."""

from typing import Final

import streamlit as st

from app.components.candidates import candidates, candidates_frame
from app.components.selection import clicked_index
from app.services import encoder
from app.services.encoder import Given
from app.services.engine import TextTrace
from app.services.questions import WordAt
from app.services.silencing import Question
from app.style.markdown_escape import plain
from app.ui import prediction as predict
from app.ui.answer import answer
from app.ui.export_bar import Export, Table
from app.ui.page import View
from app.ui.silence import with_effect
from app.views.bert import inputs, state
from app.views.bert.facts import model_line, modest
from app.views.bert.looking import choose_mask, looking
from app.views.bert.masking import Masking, mask_words, put, traced_masks
from app.views.bert.masks import (
    Masks,
    filled,
)
from app.views.bert.predictions import (
    Prediction,
    candidate_rows,
    expected,
    prediction,
    summary,
    surest,
)
from app.views.bert.silencing import silence
from core.catalog import ModelCard
from core.outputs.encoder import EncoderProfile

SHOWN: Final = state.HERE.key("candidates-shown")
"""{place: token ids}, as they were drawn."""
COLUMNS = 3
SAID = 2  # masks of the answer


def figure(card: ModelCard, given: Given, profile: EncoderProfile) -> Export | None:
    """Everything below the input: a click reruns only this."""
    said = answer()
    masking = mask_words(
        card, given, profile, key=state.HERE.key("tokens"), also_chosen=_after_choice
    )
    if masking is None:
        return None
    masks, places, vocabulary = masking.masks, masking.places, masking.vocabulary
    if _asks(given, profile, masking):
        return None
    found = predictions(card, given, profile, masking)
    if found is None:
        return None
    traced, rows = found
    first = rows[0]
    said.markdown(" ".join(expected(one, vocabulary) for one in rows[:SAID]))
    _controls(rows, masks)
    st.session_state[SHOWN] = {one.place: one.shown for one in rows}
    for start in range(0, len(rows), COLUMNS):
        columns = st.columns(min(COLUMNS, max(2, len(rows))), gap="medium")
        for column, one in zip(columns, rows[start : start + COLUMNS], strict=False):
            with column:
                _candidates(one, vocabulary, card)
    if len(rows) > 1:
        st.caption(
            f"The {len(rows)} masks are predicted **in parallel**, each as if the others stayed "
            "unknown: two best words need not make a likely pair. Click a candidate to fill it in, "
            "and see the others move."
        )
    place = choose_mask(places)
    row = next(one for one in rows if one.place == place)
    silenced = silence(card, given, masks.edits(profile.mask_id), traced, row, profile, vocabulary)
    if silenced is not None and silenced.said:
        said.markdown(f"{expected(row, vocabulary)} {silenced.said}")
    looking(card, given, traced, place, profile)
    export = Export(
        name="masked-words",
        caption=f"{card.title} · “{given.text}” · masks {', '.join(map(str, places))}",
        table=lambda: _table(rows, vocabulary),
        arrays=lambda: {
            f"log_probabilities_{one.place}": one.now.log_probabilities for one in rows
        },
        offline=(
            "candidates",
            lambda: candidates_frame(
                candidate_rows(first, vocabulary), label=f"Position {first.place}"
            ),
        ),
        facts={"modest": modest(card), "model": model_line(card)},
    )
    return with_effect(export, silenced)


def _asks(given: Given, profile: EncoderProfile, masking: Masking) -> bool:
    """Whether the reader is still to say what the mask will get."""
    places = masking.places
    place = state.MASK.value if state.MASK.value in places else places[0]
    edits = tuple(sorted(masking.masks.edits(profile.mask_id)))
    question = WordAt(Question(given.model_id, given.text, place, given.pair, edits))
    words = f"Which word does the model put at the mask at position {place}?"
    return predict.asks(state.HERE.key("prediction"), words, question, given.model_id)


def predictions(
    card: ModelCard, given: Given, profile: EncoderProfile, masking: Masking
) -> tuple[TextTrace, tuple[Prediction, ...]] | None:
    """The trace of the masked text, and what it says at every open mask."""
    masks = masking.masks
    traced = traced_masks(card, given, masks.edits(profile.mask_id))
    all_open = traced
    if masks.fills:
        all_open = traced_masks(card, given, masks.edits(profile.mask_id, fills=False))
    if traced is None or all_open is None:
        return None
    rows = tuple(
        prediction(
            place,
            masking.original(place),
            encoder.distribution(traced, place),
            before=encoder.distribution(all_open, place) if masks.fills else None,
            count=state.TOP.value,
        )
        for place in masking.places
    )
    return traced, rows


def _after_choice(masks: Masks, typed: frozenset[int]) -> Masks:
    """The masks after the click on a candidate that caused this run, if one did."""
    shown: dict[int, tuple[int, ...]] = st.session_state.get(SHOWN, {})
    for place in masks.open(typed):
        tokens = shown.get(place, ())
        pick = clicked_index(state.HERE.key(f"candidates.{place}"), len(tokens))
        if pick is not None:
            masks = filled(masks, place, tokens[pick])
    return masks


def _controls(rows: tuple[Prediction, ...], masks: Masks) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Fill the surest",
            icon=":material/edit:",
            help=SUREST_HELP,
            on_click=put,
            args=(filled(masks, *surest(rows)),),
        )
        st.button(
            "Open all masks", disabled=not masks.fills, on_click=put, args=(Masks(masks.masked),)
        )
        st.button("Unmask all", disabled=not masks.masked, on_click=put, args=(Masks(),))


SUREST_HELP = (
    "Puts the most probable word into the mask with the least doubt. Again and again, this writes "
    "all masks one after another, each knowing those before."
)


def _candidates(one: Prediction, vocabulary: tuple[str, ...], card: ModelCard) -> None:
    st.markdown(f"**Position {one.place}**")
    st.caption(plain(summary(one, vocabulary)))
    candidates(
        candidate_rows(one, vocabulary),
        label=f"Candidates at position {one.place}",
        key=state.HERE.key(f"candidates.{one.place}"),
        caption=f"{card.title}, position {one.place}",
    )


def _table(rows: tuple[Prediction, ...], vocabulary: tuple[str, ...]) -> Table:
    header = ["position", "original", "token", "id", "probability", "rank", "loss_nats"]
    return [*header, "entropy_bits", "probability_before"], [
        (
            one.place,
            "" if one.original is None else vocabulary[one.original],
            vocabulary[token],
            token,
            one.now.probability(token),
            one.now.rank(token),
            one.now.loss(token),
            one.now.entropy,
            "" if one.before is None else one.before.probability(token),
        )
        for one in rows
        for token in one.shown
    ]


def _display() -> None:
    inputs.masks_display()
    state.NAMES.control()


VIEW: Final = View(
    "words",
    "Masked words",
    (*state.MASKED_TEXT, state.HEAD, *state.SILENCE.params),
    inputs.of_masked_text(figure),
    _display,
)
