"""The time that attention takes on this machine, against the length of the sequence.

One layer of the base Transformer's shape: d_model 512, 8 heads. *explicit* writes the maps
out, softmax(QKᵀ/√d)V one head after the other; *fused* is torch's own kernel, which keeps no
map (Dao et al. 2022, https://arxiv.org/abs/2205.14135); *feed-forward* is the layer beside
attention, linear in n.

On a processor the clock is the CPU time of one thread, so that others who use the machine
hardly count; on a GPU it is the time that passes. Each time is the fastest of several runs.
`measure_apart` does it in a process of its own: the app's threads keep theirs.
"""

import json
import math
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from jaxtyping import Float64

D_MODEL: Final = 512
HEADS: Final = 8
SHORTEST: Final = 64
LONGEST: Final = {"cpu": 4096, "cuda": 16384}
ENOUGH: Final = 0.15  # seconds of runs at one length
MOST_RUNS: Final = 20
CPU_CLOCK: Final = time.process_time
FITTED: Final = 1024  # positions: below that, starting an operation costs more than the work

COMMAND: Final = (sys.executable, "-m", "core.blocks.attention_time")
SERIES: Final = ("lengths", "explicit", "fused", "feed_forward")

Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True, eq=False)
class AttentionTimes:
    """Seconds by length, and the machine that took them."""

    lengths: Float64[np.ndarray, " length"]
    explicit: Float64[np.ndarray, " length"]
    fused: Float64[np.ndarray, " length"]
    feed_forward: Float64[np.ndarray, " length"]
    machine: str
    device: str  # cpu: one thread; or cuda

    def slower_from(self, seconds: Float64[np.ndarray, " length"]) -> float | None:
        """The length from which on these take longer than the feed-forward layer; None: never.

        The last length at which they were still faster decides: single runs may be off.
        """
        faster = self.lengths[seconds <= self.feed_forward]
        slower = self.lengths[seconds > self.feed_forward]
        later = slower[slower > faster.max(initial=0)]
        return float(later.min()) if len(later) else None


def fitted_exponent(
    lengths: Float64[np.ndarray, " length"],
    seconds: Float64[np.ndarray, " length"],
    *,
    shortest: float = FITTED,
) -> tuple[float, float]:
    """(a, c) of seconds ≈ c · nᵃ, by least squares in logarithms over n ≥ `shortest`."""
    kept = lengths >= shortest
    if kept.sum() < 2:
        raise ValueError(f"a slope needs two lengths of at least {shortest:g}")
    slope, intercept = np.polyfit(np.log(lengths[kept]), np.log(seconds[kept]), 1)
    return float(slope), float(np.exp(intercept))


def default_lengths(device: str) -> tuple[int, ...]:
    """From SHORTEST to the device's LONGEST, √2 apart, rounded to whole numbers."""
    halves = round(2 * math.log2(LONGEST[device] / SHORTEST))
    return tuple(round(SHORTEST * 2 ** (half / 2)) for half in range(halves + 1))


def measure_apart(progress: Progress) -> AttentionTimes:
    """`measure` in a new process with one thread. Raises RuntimeError if that fails."""
    one_thread = os.environ | {"OMP_NUM_THREADS": "1"}
    with subprocess.Popen(
        COMMAND, stdout=subprocess.PIPE, text=True, encoding="utf-8", env=one_thread
    ) as process:
        for line in process.stdout or ():
            said = json.loads(line)
            if "share" in said:
                progress(said["share"])
                continue
            series = {name: np.array(said.pop(name)) for name in SERIES}
            return AttentionTimes(**series, **said)
    raise RuntimeError(f"the measuring process ended with {process.returncode} and no times")


def measure(progress: Progress, lengths: tuple[int, ...] | None = None) -> AttentionTimes:
    """Run all three at every length; `progress` hears the share that is done.

    The processor's clock counts all threads: set torch to one before.
    """
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    sizes = lengths or default_lengths(device)
    rows: list[tuple[float, float, float]] = []
    with torch.inference_mode():
        for number, length in enumerate(sizes):
            rows.append(_times(length, device))
            progress((number + 1) / len(sizes))
    explicit, fused, feed_forward = np.array(rows).T
    machine = torch.cuda.get_device_name() if device == "cuda" else _processor()
    return AttentionTimes(
        np.array(sizes, dtype=np.float64), explicit, fused, feed_forward, machine, device
    )


def _times(length: int, device: str) -> tuple[float, float, float]:
    """Explicit, fused, feed-forward, in seconds."""
    import torch
    from torch.nn.functional import relu, scaled_dot_product_attention

    draw = torch.Generator(device).manual_seed(0)
    shape = (3, 1, HEADS, length, D_MODEL // HEADS)
    queries, keys, values = torch.randn(shape, generator=draw, device=device)
    inputs = torch.randn(length, D_MODEL, generator=draw, device=device)
    inner = torch.randn(D_MODEL, 4 * D_MODEL, generator=draw, device=device)
    outer = torch.randn(4 * D_MODEL, D_MODEL, generator=draw, device=device)
    scale = (D_MODEL // HEADS) ** -0.5

    def explicit() -> None:
        for head in range(HEADS):
            scores = queries[0, head] @ keys[0, head].T * scale
            torch.matmul(scores.softmax(-1), values[0, head])

    def fused() -> None:
        scaled_dot_product_attention(queries, keys, values)

    def feed_forward() -> None:
        torch.matmul(relu(inputs @ inner), outer)

    return (_fastest(explicit, device), _fastest(fused, device), _fastest(feed_forward, device))


def _fastest(work: Callable[[], Any], device: str) -> float:
    import torch

    on_gpu = device == "cuda"
    wait, clock = (torch.cuda.synchronize, time.perf_counter) if on_gpu else (_nothing, CPU_CLOCK)
    work()  # the first run also reserves memory
    best, spent, runs = math.inf, 0.0, 0
    while runs < 2 or (spent < ENOUGH and runs < MOST_RUNS):
        wait()
        start = clock()
        work()
        wait()
        taken = clock() - start
        best, spent, runs = min(best, taken), spent + taken, runs + 1
    return best


def _nothing() -> None: ...


def _processor() -> str:
    """The processor's own name where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _say(message: object) -> None:
    sys.stdout.write(f"{json.dumps(message)}\n")
    sys.stdout.flush()


def _main() -> None:
    import torch

    torch.set_num_threads(1)
    times = measure(lambda share: _say({"share": share}))
    arrays: dict[str, object] = {name: getattr(times, name).tolist() for name in SERIES}
    _say(arrays | {"machine": times.machine, "device": times.device})


if __name__ == "__main__":
    _main()
