"""What tracing costs, and what the overview of all heads weighs.

    python -m tests.benchmarks.attention [rounds] [threads]

Forward passes of one text of 128 tokens, and of 512, interleaved in one process: bare (the model's
fast path), traced (every map's inputs, hidden states and outputs copied to a Trace), and
transformers' own way (`attn_implementation="eager"`, `output_attentions=True`, maps as NumPy).
A ratio is taken within a round; printed are the median of the rounds and their quartiles.
CPU time of the process stands beside wall time: other programs on the machine disturb it least.
"""

import copy
import itertools
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import torch
import transformers

import core
from core.capture.module_path import module_paths
from core.catalog import Family, ModelCard, Origin
from core.models.text.encoder import TextEncoder

N_TOKENS = 128
LENGTHS = (N_TOKENS, 512)
WORDS_OF_ONE_TOKEN = (
    "the",
    "animal",
    "did",
    "not",
    "cross",
    "a",
    "wide",
    "street",
    "because",
    "it",
)
WARM_UP = 3  # rounds that are not counted


def bert_base(tokenizer: Any) -> TextEncoder:
    """A random model of BERT-base's size."""
    torch.manual_seed(0)
    module = transformers.BertModel(transformers.BertConfig()).eval()
    card = ModelCard("bert-base", "BERT base", Family.TEXT_ENCODER, "", 12, 12, 768, 0, "", "",
                     Origin.DIRECTORY)  # fmt: skip
    return TextEncoder(card, module, tokenizer, module_paths(module))


def text_of(n_tokens: int) -> str:
    """A text of so many tokens: [CLS] and [SEP] come on top of its words."""
    return " ".join(itertools.islice(itertools.cycle(WORDS_OF_ONE_TOKEN), n_tokens - 2))


def ways(model: TextEncoder, n_tokens: int) -> dict[str, Callable[[], Any]]:
    """The three ways of running the same forward pass."""
    prepared = model.prepare(text_of(n_tokens))
    tensors = model.tensors([prepared])
    eager: Any = copy.deepcopy(model.module)
    eager.set_attn_implementation("eager")

    def bare() -> object:
        with torch.inference_mode():
            return model.module(**tensors)

    def traced() -> object:
        return model._trace_batch([prepared], [()])

    def transformers_own() -> object:
        with torch.inference_mode():
            output = eager(**tensors, output_attentions=True)
        return [attention[0].numpy().copy() for attention in output.attentions]

    return {"bare": bare, "traced": traced, "transformers' eager": transformers_own}


def interleaved(ways: dict[str, Callable[[], Any]], rounds: int) -> dict[str, list[float]]:
    """Seconds of every way in every round; with one thread of CPU, which others disturb least."""
    clock = 0 if torch.get_num_threads() == 1 else 1
    return {name: [one[clock] for one in times] for name, times in timed(ways, rounds).items()}


def timed(ways: dict[str, Callable[[], Any]], rounds: int) -> dict[str, list[tuple[float, float]]]:
    """(CPU, wall) seconds of every way in every round; the order rotates."""
    names = list(ways)
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for turn in range(-WARM_UP, rounds):
        for step in range(len(names)):
            name = names[(turn + step) % len(names)]
            cpu, wall = time.process_time(), time.perf_counter()
            kept = ways[name]()
            elapsed = time.process_time() - cpu, time.perf_counter() - wall
            del kept
            if turn >= 0:
                seconds[name].append(elapsed)
    return seconds


def report(title: str, model: TextEncoder, n_tokens: int, rounds: int) -> None:
    seconds = timed(ways(model, n_tokens), rounds)
    say(f"\n{title}, {n_tokens} tokens, {rounds} rounds, {torch.get_num_threads()} threads")
    for name, times in seconds.items():
        for clock, of in enumerate(("CPU", "wall")):
            pairs = zip(times, seconds["bare"], strict=True)
            low, middle, high = statistics.quantiles(
                [one[clock] / bare[clock] for one, bare in pairs], n=4
            )
            say(
                f"  {name:20} {of:4} {statistics.median(t[clock] for t in times) * 1e3:7.1f} ms   "
                f"÷ bare {middle:5.3f}   (quartiles {low:.3f} to {high:.3f})"
            )


def report_payload(model: TextEncoder) -> None:
    """The frame of a model of 12 × 12 heads: BertViz's page has 26.5 MB and 107 MB."""
    from app.components.head_grid import GridSettings, head_grid_frame
    from app.components.selection import Seed
    from core.explain.attention.head_overview import head_overview

    say("\nOverview of 12 × 12 heads, bytes that go to the browser")
    for n_tokens in (64, 128):
        trace = model.trace(text_of(n_tokens))
        overview = head_overview(
            [trace.attention(index).weights for index in range(trace.n_layers())],
            query_tokens=trace.tokens,
            key_tokens=trace.tokens,
        )
        frame = head_grid_frame(overview, GridSettings("All heads"), seed=Seed(((0, 0),)))
        say(f"  {len(trace.tokens)} tokens: {len(frame) / 1e6:.3f} MB, pool {overview.pool}")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    if len(sys.argv) > 2:
        torch.set_num_threads(int(sys.argv[2]))
    say(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} CPUs, torch {torch.__version__}")
    minilm: Any = core.load("minilm-l6", device="cpu")
    base = bert_base(minilm.tokenizer)
    for n_tokens in LENGTHS:
        report("MiniLM-L6", minilm, n_tokens, rounds)
        report("BERT-base size, random weights", base, n_tokens, rounds)
    report_payload(base)


if __name__ == "__main__":
    main()
