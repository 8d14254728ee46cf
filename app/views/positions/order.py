"""Positions shuffled, reversed or dropped in a real model: what it then sees and says."""

from collections.abc import Iterator
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.components.candidates import Candidate, candidates
from app.components.heat_map import HeatMap, heat_map
from app.components.token_row import Chip, token_row
from app.services import positions
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import progress
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export, offline_map
from app.ui.page import Figure, View
from app.views.positions import equivariance, on_picture, reading, state
from core.catalog import Family, ModelCard
from core.explain.attention.map_overlap import moved_along, moved_attention, shared_attention
from core.interventions import DropPositions, PermutePositions, PositionChange
from core.trace import AttentionKind, Encoding, Trace

FAMILIES = (Family.TEXT_ENCODER, Family.TEXT_DECODER)
WAYS = {"shuffled": "Shuffled", "reversed": "Reversed", "dropped": "Dropped"}

Sides = tuple[tuple[positions.Answer, ...], tuple[positions.Answer, ...]]
HERE: Final = equivariance.HERE
HOW: Final = HERE.choice("how", WAYS)
SEED: Final = HERE.whole("seed", 0, 99, 1)


def render() -> Figure | None:
    """A text and a model; the figures."""
    card = reading.ask(FAMILIES)
    return None if card is None else partial(_figures, card)


def _figures(card: ModelCard) -> Export | None:
    """The change; a head before and after, predictions before and after, the residual."""
    _, future = positions.trace(card.id, state.TEXT.value)
    bare = progress.outcome(future, card.id)
    if bare is None:
        return None
    with controls():
        left, middle, right = st.columns([4, 3, 5], gap="medium", vertical_alignment="bottom")
        with left:
            how = HOW.segmented("Positions")
        with middle:
            if how == "shuffled":
                SEED.slider("Shuffle")
        with right:
            layer, head = reading.choose_head(bare, bare.kinds[0])
    change, places = _change(bare, how)
    _, future = positions.trace(card.id, state.TEXT.value, change)
    changed = progress.outcome(future, card.id)
    export = None
    if changed is not None:
        said = answer()
        _told(_encoding(bare), places)
        maps, says = st.columns([10, 4], gap="medium")
        with maps:
            export = _figure(card, (bare, changed), (layer, head), places)
        with says:
            sides = _both(card, change)
            _answers(sides)
        said.markdown(_answered((bare, changed), (layer, head), sides))
    equivariance.render(card)
    on_picture.render()
    equivariance.ablation()
    return export


def _change(trace: Trace, how: str) -> tuple[PositionChange, tuple[int, ...] | None]:
    """The intervention, and the position that each token gets: None without any."""
    if how == "dropped":
        return DropPositions(), None
    encoding = _encoding(trace)
    places = positions.other_places(encoding, how, SEED.value)
    return PermutePositions(places), places


def _encoding(trace: Trace) -> Encoding:
    if trace.encoding is None:
        raise ValueError("a text's trace has an encoding")
    return trace.encoding


def _told(encoding: Encoding, places: tuple[int, ...] | None) -> None:
    """Each token with the position that the model is told."""
    token_row(
        tuple(
            Chip(
                token,
                "none" if places is None else f"position {places[index]}",
                state="plain" if places is None or places[index] == index else "lit",
                token_id=int(encoding.ids[index]),
            )
            for index, token in enumerate(encoding.tokens)
        ),
        label="The tokens and the positions that the model is told",
        key=HERE.key("tokens"),
        clickable=False,
    )


