"""Heads as a reader types them: "3.1, 5.7" are two heads, "3.*" is a whole layer, "7" is nothing.

A number alone would be a layer to one reader and a head to the next.
"""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from app.style.markdown_escape import plain
from app.ui.cell_params import Cells
from app.ui.param_values import Cell, every_cell, read_cell
from core.errors import InputError

MOST_DIGITS: Final = 4  # of a typed number: no model has ten thousand layers, heads or tokens
ZERO = "What a silenced head adds becomes zero at every token."


def heads_line(param: Cells, counts: Sequence[int], label: str, *, hint: str = ZERO) -> None:
    """A line for `param`'s heads. counts: (layer,) heads. What is wrong is said below it.

    Heads of a link, or of another model, that this one lacks are left out; the page tells a link's.
    """
    key, wrong = f"{param.key}:typed", f"{param.key}:wrong"

    def take() -> None:
        if key not in st.session_state:  # the page was left meanwhile
            return
        st.session_state.pop(wrong, None)
        try:
            param.put(read_heads(st.session_state[key], counts))
        except InputError as error:
            st.session_state[wrong] = (st.session_state[key], param.value, str(error))

    param.among(every_cell(counts))
    typed, then, problem = st.session_state.get(wrong, ("", param.value, ""))
    if then != param.value:  # changed elsewhere since
        problem = ""
    st.session_state[key] = typed if problem else write_heads(param.value, counts)
    st.text_input(
        label,
        key=key,
        on_change=take,
        placeholder="none; 3.1 is layer 3, head 1, and 3.* all of layer 3",
        help=hint,
    )
    if problem:
        st.warning(plain(problem), icon=":material/info:")


def read_heads(text: str, counts: Sequence[int]) -> tuple[Cell, ...]:
    """ "1.2, 0.*" → ((1, 2), (0, 0), (0, 1), …), each once. Raises InputError."""
    found: dict[Cell, None] = {}
    for word in text.replace(",", " ").split():
        layer, star, rest = word.partition(".*")
        if star and not rest and is_place(layer) and int(layer) < len(counts):
            found |= dict.fromkeys((int(layer), head) for head in range(counts[int(layer)]))
            continue
        head = read_cell(word)
        if head is None or not _is_head(head, counts):
            raise InputError(_no_head(word, counts))
        found[head] = None
    return tuple(found)


def is_place(typed: str) -> bool:
    """Whether it is the number of a layer, head or token; Python reads no number at any length."""
    return typed.isdecimal() and len(typed) <= MOST_DIGITS


def write_heads(heads: Sequence[Cell], counts: Sequence[int]) -> str:
    """The shortest text that `read_heads` reads as these heads."""
    whole = {
        layer
        for layer, count in enumerate(counts)
        if count > 1 and {(layer, head) for head in range(count)} <= set(heads)
    }
    words = (f"{layer}.*" if layer in whole else f"{layer}.{head}" for layer, head in heads)
    return ", ".join(dict.fromkeys(words))


def _is_head(cell: Cell, counts: Sequence[int]) -> bool:
    return cell[0] < len(counts) and cell[1] < counts[cell[0]]


def _no_head(word: str, counts: Sequence[int]) -> str:
    return (
        f"“{word[:20]}” is no head of this model. Heads are named layer.head, from 0: 0.0 to "
        f"{len(counts) - 1}.{counts[-1] - 1}; a whole layer is 0.*. Nothing was changed."
    )
