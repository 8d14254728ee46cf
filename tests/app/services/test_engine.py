"""The door to the core: one engine, however many readers come first at once."""

import threading
import time

import pytest

from app.services import engine


def test_first_readers_at_once_get_one_engine(monkeypatch: pytest.MonkeyPatch):
    made: list[object] = []

    class SlowEngine:
        def __init__(self) -> None:
            time.sleep(0.05)
            made.append(self)

    monkeypatch.setattr(engine, "EmbeddedEngine", SlowEngine)
    engine._only_engine.cache_clear()
    threads = [threading.Thread(target=engine.engine) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    engine._only_engine.cache_clear()
    assert len(made) == 1
