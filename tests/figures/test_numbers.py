"""One number format: Python and the browser print the same strings."""

import struct

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page

from app.components.mount import HERE
from app.style.number_format import count, three
from app.style.worked import Step, follow

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


WORKED = (
    f"rows => {{ {(HERE / 'numbers.js').read_text('utf-8')}\n"
    f"{(HERE / 'worked.js').read_text('utf-8')}\n"
    "return rows.map((row) => { const operands = row.map((_, i) => `a${i}`);"
    " const values = Object.fromEntries(operands.map((name, i) => [name, row[i]]));"
    " values.sum = row.reduce((a, b) => a + b, 0); values.share = row[0] / values.sum;"
    " return follow(values, [{ result: 'sum', operands, compute: summed },"
    " { result: 'share', operands: ['a0', 'sum'], compute: (a, b) => a / b }]) }) }"
)


def _worked(row: list[float]) -> dict[str, str]:
    values = {f"a{i}": value for i, value in enumerate(row)}
    values |= {"sum": sum(row), "share": row[0] / sum(row)}
    steps = (
        Step("sum", tuple(f"a{i}" for i in range(len(row))), lambda *terms: sum(terms)),
        Step("share", ("a0", "sum"), lambda a, b: a / b),
    )
    return follow(values, steps)


ROWS = st.lists(st.floats(2**-20, 100, width=32), min_size=1, max_size=12)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ROWS, min_size=10, max_size=40))
def test_both_languages_work_out_the_same_digits(page: Page, rows: list[list[float]]):
    assert page.evaluate(WORKED, rows) == [_worked(row) for row in rows]
