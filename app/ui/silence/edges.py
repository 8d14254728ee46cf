"""Edges as a reader types them: "3.1.4.6" is layer 3, head 1, from query 4 to key 6."""

from collections.abc import Iterator
from itertools import product
from typing import Final

import streamlit as st

from app.services.silencing import Heads
from app.style.markdown_escape import plain
from app.ui.heads_line import is_place
from app.ui.params import Text
from core.errors import InputError
from core.interventions import BlockEdge

EVERY: Final = "*"
MOST: Final = 2000  # of one text


def edges_line(param: Text, heads: Heads) -> tuple[BlockEdge, ...]:
    """A line for them; what is wrong is said below it, and then no edge is blocked."""
    param.line(
        "Blocked edges",
        placeholder="none; 3.1.4.6 is layer 3, head 1, token 4 looking at token 6",
        help="The score becomes −∞ before the softmax: the token can't look there. layer.head."
        "query.key, all from 0; 3.*.4.6 is every head of layer 3, *.*.4.6 of every layer.",
    )
    try:
        return read_edges(param.value, heads)
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return ()


def read_edges(text: str, heads: Heads) -> tuple[BlockEdge, ...]:
    """ "3.1.4.6, 0.*.2.1" → edges, each once. Raises InputError."""
    places = dict.fromkeys(
        place for word in text.replace(",", " ").split() for place in _places(word, heads)
    )
    if len(places) > MOST:
        raise InputError(f"{len(places)} edges are more than the {MOST} that are blocked at once.")
    return tuple(BlockEdge(*place, heads.kind) for place in places)


def _places(word: str, heads: Heads) -> Iterator[tuple[int, int, int, int]]:
    parts = word.split(".")
    if len(parts) != 4 or not all(map(is_place, parts[2:])):
        raise _no_edge(word, heads)
    chosen: list[range] = []
    for part, count in zip(parts, (heads.layers, heads.each), strict=False):
        if part != EVERY and not (is_place(part) and int(part) < count):
            raise _no_edge(word, heads)
        chosen.append(range(count) if part == EVERY else range(int(part), int(part) + 1))
    for layer, head in product(*chosen):
        yield layer, head, int(parts[2]), int(parts[3])


def _no_edge(word: str, heads: Heads) -> InputError:
    return InputError(
        f"“{word[:20]}” is no edge of this model. Edges are named layer.head.query.key, from 0: "
        f"layers to {heads.layers - 1}, heads to {heads.each - 1}; 3.*.4.6 is every head of "
        "layer 3. No edge is blocked."
    )
