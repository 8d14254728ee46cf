"""What this server does, in numbers, as Prometheus reads them; no text and no reader is among them.

https://prometheus.io/docs/practices/naming. One process's own: each web process has such numbers.
"""

import threading
from dataclasses import dataclass
from functools import cache
from typing import Final

from prometheus_client import (
    REGISTRY,
    Counter,
    Gauge,
    Histogram,
    Info,
    disable_created_metrics,
    generate_latest,
)
from streamlit import runtime

from app.services import engine, settings
from core.engine.events import EVENTS, Asked, Ended, Event, Together
from core.version import VERSION

disable_created_metrics()
ASKED: Final = Counter(
    "glassformer_requests", "Questions, by what there was of the answer", ["question", "found"]
)
ANSWERED: Final = Histogram(
    "glassformer_answer_seconds",
    "From a question to a model until its end, waiting included",
    ["question", "outcome"],
    buckets=(0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100),
)
TOGETHER: Final = Histogram(
    "glassformer_batch_size", "Texts that were traced in one pass", buckets=(2, 4, 8, 16)
)
ONCE: Final = threading.Lock()
MEMORY: Final = "process_resident_memory_bytes"  # the library's own


@dataclass(frozen=True)
class Standing:
    """What a reader may know of the server."""

    readers: int  # whose page is open
    waiting: int  # questions in the line
    resident: int | None  # bytes of memory; None where the system does not tell
    computed_by: str

    def line(self) -> str:
        """In a sentence or two."""
        memory = "" if self.resident is None else f", {self.resident / 2**20:.0f} MiB of memory"
        open_pages = "1 page is open" if self.readers == 1 else f"{self.readers} pages are open"
        wait = "1 question waits" if self.waiting == 1 else f"{self.waiting} questions wait"
        return (
            f"Glassformer {VERSION}; {self.computed_by} computes. Now {open_pages}, {wait}{memory}."
        )


def standing() -> Standing:
    """Now."""
    resident = REGISTRY.get_sample_value(MEMORY)
    memory = None if resident is None else int(resident)
    return Standing(readers(), engine.engine().waiting, memory, computed_by())


def readers() -> int:
    """Open pages."""
    if not runtime.exists():  # a test's page
        return 0
    stats = runtime.get_instance().stats_mgr.get_stats(["active_sessions"])
    return sum(int(getattr(one, "value", 0)) for one in stats.get("active_sessions", ()))


def computed_by() -> str:
    return "this process" if settings.ray() is None else "Ray Serve"


def text() -> bytes:
    """Everything, in Prometheus's own format."""
    count()
    return generate_latest()


def count() -> None:
    """From now on, and what was kept since the start. Only the first call does something."""
    with ONCE:  # `cache` alone would let two first callers register twice
        _count_from_now_on()


@cache
def _count_from_now_on() -> None:
    EVENTS.listen(_count)
    Gauge("glassformer_waiting_requests", "Questions in the line").set_function(
        lambda: engine.engine().waiting
    )
    Gauge("glassformer_cache_bytes", "Models, answers, what follows from them").set_function(
        lambda: engine.engine().nbytes
    )
    Gauge("glassformer_sessions", "Open pages").set_function(readers)
    Info("glassformer", "What runs").info({"version": VERSION, "computed_by": computed_by()})


def _count(event: Event) -> None:
    match event:
        case Asked(question, found):
            ASKED.labels(question, found).inc()
        case Ended(question, outcome, seconds):
            ANSWERED.labels(question, outcome).observe(seconds)
        case Together(size):
            TOGETHER.observe(size)
