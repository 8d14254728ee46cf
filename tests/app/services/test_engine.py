"""The door to the core: one engine, however many readers come first at once."""

import gc
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import Any
from weakref import ref

import numpy as np
import pytest

from app.services import engine, settings
from core.engine import EmbeddedEngine, KnownAnswers, Request
from core.engine.requests import MAPS_ALONE
from core.errors import InputError
from core.outputs.families import TextModel, VisionModel


def test_first_readers_at_once_get_one_engine(monkeypatch: pytest.MonkeyPatch):
    made: list[object] = []

    class SlowEngine:
        def __init__(self, opened: object, memory: int, known: KnownAnswers) -> None:
            assert opened is engine._opened
            assert memory == 2 * 2**30
            assert known is not None
            time.sleep(0.05)
            made.append(self)

    monkeypatch.delenv(settings.MEMORY_SETTING, raising=False)
    monkeypatch.setattr(engine, "EmbeddedEngine", SlowEngine)
    engine._only_engine.cache_clear()
    threads = [threading.Thread(target=engine.engine) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    engine._only_engine.cache_clear()
    assert len(made) == 1


def test_first_readers_at_once_start_one_collector(monkeypatch: pytest.MonkeyPatch):
    """One starts it while the others wait."""
    alone: list[bool] = []
    monkeypatch.setattr(engine.garbage, "keep_away", lambda _: alone.append(engine.ONCE.locked()))
    engine._only_warm_up.cache_clear()
    for _ in range(2):
        engine.warm_up("text")
    engine._only_warm_up.cache_clear()
    assert alone == [True]


def test_memory_is_one_setting_in_bytes(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv(settings.MEMORY_SETTING, raising=False)
    assert settings.memory() is None
    monkeypatch.setenv(settings.MEMORY_SETTING, "500_000_000")
    assert settings.memory() == 500_000_000


@pytest.mark.parametrize("wrong", ["2G", "-1", "0", "1.5"])
def test_a_memory_that_is_no_number_of_bytes_says_what_is(
    monkeypatch: pytest.MonkeyPatch, wrong: str
):
    monkeypatch.setenv(settings.MEMORY_SETTING, wrong)
    with pytest.raises(InputError, match=f"such as 2147483648, not “{wrong}”"):
        settings.memory()


def test_a_wrong_setting_is_told_at_the_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """`make app` and the Procfile ask before Streamlit starts."""
    monkeypatch.delenv(settings.MEMORY_SETTING, raising=False)
    assert settings.main() == 0
    monkeypatch.setenv(settings.MEMORY_SETTING, "2G")
    assert settings.main() == 2
    assert "not “2G”" in capsys.readouterr().err


def test_the_check_at_the_start_imports_nothing_heavy():
    """Every start waits for it."""
    told = "import sys, app.services.settings; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert {"core", "numpy", "streamlit"}.isdisjoint(run.stdout.split())


def test_what_answers_is_one_setting(monkeypatch: pytest.MonkeyPatch):
    for asked, address in (
        ("embedded", None),
        ("ray:auto", "127.0.0.1:8000"),
        ("ray:ray-head:8001", "ray-head:8001"),
    ):
        monkeypatch.setenv(settings.ENGINE_SETTING, asked)
        assert settings.ray() == address
    monkeypatch.setenv(settings.ENGINE_SETTING, "ray")
    with pytest.raises(InputError, match="not “ray”"):
        settings.ray()


def test_nobody_imports_ray_who_does_not_ask_for_it():
    told = "import sys, app.services.engine; app.services.engine.engine(); print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert {"ray", "httpx2", "core.engine.remote"}.isdisjoint(run.stdout.split())


@pytest.mark.parametrize("without", [frozenset(), MAPS_ALONE])
def test_what_a_page_is_drawn_from_keeps_no_trace(
    monkeypatch: pytest.MonkeyPatch, tiny_checkpoint, without
):
    """A reader's tab lives long; where the engine made room, the same is asked for again."""
    folder = str(tiny_checkpoint("bert"))
    own = EmbeddedEngine(memory=1)  # the newest value, and nothing else
    monkeypatch.setattr(engine, "engine", lambda: own)
    request = replace(Request.of(TextModel.trace, folder, "the cat"), without=without)
    traced = engine.TextTrace(request, engine.submit(request).result())
    first = traced.trace
    assert traced.trace is first
    maps, kept = first.attention(0).weights.copy(), ref(first)
    del first
    own.derived(("other",), lambda: "value")
    gc.collect()
    assert kept() is None
    np.testing.assert_array_equal(traced.trace.attention(0).weights, maps)
    assert bool(traced.trace.states) is not bool(without)
    own.close()


class Noting:
    """An engine that notes how it was asked, and when nobody waits any more."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def submit(self, request: Request[Any]) -> Future[Any]:
        self.told.append(f"{request.name} in any case")
        return Future()

    @contextmanager
    def wanted(self, requests: dict[str, Request[Any]]):
        yield {name: Future[Any]() for name in requests}
        self.told += [f"{name} given up" for name in requests]


@pytest.mark.parametrize("within", [True, False], ids=["in a run", "elsewhere"])
def test_what_takes_long_is_given_up_with_the_run_that_asked(
    monkeypatch: pytest.MonkeyPatch, *, within: bool
):
    noting = Noting()
    monkeypatch.setattr(engine, "engine", lambda: noting)
    with engine.of_a_run() if within else nullcontext():
        engine.ask(TextModel.trace, "fake", "a")
        engine.submit(Request.of(VisionModel.evidence, "fake", None, "occlusion", target=0))
        assert not any("given up" in one for one in noting.told)
    assert noting.told == [
        "trace in any case",
        "evidence given up" if within else "evidence in any case",
    ]
