"""The first example of a page is drawn before any model is opened, and is what the model says.

What the pages ask for lies in assets/first_sights. Where a model, an example or an answer's
class changed, make the files anew: `.venv/bin/python -m tests.pages.test_first_sights`.
"""

from collections.abc import Generator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

import numpy as np
import pytest
from typing_extensions import override

from app.services import engine
from core.engine import EmbeddedEngine, KnownAnswers, Request
from tests.pages.page import Page

PAGES = ("", "attention", "transformer", "bert", "gpt")  # a picture's trace alone takes 6 MB


class Recording(EmbeddedEngine):
    """Remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: dict[Request[Any], Future[Any]] = {}

    @override
    def submit(self, request: Request[Any]) -> Future[Any]:
        self.asked[request] = super().submit(request)
        return self.asked[request]

    @override
    @contextmanager
    def wanted(self, requests: Mapping[Any, Request[Any]]) -> Generator[dict[Any, Future[Any]]]:
        with super().wanted(requests) as futures:
            self.asked.update((requests[name], future) for name, future in futures.items())
            yield futures


@cache
def computed() -> Mapping[Request[Any], Any]:
    """What the pages ask for on their first sight, answered by the models."""
    with pytest.MonkeyPatch.context() as patch:
        recording = Recording()
        patch.setattr(engine, "_only_engine", lambda: recording)
        patch.setattr(engine, "warm_up", lambda _: None)
        for path in PAGES:
            Page(path)
        return {request: future.result() for request, future in recording.asked.items()}


def expect_equal(one: Any, other: Any) -> None:
    if isinstance(one, np.ndarray):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-4)
    elif isinstance(one, float):
        assert one == pytest.approx(other, rel=1e-4)
    elif is_dataclass(one):
        for entry in fields(one):
            expect_equal(getattr(one, entry.name), getattr(other, entry.name))
    elif isinstance(one, Mapping):
        assert one.keys() == other.keys()
        for key, value in one.items():
            expect_equal(value, other[key])
    elif isinstance(one, tuple):
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            expect_equal(a, b)
    else:
        assert one == other


@pytest.mark.parametrize("path", PAGES)
def test_no_model_is_opened(path: str, monkeypatch: pytest.MonkeyPatch):
    opened: list[str] = []

    def refused(model_id: str, **_: object) -> NoReturn:
        opened.append(model_id)
        raise AssertionError(f"{model_id} was opened")

    known = EmbeddedEngine(refused, known=KnownAnswers(engine.FIRST_SIGHTS))
    monkeypatch.setattr(engine, "_only_engine", lambda: known)
    page = Page(path)
    assert opened == []
    assert page.figures


def test_known_answers_are_the_models():
    known = KnownAnswers(engine.FIRST_SIGHTS)
    for request, answer in computed().items():
        expect_equal(known.get(request), answer)


def test_no_file_is_left_that_nobody_asks_for(tmp_path: Path):
    wanted = KnownAnswers(tmp_path)
    names = {wanted.keep(request, answer).name for request, answer in computed().items()}
    assert names == {path.name for path in engine.FIRST_SIGHTS.iterdir()}


if __name__ == "__main__":
    with TemporaryDirectory(dir=engine.FIRST_SIGHTS.parent) as fresh:
        for asked, answered in computed().items():
            KnownAnswers(Path(fresh)).keep(asked, answered)
        for old in engine.FIRST_SIGHTS.glob("*"):
            old.unlink()
        engine.FIRST_SIGHTS.mkdir(exist_ok=True)
        for new in Path(fresh).iterdir():
            new.rename(engine.FIRST_SIGHTS / new.name)
