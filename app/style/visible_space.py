"""Tokens in words: white space gets a shape, the same as in figures (app/components/marks.js)."""

from collections.abc import Iterable
from typing import Final

_SHAPES: Final = str.maketrans({" ": "␣", "\u2581": "␣", "\n": "⏎", "\t": "⇥", "\r": "␍"})


def visible(token: str) -> str:
    """A token with its white space made visible; SentencePiece's ▁ is a space."""
    return token.translate(_SHAPES)


def joined(tokens: Iterable[str]) -> str:
    """Tokens beside each other."""
    return " · ".join(visible(token) for token in tokens)
