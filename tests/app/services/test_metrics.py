"""The server in numbers."""

import pytest
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families

from app.services import metrics, settings
from core.engine.events import EVENTS, Asked, Ended, Found, Together


def sample(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


def test_what_an_engine_tells_is_counted():
    metrics.text()
    asked = {"question": "a_question", "found": "cached"}
    ended = {"question": "a_question", "outcome": "answered"}
    EVENTS.listen(metrics._count)  # another test may have listened
    for event in (
        Asked("a_question", Found.CACHED),
        Asked("a_question", Found.CACHED),
        Ended("a_question", "answered", 0.2),
        Together(3),
    ):
        EVENTS.tell(event)
    assert sample("glassformer_requests_total", **asked) == 2
    assert sample("glassformer_answer_seconds_sum", **ended) == pytest.approx(0.2)
    assert sample("glassformer_answer_seconds_bucket", **ended, le="0.1") == 0
    assert sample("glassformer_answer_seconds_bucket", **ended, le="0.3") == 1
    assert sample("glassformer_batch_size_bucket", le="4.0") >= 1


def test_prometheus_can_read_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv(settings.ENGINE_SETTING, raising=False)
    told = {one.name for one in text_string_to_metric_families(metrics.text().decode())}
    assert told >= {
        "glassformer_requests",
        "glassformer_answer_seconds",
        "glassformer_batch_size",
        "glassformer_waiting_requests",
        "glassformer_cache_bytes",
        "glassformer_sessions",
        "glassformer_info",
    }


def test_first_readers_at_once_count_once(monkeypatch: pytest.MonkeyPatch):
    """One registers while the others wait."""
    alone: list[bool] = []
    monkeypatch.setattr(metrics, "_count_from_now_on", lambda: alone.append(metrics.ONCE.locked()))
    metrics.count()
    assert alone == [True]


@pytest.mark.parametrize(
    ("standing", "said"),
    [
        (
            metrics.Standing(1, 0, 700 * 2**20, "this process"),
            "this process computes. Now 1 page is open, 0 questions wait, 700 MiB of memory.",
        ),
        (
            metrics.Standing(30, 1, None, "Ray Serve"),
            "Ray Serve computes. Now 30 pages are open, 1 question waits.",
        ),
    ],
)
def test_what_a_reader_is_told(standing: metrics.Standing, said: str):
    assert standing.line().endswith(said)
