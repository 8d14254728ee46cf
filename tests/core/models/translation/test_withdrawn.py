"""A translation that nobody waits for any more ends between two of its tokens."""

from collections.abc import Callable
from pathlib import Path

import pytest

import core
from core.long_work import WithdrawnError, looking_up


@pytest.mark.parametrize("question", ["decode", "translate", "machine", "erasure"])
def test_what_is_long_ends_where_it_looks_up(question: str, tiny_checkpoint: Callable[[str], Path]):
    model = core.load(tiny_checkpoint("marian"))
    looks: list[int] = []

    def look() -> None:
        looks.append(1)
        if len(looks) == 2:
            raise WithdrawnError

    with looking_up(look), pytest.raises(WithdrawnError):
        getattr(model, question)("the cat sat on the mat")
    assert len(looks) == 2
