"""Numbers in words: three significant digits, and units that keep them short.

app/components/numbers.js says the same in the browser, digit for digit.
"""

from decimal import ROUND_HALF_UP, Context, Decimal
from functools import cache, lru_cache
from math import isfinite, isnan
from typing import Final

RAISED: Final = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
LOWERED: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
MULTIPLES: Final = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))
PARTS: Final = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def three(value: float) -> str:
    """0.0437, 12.3, 12,300, 4.30 · 10¹²; a tie goes away from zero, as in JavaScript."""
    return significant(value, 3)


@lru_cache(maxsize=2**15)  # a page prints the same numbers again at every click
def significant(value: float, digits: int) -> str:
    """The same with other digits than three: 0.04370, 12.30, 12,300, 4.300 · 10¹²."""
    size = abs(value)
    sign = "−" if value < 0 else ""
    if size == 0:
        return "0"
    if isnan(value):
        return "undefined"
    if size == float("inf"):
        return f"{sign}∞"
    near = _rounded(size, digits)
    power = near.adjusted()
    if not -5 < power < 6:
        return f"{sign}{near.scaleb(-power):.{digits - 1}f} · 10{str(power).translate(RAISED)}"
    return f"{sign}{near:,.{max(0, digits - 1 - power)}f}"


def rounded(value: float, digits: int) -> float:
    """The number that `significant` prints."""
    return float(_rounded(value, digits)) if isfinite(value) else value


def as_tex(text: str) -> str:
    """A printed number as TeX: 4.30 · 10⁻⁷ needs a power."""
    mantissa, _, power = text.partition(" · 10")
    plain = mantissa.replace("−", "-").replace(",", "{,}")
    return rf"{plain}\cdot 10^{{{power.translate(LOWERED)}}}" if power else plain


def count(value: float) -> str:
    """Whole numbers to the last digit, up to ten million; others with three digits."""
    number = float(value)
    if not number.is_integer() or abs(number) >= 1e7:
        return three(number)
    return f"{'−' if number < 0 else ''}{abs(number):,.0f}"


def ordinal(place: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th, 21st."""
    teens = place % 100 in (11, 12, 13)
    return f"{place}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(place % 10, 'th')}"


def measured(value: float, unit: str | None) -> str:
    """A share in per cent (it has no unit), or a number with its unit: 23.3 %, 17.3 dB, 0.0187."""
    return f"{three(100 * value)} %" if unit is None else f"{three(value)} {unit}".strip()


def large(value: float, unit: str) -> str:
    """151 MB, 4.30 T pairs: thousands as the prefixes k, M, G, T, P (decimal)."""
    near = _rounded(value)
    for size, prefix in MULTIPLES:
        if near >= size:
            return f"{three(value / size)} {prefix}{unit}"
    return f"{three(value)} {unit}"


def duration(seconds: float) -> str:
    """12.3 ms."""
    near = _rounded(seconds)
    size, name = next((part for part in PARTS if near >= part[0]), PARTS[-1])
    return f"{three(seconds / size)} {name}"


def _rounded(value: float, digits: int = 3) -> Decimal:
    return _context(digits).create_decimal(float(value))


@cache
def _context(digits: int) -> Context:
    return Context(prec=digits, rounding=ROUND_HALF_UP)
