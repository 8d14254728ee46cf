"""Printed numbers as a reader with a calculator takes them: typed in, and rounded by hand."""

import re
from decimal import Decimal
from math import inf, isinf

NUMBER = r"[−-]?(?:∞|\d[\d,]*(?:\.\d+)?(?: · 10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?)"
LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--")


def value(text: str) -> float:
    """3.83, (−0.0012), 1.20 · 10⁻⁷, −∞."""
    return float(_parts(text)[0])


def follows(result: float, text: str) -> bool:
    """Whether that is what a calculator's result rounds to at the last printed digit."""
    printed, unit = _parts(text)
    if isinf(result) or isinf(printed):
        return result == printed
    return abs(Decimal(result) - Decimal(printed)) <= Decimal(0.5 + 1e-6) * unit


def numbers(text: str) -> list[str]:
    return re.findall(NUMBER, text)


def _parts(text: str) -> tuple[Decimal | float, Decimal]:
    """The number, and one unit of its last digit."""
    bare = text.strip(" ()*").replace(",", "")
    if "∞" in bare:
        return (-inf if bare[0] in "−-" else inf), Decimal(0)
    mantissa, _, power = bare.partition(" · 10")
    shift = Decimal(10) ** int(power.translate(LOWERED) or 0)
    digits = Decimal(mantissa.translate(LOWERED))
    exponent = digits.as_tuple().exponent
    return digits * shift, Decimal(10) ** int(exponent) * shift
