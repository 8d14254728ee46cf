"""The door to the core: one engine, however many readers come first at once."""

import threading
import time

import pytest

from app import inference


def test_first_readers_at_once_get_one_engine(monkeypatch: pytest.MonkeyPatch):
    made: list[object] = []

    class SlowEngine:
        def __init__(self) -> None:
            time.sleep(0.05)
            made.append(self)

    monkeypatch.setattr(inference, "EmbeddedEngine", SlowEngine)
    inference._only_engine.cache_clear()
    threads = [threading.Thread(target=inference.engine) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    inference._only_engine.cache_clear()
    assert len(made) == 1
