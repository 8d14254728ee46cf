"""How fast BPE trains, steps back and jumps, against `tokenizers` and a naive trainer.

    python tests/benchmarks/bpe_training.py TEXT_FILE [--repeats 5] [--cpu]

By hand only. The file may be .xz; its first 5 MB count. First the gate: the merges must equal
those of `tokenizers` and, for the first few, of a trainer that counts everything again. Then
the contenders take turns. `tokenizers` runs on one thread and records no events, so this is
"same merges", not "same work". The naive trainer is timed on single merges, early and late;
its late merges, the cheapest ones, times the number of merges is a lower bound for its whole. On a
machine that is shared, --cpu takes the process's own time instead of the clock's.
"""
# ruff: noqa: T201

import os

os.environ["RAYON_NUM_THREADS"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"

import argparse
import json
import lzma
import platform
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import tokenizers
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from core.tokenization import bpe
from core.tokenization.pre_tokenizers import GPT2

N_BYTES = 5_000_000
N_MERGES = 4_000
N_JUMPS = 400


def read_text(path: Path) -> str:
    with lzma.open(path) if path.suffix == ".xz" else path.open("rb") as file:
        return file.read(N_BYTES).decode("utf-8", errors="ignore")


def theirs(text: str, n_merges: int = N_MERGES) -> list[tuple[str, str]]:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=256 + n_merges,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator([text], trainer)
    merges = json.loads(tokenizer.to_str())["model"]["merges"]
    return [tuple(rule.split(" ")) if isinstance(rule, str) else tuple(rule) for rule in merges]


def ours(text: str, rule: str = "smallest-ids") -> bpe.BPETraining:
    return bpe.train(text, N_MERGES, rule, byte_level=True)


def naive_merge(words: list[tuple[str, ...]], counts: list[int]) -> tuple[str, str]:
    """One merge of a trainer that counts everything again (first-seen ties), in place."""
    stats: dict[tuple[str, str], int] = {}
    for word, count in zip(words, counts, strict=True):
        for pair in pairwise(word):
            stats[pair] = stats.get(pair, 0) + count
    best = max(stats, key=stats.__getitem__)
    for number, word in enumerate(words):
        merged: list[str] = []
        i = 0
        while i < len(word):
            if i + 1 < len(word) and (word[i], word[i + 1]) == best:
                merged.append(word[i] + word[i + 1])
                i += 2
            else:
                merged.append(word[i])
                i += 1
        words[number] = tuple(merged)
    return best


def timed(run: Callable[[], object]) -> float:
    clock = time.process_time if "--cpu" in sys.argv else time.perf_counter
    start = clock()
    run()
    return clock() - start


def gate(text: str) -> bpe.BPETraining:
    training = ours(text)
    reference = theirs(text)
    if list(training.merges) != reference:
        both = enumerate(zip(training.merges, reference, strict=False))
        sys.exit(f"different from tokenizers at {next(x for x in both if x[1][0] != x[1][1])}")
    first_seen = ours(text, "first-seen")
    words = [
        word.tokens
        for word in map(first_seen.state_at(0).word, range(len(first_seen.corpus.words)))
    ]
    counts = list(first_seen.corpus.counts)
    for step in first_seen.steps[:5]:
        if naive_merge(words, counts) != step.pair:
            sys.exit(f"different from the naive trainer at merge {step.rank}")
    print(f"gate: {len(reference)} merges equal tokenizers', 5 equal the naive trainer's")
    return first_seen


def report(name: str, seconds: list[float]) -> float:
    median = statistics.median(seconds)
    print(f"{name:44} median {median:8.3f} s   range {min(seconds):.3f} … {max(seconds):.3f}")
    return median


def naive_times(training: bpe.BPETraining, text: str) -> None:
    total = statistics.median([timed(lambda: ours(text, "first-seen")) for _ in range(3)])
    counts = list(training.corpus.counts)
    places = {word: i for i, word in enumerate(training.corpus.words)}
    running = [places[word] for word in GPT2.words(text)]
    for step in (0, 1000, N_MERGES - 1):
        state = training.state_at(step)
        words = [state.word(index).tokens for index in range(len(counts))]
        spread = [words[place] for place in running]
        distinct = timed(lambda words=words: naive_merge(words, counts))
        every = timed(lambda spread=spread: naive_merge(spread, [1] * len(spread)))
        print(
            f"naive, merge {step + 1:4}: {every:6.3f} s on running text, {distinct:6.3f} s on "
            f"distinct words; × {N_MERGES} = {every * N_MERGES / total:,.0f} and "
            f"{distinct * N_MERGES / total:,.0f} times ours ({total:.2f} s)"
        )


def jumps(training: bpe.BPETraining, name: str) -> None:
    random = np.random.default_rng(0)
    last = len(training.steps)
    kinds = {
        "jump": random.integers(0, last + 1, N_JUMPS).tolist(),
        "step forward": list(range(1500, 1500 + N_JUMPS)),
        "step back": list(range(3900, 3900 - N_JUMPS, -1)),
        "first steps": list(range(N_JUMPS)),
    }

    def look(step: int) -> None:
        state = training.state_at(step)
        state.pairs(20)
        state.words(50)

    for kind, steps in kinds.items():
        times = np.asarray([timed(lambda step=step: look(step)) for step in steps]) * 1e3
        p50, p95, worst = np.percentile(times, [50, 95, 100])
        print(f"{name:16} {kind:13} p50 {p50:5.2f}  p95 {p95:5.2f}  max {worst:5.2f} ms")
    for kind, run in {
        "decision": lambda step: bpe.decision(training, step),
        "words touched": lambda step: bpe.words_touched(training, step, 20),
        "pair changes": lambda step: bpe.pair_changes(training, step, 20),
    }.items():
        steps = random.integers(0, last, N_JUMPS // 4).tolist()
        times = np.asarray([timed(lambda run=run, step=step: run(step)) for step in steps]) * 1e3
        p50, p95, worst = np.percentile(times, [50, 95, 100])
        print(f"{name:16} {kind:13} p50 {p50:5.2f}  p95 {p95:5.2f}  max {worst:5.2f} ms")


def memory(text: str) -> None:
    tracemalloc.start()
    training = ours(text)
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(
        f"memory: event log {training.memory() / 1e6:.1f} MB ({training.memory() / N_MERGES:,.0f} "
        f"bytes a merge), training held {held / 1e6:.1f} MB, peak {peak / 1e6:.1f} MB"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("text", type=Path)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--cpu", action="store_true")
    arguments = parser.parse_args()
    text = read_text(arguments.text)
    print(
        f"{platform.processor() or platform.machine()}, {os.cpu_count()} CPUs, Python "
        f"{platform.python_version()}, numpy {np.__version__}, tokenizers {tokenizers.__version__}"
    )
    print(f"{len(text.encode()):,} bytes of {arguments.text.name}, {N_MERGES} merges")
    first_seen = gate(text)
    rules = ("smallest-ids", "first-seen", "greatest-strings")
    times: dict[str, list[float]] = {}
    for _ in range(arguments.repeats):
        times.setdefault("tokenizers, one thread", []).append(timed(lambda: theirs(text)))
        for rule in rules:
            run = timed(lambda rule=rule: ours(text, rule))
            times.setdefault(f"ours, {rule}, all steps kept", []).append(run)
        times.setdefault("tokenizers, counting words alone", []).append(
            timed(lambda: theirs(text, 0))
        )
        times.setdefault("ours, counting words alone", []).append(
            timed(lambda: bpe.train(text, 0, byte_level=True))
        )
    medians = {name: report(name, seconds) for name, seconds in times.items()}
    reference = medians["tokenizers, one thread"]
    for rule in rules:
        ratio = medians[f"ours, {rule}, all steps kept"] / reference
        print(f"ours / tokenizers, {rule}: {ratio:.2f}")
    jumps(first_seen, "first-seen")
    jumps(ours(text), "smallest-ids")
    naive_times(first_seen, text)
    memory(text)
    for name, hard in (("a × 5,000,000", "a" * N_BYTES), ("DNA × 1,000,000", dna(1_000_000))):
        seconds = timed(lambda hard=hard: bpe.train(hard, 1000, end_of_word=None))
        print(f"{name}: up to 1000 merges of one word in {seconds:.2f} s")


def dna(size: int) -> str:
    return "".join(np.random.default_rng(0).choice(list("ACGT"), size))


if __name__ == "__main__":
    main()
