"""What it costs to silence every head, to name heads on a text, and to compare them.

    python -m tests.benchmarks.heads [rounds] [threads]

bert-mini's sentence with every head silenced in turn: in batches, and one forward after another,
interleaved in one process; a ratio is taken within a round. Then a random model of BERT-base's
144 heads on 128 tokens: how much of each head's weight lies on every role's places, and how far
every two heads are apart. Targets: single ÷ batched ≥ 4; the roles of 144 heads ≤ 150 ms.
"""

import os
import statistics
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

import core
from core.explain.attention.ablation_sweep import ablation_sweep
from core.explain.attention.head_distances import head_distances
from core.explain.attention.head_roles import role_masses
from core.targets import LogitTarget
from tests.benchmarks.attention import N_TOKENS, bert_base, interleaved, text_of
from tests.benchmarks.rollout import report, say

SENTENCE = "The capital of France is [MASK]."


def sweeps() -> dict[str, Callable[[], Any]]:
    """48 heads and the untouched sentence."""
    model = core.load("bert-mini", device="cpu")
    mask = model.trace(SENTENCE).encoding.tokens.index("[MASK]")
    answer = LogitTarget(mask, model.vocabulary().index("paris"))
    layers, heads = model.card.layers, model.card.heads
    return {
        "in batches": lambda: ablation_sweep(
            lambda variants: model.measure(SENTENCE, variants, answer), layers, heads
        ),
        "one by one": lambda: ablation_sweep(
            lambda variants: np.concatenate(
                [model.measure(SENTENCE, [one], answer) for one in variants]
            ),
            layers,
            heads,
        ),
    }


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    if len(sys.argv) > 2:
        torch.set_num_threads(int(sys.argv[2]))
    say(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} CPUs, torch {torch.__version__}")
    report("bert-mini, every head", interleaved(sweeps(), rounds), "in batches")
    minilm: Any = core.load("minilm-l6", device="cpu")
    trace = bert_base(minilm.tokenizer).trace(text_of(N_TOKENS))
    (layers,) = trace.layers.values()
    named = interleaved(
        {"roles": lambda: role_masses(trace), "distances": lambda: head_distances(layers)}, rounds
    )
    for name, times in named.items():
        say(f"{name} of 144 heads, 128 tokens: {statistics.median(times) * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
