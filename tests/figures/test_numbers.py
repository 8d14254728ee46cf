"""One number format: Python and the browser print the same strings."""

import struct

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page

from app.components.mount import HERE
from app.style.number_format import count, three

BOTH = (
    f"values => {{ {(HERE / 'numbers.js').read_text('utf-8')}\n"
    "return values.map(Number).map((value) => [number(value), whole(value)]) }"
)
SINGLE = st.floats(width=32)
TIES = st.integers(0, 12_000).map(lambda eighths: eighths / 8)
EDGES = st.builds(
    lambda digits, power, step: _beside(float(f"{digits}e{power}"), step),
    st.sampled_from(["1", "9.995", "9.9949999", "1.005", "9.99"]),
    st.integers(-8, 18),
    st.integers(-2, 2),
)
WHOLE = st.integers(-(10**8), 10**8).map(float)


def _beside(value: float, step: int) -> float:
    """The double that many places after `value`."""
    (bits,) = struct.unpack("<q", struct.pack("<d", value))
    return struct.unpack("<d", struct.pack("<q", bits + step))[0]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.floats() | SINGLE | TIES | EDGES | WHOLE, min_size=50, max_size=400))
def test_both_languages_print_the_same(page: Page, values: list[float]):
    texts = page.evaluate(BOTH, [repr(value).replace("inf", "Infinity") for value in values])
    assert texts == [[three(value), count(value)] for value in values]


@pytest.mark.parametrize(
    ("value", "text"),
    [(12346, "12,300"), (0.0437, "0.0437"), (1.125, "1.13"), (-999_999, "−1.00 · 10⁶")],
)
def test_three_digits_in_the_browser(page: Page, value: float, text: str):
    assert page.evaluate(BOTH, [value])[0][0] == text
