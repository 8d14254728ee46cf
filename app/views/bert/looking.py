"""Where a mask looked: every head's strongest look at another word, and the way to that head."""

from typing import cast

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map
from app.services import encoder, engine
from app.services.encoder import Given
from app.services.engine import TextTrace
from app.style.markdown_escape import plain
from app.ui import page_links, progress
from app.ui.data_table import data_table
from app.ui.options import WIDGET, option_widget
from app.ui.param_values import every_cell
from app.views.bert import state
from core.catalog import ModelCard
from core.explain.attention.mask_attention import Gaze
from core.outputs.encoder import EncoderProfile
from core.trace import AttentionKind, Encoding

STRONGEST = 5  # heads in the list


def looking(
    card: ModelCard,
    given: Given,
    traced: TextTrace,
    place: int,
    profile: EncoderProfile,
) -> None:
    """The heads of one mask, as a map of layers by heads and as a list."""
    st.subheader("Which heads did the mask look with?")
    found = encoder.mask_gaze(traced, place)
    encoding = encoder.encoding_of(traced.trace)
    if found is None:
        st.info("There is no other word to look at: everything else is a special token.")
        return
    left, right = st.columns([5, 4], gap="large")
    with left:
        chosen = _map(found, place, card)
    with right:
        _list(found, encoding)
        if chosen is not None:
            _link(chosen, given, encoding, place, found, profile)
        else:
            st.caption("Click a cell to open that head on the Attention page.")


def choose_mask(places: tuple[int, ...]) -> int:
    """The mask that is looked at; asked for only where there are several."""
    if state.MASK.value not in places:
        state.MASK.reset()
    place = places[0] if state.MASK.value == state.FIRST_MASK else state.MASK.value
    if len(places) > 1:
        option_widget(
            st.segmented_control,
            "Mask",
            places,
            lambda place: f"position {place}",
            key=state.MASK.key + WIDGET,
            shown=place,
            take=lambda place: state.MASK.put(
                state.FIRST_MASK if place == places[0] else cast("int", place)
            ),
            required=True,
            label_visibility="collapsed",
        )
    return place


def _map(found: Gaze, place: int, card: ModelCard) -> tuple[int, int] | None:
    layers, heads = found.weights.shape
    head = state.HEAD.among(every_cell([heads] * layers))
    chosen = heat_map(
        HeatMap(
            values=found.weights,
            rows=tuple(str(layer) for layer in range(layers)),
            columns=tuple(f"{index}" for index in range(heads)),
            label=f"Weight of position {place} on the word it looks at most, by layer and head",
            caption=f"{card.title} · position {place}",
            row_title="layer",
            column_title="head",
            scale="sequential",
            limit=1.0,
            numbers=True,
            names=state.NAMES.names(card.id, AttentionKind.ENCODER),
            cell=(56, 32),
        ),
        key=state.HERE.key("gaze"),
        selected=head,
    )
    state.HEAD.put(chosen)
    st.caption(
        "Softmax weight of the strongest look at another word, 0 to 1. Special tokens and the "
        f"mask itself are left out; {found.n_resting} of {layers * heads} heads look at one of "
        "those most."
    )
    return chosen


def _list(found: Gaze, encoding: Encoding) -> None:
    order = np.argsort(-found.weights, axis=None, kind="stable")[:STRONGEST]
    heads = [divmod(int(flat), found.weights.shape[1]) for flat in order]
    data_table(
        {
            "layer": [layer for layer, _ in heads],
            "head": [head for _, head in heads],
            "looks at": [encoding.tokens[found.keys[layer][head]] for layer, head in heads],
            "position": [found.keys[layer][head] for layer, head in heads],
            "weight": [float(found.weights[layer, head]) for layer, head in heads],
            "× uniform": [
                float(found.weights[layer, head]) * len(encoding) for layer, head in heads
            ],
        },
        column_config={
            name: st.column_config.NumberColumn(format="%.3g") for name in ("weight", "× uniform")
        },
    )


def _link(
    chosen: tuple[int, int],
    given: Given,
    encoding: Encoding,
    place: int,
    found: Gaze,
    profile: EncoderProfile,
) -> None:
    """To the Attention page, if it can read the same tokens from a text."""
    layer, head = chosen
    key = found.keys[layer][head]
    st.markdown(
        f"Layer {layer} · head {head}: **{found.weights[layer, head]:.3g}** on "
        f"“{plain(encoding.tokens[key])}” (position {key})."
    )
    texts = written(given, encoding, profile.mask_token)
    _, future = engine.request_trace(given.model_id, texts[0], pair=texts[1])
    trace = progress.outcome(future, given.model_id)
    if trace is None or trace.tokens != encoding.tokens:
        st.caption(
            "The Attention page reads a text, and no text has exactly these tokens: a part of a "
            "word is masked or filled in."
        )
        return
    link = {
        "model": given.model_id,
        "text": texts[0],
        "heads": f"{layer}.{head}",
        "cell": f"{place}.{key}",
        "pin": str(place),
    }
    if texts[1] is not None:
        link["pair"] = texts[1]
    page_links.link(
        "attention",
        f"See layer {layer} · head {head} on the Attention page",
        link,
        icon=":material/visibility:",
    )


def written(given: Given, encoding: Encoding, mask: str) -> tuple[str, str | None]:
    """The texts with the present tokens in place of what stood there."""
    texts = [given.text, given.pair or ""]
    for segment, text in enumerate(texts):
        pieces: list[str] = []
        end = 0
        for place in np.flatnonzero(encoding.segments == segment):
            start, stop = (int(offset) for offset in encoding.offsets[place])
            if stop <= start or start < end:
                continue
            token = encoding.tokens[place].lstrip("Ġ▁").removeprefix("##")
            same = token.casefold() == text[start:stop].strip().casefold()
            space = text[start:stop][: len(text[start:stop]) - len(text[start:stop].lstrip())]
            pieces += [text[end:start], text[start:stop] if same else space + (token or mask)]
            end = stop
        texts[segment] = "".join(pieces) + text[end:]
    return texts[0], texts[1] if given.pair is not None else None
