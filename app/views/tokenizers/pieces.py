"""Tokens in words: what has no shape gets one."""

from collections.abc import Iterable
from typing import Final

_RAISED: Final = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_SHAPES: Final = str.maketrans({" ": "␣", "\n": "⏎", "\t": "⇥", "\r": "␍"})


def visible(token: str) -> str:
    """A token with its white space made visible."""
    return token.translate(_SHAPES)


def joined(tokens: Iterable[str]) -> str:
    """Tokens beside each other."""
    return " · ".join(visible(token) for token in tokens)


def three(value: float) -> str:
    """Three significant digits, as the figures print them."""
    if value == 0:
        return "0"
    if 1e-4 <= abs(value) < 1e5:
        return f"{value:.3g}".replace("-", "−")
    mantissa, exponent = f"{value:.2e}".split("e")
    return f"{mantissa} · 10{str(int(exponent)).translate(_RAISED)}".replace("-", "−")
