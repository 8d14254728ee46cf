"""One decoding step of a translator, greedy and with four beams, and what a page view asks for.

Run by hand: `.venv/bin/python -m tests.benchmarks.translating [model]`
CPU time of the process, so that other work on the machine does not count; compared with
transformers' `generate` on the same text with the same number of beams. Target: 100 ms a step.
"""

import sys
import time
from collections.abc import Callable

import torch

import core

TEXT = "I know that you have read the book because you have told me about it yesterday."
ROUNDS = 5


def cpu_milliseconds(work: Callable[[], object]) -> float:
    """The least of several rounds."""
    work()
    times: list[float] = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(1000 * (time.process_time() - start))
    return min(times)


def main() -> None:
    torch.set_num_threads(1)
    model = core.load(sys.argv[1] if len(sys.argv) > 1 else "transformer-en-de")
    for beams in (1, 4):
        found = model.translate(TEXT, beams=beams)
        ids, limit = torch.tensor(found.source.ids)[None], found.settings.limit

        def own(beams: int = beams) -> object:
            return model.translate(TEXT, beams=beams)

        def generate(beams: int = beams, ids: torch.Tensor = ids, limit: int = limit) -> object:
            return model.module.generate(
                input_ids=ids, num_beams=beams, max_new_tokens=limit, max_length=None
            )

        steps = len(found.steps)
        each = [cpu_milliseconds(work) / steps for work in (own, generate)]
        sys.stdout.write(
            f"{beams} beams, {steps} steps: {each[0]:.2f} ms a step; generate {each[1]:.2f} ms\n"
        )
    for name in ("decode", "machine", "erasure"):
        took = cpu_milliseconds(lambda name=name: getattr(model, name)(TEXT))
        sys.stdout.write(f"{name}: {took:.0f} ms for the whole sentence\n")


if __name__ == "__main__":
    main()
