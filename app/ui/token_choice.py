"""One token of a vocabulary, chosen among a model's likeliest; a link may name any other."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

import streamlit as st

from app.ui.options import one_of
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
    left_out: Sequence[int] = (),
) -> int | T:
    """A select box; `own` is what stands for OWN in links."""
    chosen = param.value
    offered = dict.fromkeys((OWN, *likeliest, *[chosen][: chosen != OWN]))
    one_of(
        param,
        st.selectbox,
        label,
        [token for token in offered if token not in left_out],
        lambda token: named(own if token == OWN else token),
    )
    return own if param.value == OWN else param.value


def forget_other_vocabulary(key: str, model: str, size: int, *params: Number[int]) -> None:
    """Ids mean other tokens in another model. key: of the session, which knows the last one."""
    other = st.session_state.setdefault(key, model) != model
    st.session_state[key] = model
    for param in params:
        if other or param.value >= size:
            param.reset()
