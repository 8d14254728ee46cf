"""Masked words: click any word away and see what the model puts there."""

from functools import partial
from typing import Final

import streamlit as st

from app.components.candidates import candidates, candidates_frame
from app.components.selection import clicked_index
from app.components.token_row import token_row
from app.services import encoder
from app.services.encoder import Given
from app.services.engine import TextTrace
from app.style.markdown_escape import plain
from app.ui import progress
from app.ui.answer import answer
from app.ui.export_bar import Export, Table
from app.ui.page import Figure, View
from app.ui.silence import with_effect
from app.views.bert import inputs, state
from app.views.bert.facts import model_line, modest
from app.views.bert.looking import choose_mask, looking
from app.views.bert.masks import (
    Masks,
    carried,
    checked,
    clicked,
    filled,
    spans_of,
    too_many,
    typed_masks,
)
from app.views.bert.predictions import (
    Prediction,
    candidate_rows,
    expected,
    prediction,
    summary,
    surest,
    token_chips,
)
from app.views.bert.silencing import silence
from core.catalog import ModelCard
from core.outputs.encoder import EncoderProfile
from core.trace import Encoding

SPANS: Final = state.HERE.key("mask-spans")
"""The masks' letters, (given, spans), to carry masks over edits."""
SHOWN: Final = state.HERE.key("candidates-shown")
"""{place: token ids}, as they were drawn."""
COLUMNS = 3
SAID = 2  # masks of the answer


def render() -> Figure | None:
    """Ask for a text, then draw what is masked and predicted."""
    asked = inputs.masked_lm_input()
    return None if asked is None else partial(figure, *asked)


def figure(card: ModelCard, given: Given, profile: EncoderProfile) -> Export | None:
    """Everything below the input: a click reruns only this."""
    base = progress.outcome(encoder.edited_trace(given)[1], card.id)
    vocabulary = progress.outcome(encoder.vocabulary(card.id), card.id)
    if base is None or vocabulary is None:
        return None
    encoding = encoder.encoding_of(base)
    masks = current_masks(given, encoding, profile, len(vocabulary))
    typed = typed_masks(encoding, profile.mask_id)
    masks, problem = after_click(state.HERE.key("tokens"), masks, encoding, profile)
    masks = _after_choice(masks, typed)
    keep(given, masks, encoding)
    said = answer()
    _token_row(encoding, masks, profile, vocabulary)
    if problem:
        st.warning(plain(problem), icon=":material/info:")
    places = masks.open(typed)
    if len({*masks.masked, *typed}) > state.MOST_MASKS:
        st.warning(too_many(len({*masks.masked, *typed})), icon=":material/info:")
        return None
    if not places:
        state.MASK.reset()
        _nothing_open(masks, profile)
        return None
    found = predictions(card, given, profile, masks, encoding)
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


def current_masks(
    given: Given, encoding: Encoding, profile: EncoderProfile, vocabulary: int
) -> Masks:
    """The masks as they fit the present text; they move with their letters when it is edited."""
    masks = Masks(state.MASKS.value, state.FILLS.value)
    before, spans = st.session_state.get(SPANS, (given, {}))
    if before != given:
        texts = ((before.text, before.pair or ""), (given.text, given.pair or ""))
        same_model = before.model_id == given.model_id
        masks = carried(masks, spans, texts, encoding, fills=same_model)
    return checked(masks, encoding, profile.mask_id, vocabulary)


def keep(given: Given, masks: Masks, encoding: Encoding) -> None:
    """Remember the masks, in the link's parameters and with their letters."""
    _put(masks)
    st.session_state[SPANS] = (given, spans_of(masks, encoding))


def predictions(
    card: ModelCard, given: Given, profile: EncoderProfile, masks: Masks, encoding: Encoding
) -> tuple[TextTrace, tuple[Prediction, ...]] | None:
    """The trace of the masked text, and what it says at every open mask."""
    typed = typed_masks(encoding, profile.mask_id)
    traced = traced_masks(card, given, masks.edits(profile.mask_id))
    all_open = traced
    if masks.fills:
        all_open = traced_masks(card, given, masks.edits(profile.mask_id, fills=False))
    if traced is None or all_open is None:
        return None
    rows = tuple(
        prediction(
            place,
            None if place in typed else int(encoding.ids[place]),
            encoder.distribution(traced, place),
            before=encoder.distribution(all_open, place) if masks.fills else None,
            count=state.TOP.value,
        )
        for place in masks.open(typed)
    )
    return traced, rows


def traced_masks(card: ModelCard, given: Given, edits: encoder.Edits) -> TextTrace | None:
    """The forward pass on the masked text, or None after its error was shown."""
    request, future = encoder.edited_trace(given, edits)
    trace = progress.outcome(future, card.id)
    return None if trace is None else TextTrace(request, trace)


def after_click(
    key: str, masks: Masks, encoding: Encoding, profile: EncoderProfile
) -> tuple[Masks, str | None]:
    """The masks after the click on a token that caused this run, if one did."""
    place = clicked_index(key, len(encoding))
    if place is None:
        return masks, None
    return clicked(masks, encoding, profile.mask_id, place, pieces=state.PIECES.value)


def _after_choice(masks: Masks, typed: frozenset[int]) -> Masks:
    """The masks after the click on a candidate that caused this run, if one did."""
    shown: dict[int, tuple[int, ...]] = st.session_state.get(SHOWN, {})
    for place in masks.open(typed):
        tokens = shown.get(place, ())
        pick = clicked_index(state.HERE.key(f"candidates.{place}"), len(tokens))
        if pick is not None:
            masks = filled(masks, place, tokens[pick])
    return masks


def _token_row(
    encoding: Encoding, masks: Masks, profile: EncoderProfile, vocabulary: tuple[str, ...]
) -> None:
    typed = typed_masks(encoding, profile.mask_id)
    token_row(
        token_chips(encoding, masks, typed, vocabulary, profile.mask_token),
        label="The text's tokens; click a word to mask it",
        key=state.HERE.key("tokens"),
        caption="Masked words",
    )


def _controls(rows: tuple[Prediction, ...], masks: Masks) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Fill the surest",
            icon=":material/edit:",
            help=SUREST_HELP,
            on_click=_put,
            args=(filled(masks, *surest(rows)),),
        )
        st.button(
            "Open all masks", disabled=not masks.fills, on_click=_put, args=(Masks(masks.masked),)
        )
        st.button("Unmask all", disabled=not masks.masked, on_click=_put, args=(Masks(),))


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


def _put(masks: Masks) -> None:
    state.MASKS.put(masks.masked)
    state.FILLS.put(masks.fills)


def _nothing_open(masks: Masks, profile: EncoderProfile) -> None:
    if masks.fills:
        st.info("Every mask is filled in. Click a filled word to open its mask again.")
    else:
        st.info(
            f"Nothing is masked. Click a word above, or write {plain(profile.mask_token)} into "
            "the text."
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


VIEW: Final = View(
    "words",
    "Masked words",
    (*state.MASKED_TEXT, state.HEAD, *state.SILENCE.params),
    render,
    inputs.masks_display,
)
