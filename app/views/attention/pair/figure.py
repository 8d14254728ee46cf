"""The figure of two sentences: every head by how much it changes, and one head's difference."""

import numpy as np
import streamlit as st

from app.components.head_grid import head_grid, selected_heads
from app.components.heat_map import heat_map_frame
from app.services.engine import TextTrace
from app.services.text_pairs import HeadId, Sentences
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.options import one_of
from app.views.attention import two_maps
from app.views.attention.kind import pick_kind
from app.views.attention.pair import exports, state, tokens, words
from app.views.attention.state import KIND_TITLES
from app.views.attention.two_maps import TwoMaps
from core.catalog import ModelCard
from core.errors import InputError
from core.explain.attention.head_overview import HeadOverview, head_overview
from core.explain.attention.minimal_pairs import HeadChange

DIFFERS = "differing"  # the column of keys without a partner
GRID = state.HERE.key("grid")


def figure(first: TextTrace, second: TextTrace, card: ModelCard) -> Export | None:
    """Everything below the input."""
    sentences = Sentences(first, second, pick_kind(first.trace.kinds))
    try:
        query = tokens.chosen(sentences)
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return None
    ranked = sentences.found.ranked(query)
    change = _chosen(sentences, ranked)
    two = _two(sentences, card, change)
    answer(words.answered(sentences.found, ranked, change, two, at_one=query is not None))
    with controls():
        tokens.choose(sentences)
        _ranking(ranked)
        state.SHOW.segmented("Show")
    left, right = st.columns([5, 9], gap="medium")
    with left:
        _grid(sentences, ranked, two, change)
        st.caption(words.ranking_note(ranked, two, query))
    with right:
        drawn = two_maps.draw(two, state.SHOW.value, state.CELL, state.HERE)
        st.markdown(words.unaligned(sentences))
    return Export(
        "attention-pair",
        two.caption,
        lambda: two_maps.table(two),
        lambda: exports.arrays(sentences, two, change),
        more={"heads": lambda: exports.heads(ranked, two)},
        offline=("heat_map", lambda: heat_map_frame(drawn)),
        facts=words.facts(card, sentences),
    )


def _chosen(sentences: Sentences, ranked: tuple[HeadChange, ...]) -> HeadChange:
    """The head that is shown: the link's or the reader's, else that which changes most."""
    by_head = {(one.layer, one.head): one for one in ranked}
    state.HEADS.put(state.HEADS.among(by_head)[-1:])
    wanted = state.HEADS.value[0] if state.HEADS.value else _head(ranked[0])
    clicked = selected_heads(GRID, (wanted,), sentences.heads)[-1]
    if clicked != wanted:
        state.HEADS.put((clicked,))
    return by_head[clicked]


def _ranking(ranked: tuple[HeadChange, ...]) -> None:
    """Every head, the most changed first; chosen away, that one comes back."""
    rank = {_head(one): f"{place}. {_told(one)}" for place, one in enumerate(ranked, 1)}
    one_of(
        state.HEADS,
        st.selectbox,
        "Heads, most changed first",
        [(_head(one),) for one in ranked],
        lambda heads: rank[heads[0]],
        placeholder=rank[_head(ranked[0])],
    )


def _grid(
    sentences: Sentences, ranked: tuple[HeadChange, ...], two: TwoMaps, change: HeadChange
) -> None:
    head_grid(
        _overview(ranked, sentences.heads),
        selected=(_head(change),),
        label="How much each head changes, layers by heads",
        key=GRID,
        kind=sentences.kind,
        shared=True,
        caption=two.caption,
        notes=_notes(ranked, sentences.heads),
        height=420,
    )


def _overview(ranked: tuple[HeadChange, ...], heads: tuple[int, ...]) -> HeadOverview:
    """A grid whose maps are one cell each: the head's change."""
    layers = [np.zeros((count, 1, 1), dtype=np.float32) for count in heads]
    for one in ranked:
        layers[one.layer][one.head] = one.change
    return head_overview(layers, query_tokens=("",), key_tokens=("",))


def _notes(ranked: tuple[HeadChange, ...], heads: tuple[int, ...]) -> tuple[tuple[str, ...], ...]:
    told = {
        _head(one): f"{three(one.change)} moves, rank {rank} of {len(ranked)}"
        for rank, one in enumerate(ranked, 1)
    }
    return tuple(
        tuple(told[layer, head] for head in range(count)) for layer, count in enumerate(heads)
    )


def _two(sentences: Sentences, card: ModelCard, change: HeadChange) -> TwoMaps:
    maps = sentences.maps(change.layer)
    rows, columns = sentences.labels()
    row_ids, column_ids = sentences.ids()
    lone = (DIFFERS,) if sentences.found.keys.has_lone else ()
    return TwoMaps(
        maps.first[change.head],
        maps.second[change.head],
        rows,
        (*columns, *lone),
        ("first", "second"),
        f"{card.title}, {KIND_TITLES[sentences.kind]}, layer {change.layer} · head {change.head} "
        f"· first “{state.TEXT.value}” · second “{state.OTHER_TEXT.value}”",
        sentences.kind.value,
        "the words that differ" if lone else "",
        _masked(sentences, change.layer),
        row_ids,
        (*column_ids, *(-1 for _ in lone)),
    )


def _masked(sentences: Sentences, layer: int) -> np.ndarray | None:
    """(row, column): what the mask forbids in both sentences; None where nothing is."""
    found = sentences.found
    sides = (
        (sentences.first, found.queries.first, found.keys.first),
        (sentences.second, found.queries.second, found.keys.second),
    )
    masked = np.ones((len(found.queries), len(found.keys) + found.keys.has_lone), dtype=bool)
    for traced, rows, columns in sides:
        allowed = traced.trace.attention(layer, kind=sentences.kind).allowed()
        tokens = columns[columns < allowed.shape[1]]  # a sink's column, the last, is never masked
        masked[:, : len(tokens)] &= ~allowed[np.ix_(rows, tokens)]
        masked[:, len(tokens) :] = False
    return masked if masked.any() else None


def _head(change: HeadChange) -> HeadId:
    return change.layer, change.head


def _told(change: HeadChange) -> str:
    return f"layer {change.layer} · head {change.head}: {three(change.change)}"
