"""The building blocks' door to the core: what is drawn from random numbers, and what from models.

Everything is computed once for all readers and kept by the engine's cache. Nothing here imports
torch: what needs it is imported when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from jaxtyping import Float32, Float64

from app.services import engine, models
from app.services.engine import ask, derived
from app.services.vision import Picture
from core.blocks import (
    attention_scores,
    iterated_attention,
    qk_circuit,
    softmax_saturation,
)
from core.catalog.checkpoints import card_sheet
from core.catalog.directory_card import kept_json
from core.engine import Request
from core.outputs.families import TextModel, VisionModel
from core.outputs.fine_tuning import CheapChange, WeightUpdate
from core.outputs.projections import HeadProjections
from core.trace import Trace

if TYPE_CHECKING:
    from core.blocks.pre_post_norm import GradientDepth

CHEAP_ACCURACIES: Final = Path(__file__).parents[2] / "assets" / "cheap_tuning.json"
WIDTHS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)  # d_k
QUERIES = 200  # random queries of it


def dot_products(n_keys: int, seed: int) -> softmax_saturation.DotProducts:
    """Random dot products of WIDTHS."""
    return derived(
        ("dot-products", n_keys, seed),
        lambda: softmax_saturation.random_dot_products(
            WIDTHS, n_queries=QUERIES, n_keys=n_keys, seed=seed
        ),
    )


def saturations(
    n_keys: int, seed: int
) -> tuple[list[softmax_saturation.Saturation], list[softmax_saturation.Saturation]]:
    """Of `dot_products`, bare and divided by √d_k, for every one of WIDTHS."""
    drawn = dot_products(n_keys, seed)
    return derived(
        ("saturations", n_keys, seed),
        lambda: (
            [softmax_saturation.saturation(dots) for dots in drawn.dots],
            [softmax_saturation.saturation(drawn.scaled(width)) for width in drawn.widths],
        ),
    )


def largest_weights(n_keys: int, hidden: int, seed: int) -> Float64[np.ndarray, "width 3"]:
    """Of q · k, q · k / √d_k and the additive score, for every one of WIDTHS."""
    return derived(
        ("largest-weights", n_keys, hidden, seed),
        lambda: np.array(
            [
                attention_scores.largest_weights(width, n_keys=n_keys, hidden=hidden, seed=seed)
                for width in WIDTHS
            ]
        ),
    )


def run(
    arrangement: str, n_points: int, temperature: float, *, seed: int
) -> iterated_attention.Run:
    """Self-attention iterated on points of the plane."""
    return derived(
        ("iterated", arrangement, n_points, temperature, seed),
        lambda: iterated_attention.iterate(
            iterated_attention.start(arrangement, n_points=n_points, seed=seed),
            temperature=temperature,
            steps=iterated_attention.STEPS,
        ),
    )


def projections(model_id: str, layer: int, head: int) -> Future[HeadProjections]:
    """A head's matrices; the future raises InputError and ModelUnavailableError."""
    return ask(TextModel.head_projections, model_id, layer, head)


def metric(model_id: str, place: tuple[int, int], found: HeadProjections) -> qk_circuit.HeadMetric:
    """M = W^Q (W^K)ᵀ of one head and its spectrum."""
    return derived(
        ("metric", model_id, place), lambda: qk_circuit.head_metric(found.query, found.key)
    )


def symmetric_shares(model_id: str, layers: int, heads: int) -> Float64[np.ndarray, "layer head"]:
    """How symmetric every head's M is. Raises InputError as `projections` does."""

    def compute() -> np.ndarray:
        futures = [[projections(model_id, i, j) for j in range(heads)] for i in range(layers)]
        found = [[future.result() for future in row] for row in futures]
        return np.array([[qk_circuit.symmetric_share(p.query, p.key) for p in r] for r in found])

    return derived(("symmetric-shares", model_id), compute)


def block_trace(model_id: str, text: str) -> tuple[Request[Trace], Future[Trace]]:
    """A forward pass that keeps every sublayer's input and output."""
    request = Request.of(TextModel.trace, model_id, text, blocks=True)
    return request, engine.submit(request)


def gradient_depth(placement: str, layers: int, seed: int) -> GradientDepth:
    """Gradient norms by layer of an untrained stack."""

    def compute() -> GradientDepth:
        from core.blocks.pre_post_norm import gradient_depth as measure

        return measure(placement, layers=layers, seed=seed)

    return derived(("gradient-depth", placement, layers, seed), compute)


def weight_updates(model_id: str) -> Future[dict[str, WeightUpdate]]:
    """What fine-tuning did to every matrix; the future raises InputError."""
    return ask(VisionModel.weight_updates, model_id)


def cheap_probabilities(
    model_id: str, picture: Picture, changes: tuple[CheapChange, ...]
) -> Future[Float32[np.ndarray, "change class"]]:
    """A picture's class probabilities under each change."""
    return ask(VisionModel.cheap_probabilities, model_id, picture, changes)


@dataclass(frozen=True, slots=True)
class CheapAccuracies:
    """Top-1 accuracy of the tuned model under changes of its weights, and how it was measured."""

    model: str
    date: str
    command: str
    pictures: int
    full: float  # every weight as it was tuned
    low_rank: Mapping[int, float]  # by the rank of every update
    int8: Mapping[int, float]  # by the block size; 0: the whole matrix is one block


def cheap_accuracies() -> CheapAccuracies | None:
    """What tests/benchmarks/cheap_tuning.py measured of the model on board; None without it."""
    card = models.fine_tuned()
    if card is None or not CHEAP_ACCURACIES.exists():
        return None
    measured = kept_json(CHEAP_ACCURACIES)
    if measured["steps"] != card_sheet(card)["steps"] or measured["model"] != card.id:
        return None
    return CheapAccuracies(
        measured["model"],
        measured["date"],
        measured["command"],
        measured["pictures"],
        measured["full"],
        {int(rank): share for rank, share in measured["low_rank"].items()},
        {int(size): share for size, share in measured["int8"].items()},
    )
