"""What heads do for an answer: with some of them silent, and with each silenced in turn."""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Bool, Float32

from app.services import engine
from app.services.engine import TextTrace, ask, derived, mapped
from core.catalog import ModelCard
from core.engine import Job, Lane
from core.explain.attention.ablation_sweep import AblationSweep, Variants, ablation_sweep
from core.explain.attention.head_confidence import head_confidence
from core.explain.predictions.token_distribution import TokenDistribution, token_distribution
from core.interventions import HeadFill, Intervention
from core.outputs.families import Encoder, TextModel
from core.progress import Progress, Report
from core.targets import Measured
from core.trace import AttentionKind

SLICE: Final = 16  # heads at a time: what others ask comes in between
ABANDONED: Final = 20.0  # seconds without anybody asking, after which a sweep ends


@dataclass(frozen=True, slots=True)
class Question:
    """One place at which a text model answers. edits: other tokens there, (position, id)."""

    model_id: str
    text: str
    position: int
    pair: str | None = None
    edits: tuple[tuple[int, int], ...] = ()


def predictions(
    question: Question, changes: Sequence[Intervention]
) -> Future[tuple[TokenDistribution, TokenDistribution]]:
    """The answer without changes and with them. The future raises InputError."""
    variants = ((), tuple(changes))
    if question.pair is None:
        found = ask(
            TextModel.logits_at,
            question.model_id,
            question.text,
            variants,
            question.position,
            edits=question.edits,
        )
    else:
        found = ask(
            Encoder.logits_at,
            question.model_id,
            question.text,
            variants,
            question.position,
            pair=question.pair,
            edits=question.edits,
        )
    return mapped(found, lambda rows: (token_distribution(rows[0]), token_distribution(rows[1])))


def sweep(
    question: Question, card: ModelCard, fill: HeadFill, quantity: Measured
) -> Job[AblationSweep]:
    """Every head silenced alone, on its way. Raises what the model raises."""

    def work(report: Report) -> AblationSweep:
        def measure(variants: Variants) -> Float32[np.ndarray, " variant"]:
            found: list[np.ndarray] = []
            for start in range(0, len(variants), SLICE):
                report(Progress("heads", start, len(variants)))
                part = tuple(tuple(one) for one in variants[start : start + SLICE])
                found.append(_measured(question, part, quantity).result())
            return np.concatenate(found)

        return ablation_sweep(measure, card.layers, card.heads, fill=fill)

    key = ("head sweep", question, fill, quantity)
    return engine.start(key, work, Lane.MEASUREMENTS, patience=ABANDONED)


def confidence(
    traced: TextTrace, kind: AttentionKind, left_out: Bool[np.ndarray, " key"]
) -> Float32[np.ndarray, "layer head"] | None:
    """How sure of a place each head is; None where no key is left to look at."""
    if left_out.all():
        return None

    def compute() -> np.ndarray:
        layers = range(traced.trace.n_layers(kind))
        maps = (engine.weights(traced, kind, layer) for layer in layers)
        return head_confidence(maps, left_out=left_out)

    return derived(("confidence", traced.request, kind, left_out.tobytes()), compute)


def _measured(
    question: Question, variants: tuple[tuple[Intervention, ...], ...], quantity: Measured
) -> Future[Float32[np.ndarray, " variant"]]:
    if question.pair is None:
        return ask(
            TextModel.measure,
            question.model_id,
            question.text,
            variants,
            quantity,
            edits=question.edits,
        )
    return ask(
        Encoder.measure,
        question.model_id,
        question.text,
        variants,
        quantity,
        pair=question.pair,
        edits=question.edits,
    )
