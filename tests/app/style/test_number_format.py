"""Three significant digits, never more, and no number that Python's own format spoils."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.style.number_format import (
    count,
    duration,
    large,
    ordinal,
    three,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (0.04371, "0.0437"),
        (6.987712e-4, "0.000699"),
        (12.345, "12.3"),
        (999.6, "1,000"),
        (12345.0, "12,300"),
        (1.125, "1.13"),  # a tie goes away from zero, as in the browser
        (4.29981696e12, "4.30 · 10¹²"),
        (-1.5e-9, "−1.50 · 10⁻⁹"),
        (float("inf"), "∞"),
        (float("nan"), "undefined"),
    ],
)
def test_three(value: float, text: str):
    assert three(value) == text


@given(st.floats(1e-4, 1e5))
def test_three_digits_are_within_half_a_percent(value: float):
    assert float(three(value).replace(",", "")) == pytest.approx(value, rel=0.005)


@pytest.mark.parametrize(
    ("value", "text"),
    [(150_994_944, "151 MB"), (999_999, "1.00 MB"), (12, "12.0 B"), (6.3e14, "630 TB")],
)
def test_large(value: float, text: str):
    assert large(value, "B") == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.01234, "12.3 ms"), (2.5, "2.50 s"), (3.1e-7, "310 ns"), (0.0, "0 ns")]
)
def test_duration(seconds: float, text: str):
    assert duration(seconds) == text


def test_counts_are_exact_where_they_can_be():
    assert [count(v) for v in (1024.0, 0.5, 12_345.0, 5e9, -2048.0)] == [
        "1,024",
        "0.500",
        "12,345",
        "5.00 · 10⁹",
        "−2,048",
    ]


def test_ordinals():
    said = " ".join(ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 103))
    assert said == "1st 2nd 3rd 4th 11th 12th 13th 21st 103rd"
