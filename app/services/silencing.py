"""What heads do for an answer: with some of them silent, and with each silenced in turn."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
from jaxtyping import Bool, Float32

from app.services import engine
from app.services.engine import ask, derived, mapped
from core.engine import Job, Lane
from core.explain.attention.ablation_sweep import AblationSweep, Variants, ablation_sweep
from core.explain.attention.head_confidence import head_confidence
from core.explain.predictions.token_distribution import TokenDistribution, token_distribution
from core.interventions import HeadFill, Intervention, SilenceHead
from core.long_work import Progress, Report
from core.outputs.families import Encoder, TextModel, Translator
from core.targets import Measured
from core.trace import AttentionKind, Trace

SLICE: Final = 16  # heads at a time: what others ask comes in between
ABANDONED: Final = 20.0  # seconds without anybody asking, after which a sweep ends

Answer = TypeVar("Answer")
Form = Callable[..., Answer]
Forms = tuple[Form[Answer], Form[Answer], Form[Answer]]  # a translator's, an encoder's, any text's


@dataclass(frozen=True, slots=True)
class Question:
    """One place at which a text model answers.

    edits: other tokens in the text, (position, id). said: a translator's target, as ids.
    """

    model_id: str
    text: str
    position: int
    pair: str | None = None
    edits: tuple[tuple[int, int], ...] = ()
    said: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Heads:
    """Of one kind of attention: `layers` times `each`."""

    kind: AttentionKind
    layers: int
    each: int


def put(question: Question, forms: Forms[Answer], *args: object, **more: object) -> Future[Answer]:
    """What the question's model is asked beside its text. The future raises InputError."""
    of_translator, of_encoder, of_text = forms
    given = question.model_id, question.text, *args
    if question.said is not None:
        return ask(of_translator, *given, prefix=question.said, edits=question.edits, **more)
    if question.pair is not None:
        return ask(of_encoder, *given, pair=question.pair, edits=question.edits, **more)
    return ask(of_text, *given, edits=question.edits, **more)


def predictions(
    question: Question, changes: Sequence[Intervention]
) -> Future[tuple[TokenDistribution, TokenDistribution]]:
    """The answer without changes and with them. The future raises InputError."""
    forms = Translator.logits_at, Encoder.logits_at, TextModel.logits_at
    found = put(question, forms, ((), tuple(changes)), question.position)
    return mapped(found, lambda rows: (token_distribution(rows[0]), token_distribution(rows[1])))


def sweep(
    question: Question, heads: Heads, fill: HeadFill, quantity: Measured
) -> Job[AblationSweep]:
    """Every head of a kind silenced alone, on its way. Raises what the model raises."""

    def work(report: Report) -> AblationSweep:
        def measure(variants: Variants) -> Float32[np.ndarray, " variant"]:
            return in_slices(question, variants, quantity, report, "heads")

        return ablation_sweep(measure, heads.layers, heads.each, kind=heads.kind, fill=fill)

    key = ("head sweep", question, heads, fill, quantity)
    return engine.start(key, work, Lane.MEASUREMENTS, patience=ABANDONED)


def slice_seconds(question: Question, heads: Heads, quantity: Measured) -> Job[float]:
    """How long one slice of silenced heads takes on this machine, once the model is open."""
    places = [(layer, head) for layer in range(heads.layers) for head in range(heads.each)]
    variants = tuple((SilenceHead(*place, heads.kind),) for place in places[:SLICE])

    def work(report: Report) -> float:
        report(Progress("opening the model", 0, 1))
        measured(question, ((),), quantity).result()
        report(Progress("timing it", 0, 1))
        began = time.perf_counter()
        measured(question, variants, quantity).result()
        return (time.perf_counter() - began) * SLICE / len(variants)

    key = ("seconds of a slice", question, heads, quantity)
    return engine.start(key, work, Lane.MEASUREMENTS, patience=ABANDONED)


def confidence(
    question: Question, trace: Trace, kind: AttentionKind, left_out: Bool[np.ndarray, " key"]
) -> Float32[np.ndarray, "layer head"] | None:
    """How sure of a place each head is in the question's trace; None where no key is left."""
    if left_out.all():
        return None

    def compute() -> np.ndarray:
        return head_confidence((layer.weights for layer in trace.layers[kind]), left_out=left_out)

    return derived(("confidence", question, kind, left_out.tobytes()), compute)


def in_slices(
    question: Question, variants: Variants, quantity: Measured, report: Report, what: str
) -> Float32[np.ndarray, " variant"]:
    """A model's `measure`, a few variants at a time. what: the progress counts."""
    found: list[np.ndarray] = []
    for start in range(0, len(variants), SLICE):
        report(Progress(what, start, len(variants)))
        part = tuple(tuple(one) for one in variants[start : start + SLICE])
        found.append(measured(question, part, quantity).result())
    return np.concatenate(found)


def measured(
    question: Question, variants: tuple[tuple[Intervention, ...], ...], quantity: Measured
) -> Future[Float32[np.ndarray, " variant"]]:
    """A number of the answer under each of many changes. The future raises InputError."""
    forms = Translator.measure, Encoder.measure, TextModel.measure
    return put(question, forms, variants, quantity)
