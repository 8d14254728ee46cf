"""Every family is shown as its own eager maps, or refused with a reason: none is neither."""

from collections import Counter

import numpy as np
import pytest

from tests.benchmarks.parity.__main__ import TABLE, table
from tests.benchmarks.parity.matrix import PARTS, outcomes
from tests.benchmarks.parity.outcome import Outcome, Verdict, compared

FEWEST = 120


@pytest.fixture(scope="module")
def found() -> list[Outcome]:
    return outcomes()


def test_no_family_is_shown_otherwise_than_it_is(found: list[Outcome]):
    assert [one for one in found if one.verdict == Verdict.WRONG] == []


def test_they_are_many(found: list[Outcome]):
    counts = Counter(one.verdict for one in found)
    assert counts[Verdict.EQUAL] >= FEWEST
    assert counts[Verdict.REFUSED] >= 60
    assert len(found) == sum(len(families) for families, _ in PARTS)


def test_a_refusal_says_why_and_what_to_do(found: list[Outcome]):
    for one in found:
        if one.verdict == Verdict.REFUSED:
            assert len(one.detail) > 80, one
            assert any(word in one.detail for word in ("hoose", "Save", "Set", "Write")), one
            assert "Error" not in one.detail, one


def test_the_printed_table_is_of_these_families(found: list[Outcome]):
    """Numbers differ by processor, verdicts don't: print it anew when a family changes."""
    printed = TABLE.read_text(encoding="utf-8")
    for verdict in Verdict:
        count = sum(one.verdict == verdict for one in found)
        assert f"**{count}** {verdict}" in printed
    assert table(found, 0).splitlines()[0] == printed.splitlines()[0]


def test_a_difference_is_found():
    one = np.full((2, 3, 3), 1 / 3, np.float32)
    assert compared("a", "b", [one], [one]).verdict == Verdict.EQUAL
    assert compared("a", "b", [one], [one + 2e-5]).verdict == Verdict.WRONG
    assert compared("a", "b", [one], [one, one]).verdict == Verdict.WRONG
    assert compared("a", "b", [one], [one[:1]]).verdict == Verdict.WRONG
    assert compared("a", "b", [], []).verdict == Verdict.WRONG
