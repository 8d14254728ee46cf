"""Every printed step follows from the printed operands, to the last printed digit."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.style.worked import Step, follow, step, total
from tests.printed import follows, value

SIZES = st.floats(-50, 50, width=32).filter(lambda number: number == 0 or abs(number) > 1e-6)


@given(st.lists(SIZES, min_size=1, max_size=20))
def test_a_sum(terms: list[float]):
    texts, result = step(terms, total(*terms), total)
    assert follows(math.fsum(map(value, texts)), result)


@given(SIZES, SIZES.filter(bool))
def test_a_quotient(above: float, below: float):
    (over, under), result = step([above, below], above / below, lambda a, b: a / b)
    assert follows(value(over) / value(under), result)


@given(st.lists(st.floats(-12, 12, width=32), min_size=1, max_size=40))
@settings(max_examples=60)
def test_a_softmax_row(scores: list[float]):
    """Scores less their largest, exponentials, their sum, the weights: one chain."""
    places, largest = range(len(scores)), max(scores)
    values = {"max": largest, "sum": math.fsum(math.exp(one - largest) for one in scores)}
    for i, score in enumerate(scores):
        values |= {f"s{i}": score, f"e{i}": math.exp(score - largest)}
        values[f"w{i}"] = values[f"e{i}"] / values["sum"]
    steps = [
        *(Step(f"e{i}", (f"s{i}", "max"), lambda s, most: math.exp(s - most)) for i in places),
        Step("sum", tuple(f"e{i}" for i in places), total),
        *(Step(f"w{i}", (f"e{i}", "sum"), lambda e, by: e / by) for i in places),
    ]
    said = follow(values, steps)
    number = {name: value(text) for name, text in said.items()}
    assert follows(math.fsum(number[f"e{i}"] for i in places), said["sum"])
    for i in places:
        assert follows(math.exp(number[f"s{i}"] - number["max"]), said[f"e{i}"])
        assert follows(number[f"e{i}"] / number["sum"], said[f"w{i}"])


def test_three_digits_are_kept_where_they_do():
    assert step([2.0, 4.0], 0.5, lambda a, b: a / b) == (("2.00", "4.00"), "0.500")


def test_the_lecture_hall_s_example():
    dot = 3.8327 * math.sqrt(32)
    texts, result = step([dot], 3.8327, lambda dot: dot / math.sqrt(32))
    assert (texts, result) == (("21.68",), "3.83")


def test_a_tie_gets_a_digit_more():
    """1.5 + 0.045: 1.54 or 1.55, depending on who rounds."""
    assert step([1.5, 0.045], 1.545, total)[1] == "1.545"


def test_what_float32_rounded_away_is_not_printed():
    """The sum of the printed terms, where the model's own has other last digits."""
    texts, result = step([10.5, -10.4999], 0.000100136, total)
    assert follows(math.fsum(map(value, texts)), result)


@pytest.mark.parametrize("masked", [[1.0, -math.inf], [0.0, 0.0]])
def test_what_is_masked_or_nothing(masked: list[float]):
    texts, result = step(masked, total(*masked), total)
    assert follows(sum(map(value, texts)), result)
