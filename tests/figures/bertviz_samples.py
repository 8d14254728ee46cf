"""Attention that BertViz's three views are drawn from, with numbers that a test can know."""

import numpy as np

import core
from app.components import bertviz
from app.components.bertviz import KindMaps
from tests.figures.strange_texts import HOSTILE

TOKENS = ("[CLS]", "the", "cat", HOSTILE, "[SEP]")
N = len(TOKENS)
VIEWS = {
    "head": bertviz.head_view_page,
    "model": bertviz.model_view_page,
    "neuron": bertviz.neuron_view_page,
}


def random_maps(kind: str, n_layers: int, shape: tuple[int, int], n_heads: int = 12) -> KindMaps:
    rng = np.random.default_rng(0)
    queries = [rng.normal(size=(n_heads, shape[0], 4)).astype(np.float32) for _ in range(n_layers)]
    keys = [rng.normal(size=(n_heads, shape[1], 4)).astype(np.float32) for _ in range(n_layers)]
    scores = [q @ k.swapaxes(1, 2) * np.float32(0.25) for q, k in zip(queries, keys, strict=True)]
    return KindMaps(
        kind=kind,
        query_tokens=[f"q{i}" for i in range(shape[0])],
        key_tokens=[f"k{i}" for i in range(shape[1])],
        weights=[core.trace.softmax(score) for score in scores],
        queries=queries,
        keys=keys,
        scales=[0.25] * n_layers,  # not 1/√d_head, which would be 0.5
        causal=kind == "decoder",
    )


def maps_of_sentence(n_layers: int = 2, n_heads: int = 12) -> KindMaps:
    made = random_maps("encoder", n_layers, (N, N), n_heads)
    return KindMaps("encoder", TOKENS, TOKENS, made.weights, made.queries, made.keys, made.scales)


def two_stacks() -> list[KindMaps]:
    return [
        random_maps("encoder", 2, (5, 5), 4),
        random_maps("decoder", 3, (3, 3), 4),
        random_maps("cross", 3, (3, 5), 4),
    ]


def make(view: str, kinds: list[KindMaps], *, dark: bool = False, pair: int | None = None):
    return VIEWS[view](kinds, dark=dark, sentence_b_start=pair)
