"""The figure of two models: a head of each on the same stretches of the text."""

import numpy as np
import streamlit as st

from app.components.heat_map import heat_map_frame
from app.services.engine import TextTrace
from app.services.shown_maps import every_head, valid_heads
from app.services.text_pairs import HeadId, Models, kind_of
from app.style.number_format import three
from app.ui.answer import answer, model_name
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.options import one_of
from app.views.attention import two_maps
from app.views.attention.state import HEADS, TEXT
from app.views.attention.two_maps import TwoMaps
from app.views.attention.two_models import exports, state, words
from app.views.attention.two_models.words import Shown
from core.catalog import ModelCard
from core.explain.attention.model_pairs import LikeHead
from core.explain.embeddings.token_alignment import SharedWords

ELSEWHERE = "special"  # the column of all that is no stretch of the text


def figure(
    first: tuple[ModelCard, TextTrace], second: tuple[ModelCard, TextTrace]
) -> Export | None:
    """Everything below the input."""
    both = Models(first[1], second[1], TEXT.value)
    axis = both.axis
    if axis is None:
        st.info(
            "These two models leave no common axis here: one of their tokenizers gives no places "
            "in the text, or keeps nothing of it. Choose another model or sentence."
        )
        return None
    said = answer()
    names = (model_name(first[0]), model_name(second[0]))
    with controls():
        head = _head(both.first)
        ranked = both.like(head)
        like = _other_head(ranked)
        state.SHOW.segmented("Show")
    shown = Shown(names, head, like, ranked)
    two = _two(both, axis, shown)
    said.markdown(words.answered(two, shown))
    drawn = two_maps.draw(two, state.SHOW.value, state.CELL, state.HERE)
    st.markdown(words.axis_note(both, axis, two, names))
    return Export(
        "attention-models",
        two.caption,
        lambda: two_maps.table(two),
        lambda: exports.arrays(two, shown),
        more={"heads": lambda: exports.heads(ranked)},
        offline=("heat_map", lambda: heat_map_frame(drawn)),
        facts=words.facts(first[0], second[0]),
    )


def _head(traced: TextTrace) -> HeadId:
    """The first model's head: that of the page, the last where there are several."""
    kind = kind_of(traced)
    every = every_head(traced, kind)
    HEADS.put(valid_heads(traced, kind, HEADS.among(every)))
    chosen = HEADS.value[-1]
    one_of(
        HEADS,
        st.selectbox,
        "First head",
        [(head,) for head in every],
        lambda heads: _named(heads[0]),
        placeholder=_named(chosen),
    )
    return chosen


def _other_head(ranked: tuple[LikeHead, ...]) -> LikeHead:
    by_head = {(one.layer, one.head): one for one in ranked}
    told = {head: f"{_named(head)}: shares {three(one.shared)}" for head, one in by_head.items()}
    state.OTHER_HEAD.among(by_head)
    one_of(
        state.OTHER_HEAD,
        st.selectbox,
        "Second head, most alike first",
        list(by_head),
        told.__getitem__,
        placeholder=next(iter(told.values())),
    )
    chosen = state.OTHER_HEAD.value
    return ranked[0] if chosen is None else by_head[chosen]


def _two(both: Models, axis: SharedWords, shown: Shown) -> TwoMaps:
    layer, head = shown.head
    first = both.layer(0, layer)[head]
    second = both.layer(1, shown.like.layer)[shown.like.head]
    special = bool(first[:, -1].any() or second[:, -1].any())
    n_columns = len(axis.labels) + special
    other = (shown.like.layer, shown.like.head)
    titles = (
        f"{shown.names[0]}, {_named(shown.head)}",
        f"{shown.names[1]}, {_named(other)}",
    )
    return TwoMaps(
        np.ascontiguousarray(first[:, :n_columns]),
        np.ascontiguousarray(second[:, :n_columns]),
        axis.labels,
        (*axis.labels, ELSEWHERE)[:n_columns],
        titles,
        f"{titles[0]} and {titles[1]} on “{both.text[:200]}”",
        kind_of(both.first).value,
        "special tokens" if special else "",
    )


def _named(head: HeadId) -> str:
    return f"layer {head[0]} · head {head[1]}"
