"""What a load run measured, as the lines of a table in tests/benchmarks/RESULTS.md."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tests.journeys.server import Server
from tests.load.shown import Answer
from tests.load.student import EXPLAINED, Seen

PERCENTILES: Final = (50, 95, 99)
JOINING: Final = "joining"


@dataclass(frozen=True)
class Used:
    """What the server used while changes were counted."""

    since: float  # time.monotonic
    cpu: float  # seconds
    resident: int  # bytes, at the end
    peak: int


class Began:
    """When the counting began, by the clock and by the server's."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.count()

    def count(self) -> None:
        """From now on."""
        self._since, self._cpu = time.monotonic(), self._server.cpu_seconds

    def used(self) -> Used:
        """So far."""
        server = self._server
        return Used(self._since, server.cpu_seconds - self._cpu, server.resident, server.peak)


def lines(seen: Seen, used: Used, command: str) -> list[str]:
    """Of the changes made while `used` was counted; of errors and joining, whenever they were."""
    joined = [answer for kind, _, answer in seen.answers if kind == JOINING]
    later = [(k, answer) for k, at, answer in seen.answers if k != JOINING and at >= used.since]
    changes = [(k, answer) for k, answer in later if k != EXPLAINED]
    errors = Counter(error for _, _, answer in seen.answers for error in answer.errors)
    errors.update(seen.failures)
    kinds = sorted({kind for kind, _ in later})
    every = len(changes) or 1
    megabytes = sum(answer.nbytes for _, answer in changes) / every / 1e6
    said = "".join(f"; {count} × {what[:80]}" for what, count in errors.most_common(3))
    return [
        "| what | result |",
        "|---|---|",
        f"| a change, p50, p95, p99 of {len(changes)} (`{command}`) | "
        f"{_percentiles([answer for _, answer in changes])} |",
        *(
            f"| {kind}, {len(of)} of them | {_percentiles(of)} |"
            for kind in kinds
            if (of := [answer for its, answer in later if its == kind])
        ),
        f"| joining, {len(joined)} students | {_percentiles(joined)} |",
        f"| errors | {errors.total()}{said} |",
        f"| server CPU a change; bytes a change | {1000 * used.cpu / every:.1f} ms; "
        f"{megabytes:.3f} MB |",
        f"| resident at the end; most | {used.resident / 1e9:.2f}; {used.peak / 1e9:.2f} GB |",
    ]


def _percentiles(answers: list[Answer]) -> str:
    return percentiles([answer.seconds for answer in answers])


def percentiles(seconds: Sequence[float]) -> str:
    """The 50th, 95th and 99th."""
    if not seconds:
        return "none"
    times = np.percentile([1000 * one for one in seconds], PERCENTILES)
    return ", ".join(f"{time:,.0f}" for time in times) + " ms"
