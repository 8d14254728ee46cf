"""What the reader has predicted in this session, and how often they were right."""

from collections.abc import Collection, Hashable
from typing import Final, NamedTuple

import streamlit as st

MADE: Final = "prediction.guesses"


class Guess(NamedTuple):
    """What a reader said."""

    option: int | None  # None: they didn't know
    right: bool
    told: str = ""  # the verdict, in Markdown


def guesses() -> dict[Hashable, Guess]:
    """By question: who changes what is asked is asked again."""
    return st.session_state.setdefault(MADE, {})


def score(of: Collection[Hashable] | None = None) -> str:
    """How many were right, in words; "" before the first. of: those questions alone."""
    made = [guess for name, guess in guesses().items() if of is None or name in of]
    return f"{sum(guess.right for guess in made)} of {len(made)} right" if made else ""
