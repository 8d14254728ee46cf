"""Answers that come one by one: each set of them is told once, refusals too."""

from collections.abc import Iterator
from concurrent.futures import Future

import pytest

from app.ui import progress
from app.ui.arrived import arriving
from core.errors import InputError


def test_each_set_is_told_once_whatever_came_meanwhile(monkeypatch: pytest.MonkeyPatch):
    futures: dict[str, Future[int]] = {name: Future() for name in "abc"}

    def arrivals(_: object) -> Iterator[None]:
        yield
        futures["b"].set_result(2)
        yield
        yield  # nothing more came
        futures["a"].set_exception(InputError("no"))
        futures["c"].set_result(3)
        yield

    monkeypatch.setattr(progress, "arrivals", arrivals)
    told = list(arriving(futures, ("a", "b", "c"), str))
    assert [one.awaited for one in told] == [("a", "b", "c"), ("a", "c"), ()]
    assert [dict(one.found) for one in told] == [{}, {"b": 2}, {"b": 2, "c": 3}]
    assert told[-1].refused == {"a": "no"}


def test_an_error_of_the_apps_is_none_of_the_readers():
    broken: Future[int] = Future()
    broken.set_exception(RuntimeError("a bug"))
    with pytest.raises(RuntimeError, match="a bug"):
        list(arriving({"a": broken}, ("a",), str))