def _figure(
    card: ModelCard,
    traces: tuple[Trace, Trace],
    place: tuple[int, int],
    places: tuple[int, ...] | None,
) -> Export:
    """One head's map with the positions as they are, and as they were made."""
    layer, head = place
    encoding = _encoding(traces[0])
    kind = traces[0].kinds[0]
    weights = [trace.attention(layer, kind=kind).weights[head] for trace in traces]
    top = float(max(array.max() for array in weights))
    how = WAYS[HOW.value].lower()
    source = f"{card.title}, layer {layer} · head {head} · “{state.TEXT.value}”"
    titles = ("As trained", f"Positions {how}")
    columns = st.columns(2, gap="medium")
    names = (encoding.tokens, reading.labels(encoding, places))
    ids = tuple(encoding.ids.tolist())
    figures: list[HeatMap] = []
    for column, title, array, tokens in zip(columns, titles, weights, names, strict=True):
        figure = HeatMap(
            values=array,
            rows=tokens,
            columns=tokens,
            label=f"{title}: queries by keys",
            caption=f"{title} · {source}",
            title=title,
            row_title="query",
            column_title="key",
            row_ids=ids,
            column_ids=ids,
            scale="sequential",
            hue="encoder" if kind == AttentionKind.ENCODER else "decoder",
            limit=top,
            height=360,
        )
        figures.append(figure)
        with column:
            heat_map(figure, key=HERE.key(f"order.{title[:2]}"))
    moved = moved_attention(weights[0], weights[1])
    st.caption(
        f"On average {three(100 * moved)} % of a query's attention in this head goes elsewhere. "
        + _followed(weights, places)
    )
    return Export(
        "order-matters",
        f"Positions {how} · {source}",
        lambda: (
            ("query", "query_token", "key", "key_token", "weight", "weight_changed"),
            _rows(weights, encoding),
        ),
        lambda: {"weights": weights[0], "weights_changed": weights[1]},
        offline=offline_map(figures[1]),
    )


def _followed(weights: list[np.ndarray], places: tuple[int, ...] | None) -> str:
    """Whether the head went with the positions: its old map, moved as they were."""
    if places is None:
        return "Without positions, equal tokens are equal: they get the same row."
    share = shared_attention(weights[1], moved_along(weights[0], places))
    stayed = shared_attention(weights[1], weights[0])
    return (
        f"Its new map shares {three(100 * share)} % with the old one moved along with the "
        f"positions, {three(100 * stayed)} % with the old one left in place: a head that looks "
        "at places follows the first, one that looks at words the second."
    )


def _both(card: ModelCard, change: PositionChange) -> Sides | None:
    """The predictions, before and after; None after saying why there are none."""
    before = progress.outcome(positions.answers(card, state.TEXT.value), card.id)
    if before is None:
        return None
    after = progress.outcome(positions.answers(card, state.TEXT.value, change), card.id)
    return None if after is None else (before, after)


def _answered(traces: tuple[Trace, Trace], place: tuple[int, int], sides: Sides | None) -> str:
    """How much of the head's attention moved, and what the model says instead, in Markdown."""
    layer, head = place
    kind = traces[0].kinds[0]
    before, after = (trace.attention(layer, kind=kind).weights[head] for trace in traces)
    moved = three(100 * moved_attention(before, after))
    told = (
        f"With positions {WAYS[HOW.value].lower()}, **{moved} %** of a query’s attention in layer "
        f"{layer}, head {head} goes elsewhere"
    )
    if sides is None or not sides[0]:
        return f"{told}."
    (was, p_was), (now, p_now) = (side[0].candidates[0] for side in sides)
    return (
        f"{told}; at {plain(sides[0][0].place)} it says **{plain(now)}** with **{three(p_now)}**, "
        f"as trained **{plain(was)}** with **{three(p_was)}**."
    )


def _answers(sides: Sides | None) -> None:
    """The predictions, before and after."""
    if sides is None:
        return
    names = "as trained", f"positions {WAYS[HOW.value].lower()}"
    for name, predicted in zip(names, sides, strict=True):
        for place, one in enumerate(predicted):
            st.markdown(f"**{one.place}**, {name}")
            candidates(
                tuple(Candidate(token, p) for token, p in one.candidates),
                label=f"Predictions at {one.place}, {name}",
                key=HERE.key(f"answers.{name[:2]}.{place}"),
                clickable=False,
            )


def _rows(weights: list[np.ndarray], encoding: Encoding) -> Iterator[tuple[object, ...]]:
    tokens = encoding.tokens
    for query in range(len(tokens)):
        for key in range(len(tokens)):
            values = (repr(float(array[query, key])) for array in weights)
            yield query, tokens[query], key, tokens[key], *values


VIEW: Final = View(
    "order",
    "Order matters",
    (*state.READING, HOW, SEED, *equivariance.PARAMS, *on_picture.PARAMS),
    render,
)
