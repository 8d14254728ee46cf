"""Tokens in words: what has no shape gets one."""

from collections.abc import Iterable
from typing import Final

_SHAPES: Final = str.maketrans({" ": "␣", "\n": "⏎", "\t": "⇥", "\r": "␍"})


def visible(token: str) -> str:
    """A token with its white space made visible."""
    return token.translate(_SHAPES)


def joined(tokens: Iterable[str]) -> str:
    """Tokens beside each other."""
    return " · ".join(visible(token) for token in tokens)
