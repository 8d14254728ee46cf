"""When a reader is asked before long work: worked by hand."""

import pytest

from app.ui.long_work import is_to_be_asked


@pytest.mark.parametrize(
    ("seconds", "agreed", "asked"),
    [
        (9.0, 0.0, False),  # not long
        (11.0, 0.0, True),  # nobody agreed to anything
        (11.0, 11.0, False),
        (12.0, 11.0, False),  # the clock's own noise
        (60.0, 11.0, True),  # a longer text, as many heads
        (11.0, 60.0, False),
    ],
)
def test_agreed_is_what_it_takes(seconds: float, agreed: float, asked: bool):
    assert is_to_be_asked(seconds, agreed) is asked
