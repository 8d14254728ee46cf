"""One token of a vocabulary: chosen among a model's likeliest, typed, or named by a link."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar, cast

import streamlit as st

from app.ui.options import WIDGET, option_widget
from app.ui.params import Number

OWN: Final = -1  # the view's own choice
T = TypeVar("T")


def token_choice(
    param: Number[int],
    label: str,
    likeliest: Sequence[int],
    own: T,
    *,
    named: Callable[[int | T], str],
    vocabulary: Sequence[str],
    left_out: Sequence[int] = (),
) -> int | T:
    """A select box that takes any other word, too; `own` is what stands for OWN in links."""
    chosen = param.value
    every = dict.fromkeys((OWN, *likeliest, *[chosen][: chosen != OWN]))
    offered = [token for token in every if token not in left_out]
    refused = f"{param.key}:typed"

    def take(token: object) -> None:
        st.session_state.pop(refused, None)
        param.put(OWN if token is None else cast("int", token))

    def typed(word: str) -> None:
        token = named_token(word.strip(), vocabulary)
        if token is None:
            st.session_state[refused] = True
        else:
            take(OWN if token == own else token)

    option_widget(
        st.selectbox,
        label,
        offered,
        lambda token: named(own if token == OWN else token),
        key=param.key + WIDGET,
        shown=chosen if chosen in offered else None,
        take=take,
        typed=typed,
        accept_new_options=True,
    )
    if st.session_state.get(refused):
        st.caption("What was typed is not one token of this model.")
    return own if param.value == OWN else param.value


def named_token(word: str, vocabulary: Sequence[str]) -> int | None:
    """The one token that a reader means: as it is written, or as a word's beginning."""
    index = {token: number for number, token in enumerate(vocabulary)}
    spellings = (f"Ġ{word}", f"▁{word}", word, word.lower())
    return next((index[one] for one in spellings if one in index), None)


def forget_other_vocabulary(key: str, model: str, size: int, *params: Number[int]) -> None:
    """Ids mean other tokens in another model. key: of the session, which knows the last one."""
    other = st.session_state.setdefault(key, model) != model
    st.session_state[key] = model
    for param in params:
        if other:
            param.reset()
        param.below(size)
