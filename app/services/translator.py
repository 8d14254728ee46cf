"""The Transformer page's door: what translators answer, and what follows from it.

Everything is asked of the one engine, so that equal questions are computed once for all readers.
"""

from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Float32

from app.services import engine, models
from app.services.engine import ask, derived
from core.catalog import Family
from core.engine import Request
from core.explain.attention.head_circuits import HeadCircuits
from core.explain.attention.head_means import one_or_mean
from core.explain.attention.multi_head import MultiHead, multi_head
from core.outputs.decoding import Decoding, Erasure, Machine
from core.outputs.families import Translator
from core.outputs.translation import Translation
from core.trace import AttentionKind, Trace
from core.trace.residual_stream import Part

EMBEDDED: Final = "transformer-en-de"


@dataclass(frozen=True, slots=True)
class Asked:
    """A text to translate; the target is the reader's, or decoded greedily after `prefix`."""

    model_id: str
    text: str
    target: str | None = None
    prefix: tuple[int, ...] = ()
    smoothing: float = 0.1


@dataclass(frozen=True, slots=True)
class SearchChoice:
    """How the reader wants the search; a margin of None is off."""

    beams: int
    length_penalty: float
    normalisation: str
    word_margin: float | None = None
    hypothesis_margin: float | None = None


def default_model() -> str:
    """The embedded translator if it is on board, else the first at hand, else the first of all."""
    return models.default(Family.TRANSLATOR, EMBEDDED)


def decode(asked: Asked) -> Future[Decoding]:
    """The target position by position. The future raises InputError."""
    return ask(
        Translator.decode,
        asked.model_id,
        asked.text,
        target=asked.target,
        prefix=asked.prefix,
        smoothing=asked.smoothing,
    )


def machine(asked: Asked) -> Future[Machine]:
    """The same, with what every part of the network computed. The future raises InputError."""
    return engine.submit(_machine_request(asked))


def vocabulary(model_id: str) -> Future[tuple[str, ...]]:
    """Every token by its id."""
    return ask(Translator.vocabulary, model_id)


def circuits(
    asked: Asked, kind: AttentionKind, layer: int, head: int, words: str | None
) -> Future[HeadCircuits]:
    """A decoder head's circuits on the words' tokens, or on the translation's. As `erasure`."""
    return ask(Translator.circuits, asked.model_id, asked.text, layer, head, kind=kind, words=words)


def erasure(asked: Asked) -> Future[Erasure]:
    """What hiding each source token does. The future raises InputError."""
    return ask(
        Translator.erasure, asked.model_id, asked.text, target=asked.target, prefix=asked.prefix
    )


def translate(model_id: str, text: str, search: SearchChoice) -> Future[Translation]:
    """A beam search with all its hypotheses. The future raises InputError."""
    return ask(
        Translator.translate,
        model_id,
        text,
        beams=search.beams,
        length_penalty=search.length_penalty,
        normalisation=search.normalisation,
        word_margin=search.word_margin,
        hypothesis_margin=search.hypothesis_margin,
    )


def maps(trace: Trace, kind: AttentionKind, layer: int, head: int) -> Float32[np.ndarray, "q k"]:
    """One head's weights; head −1: the mean of a layer's, layer −1 with it: of all layers'."""
    chosen = trace.layers[kind] if layer < 0 else (trace.attention(layer, kind=kind),)
    return np.stack([one_or_mean(each.weights, head) for each in chosen]).mean(axis=0)


def worked_head(
    asked: Asked, built: Machine, kind: AttentionKind, layer: int, head: int
) -> MultiHead:
    """Multi-head attention of one layer from its input, W by W. Raises InputError."""

    def compute() -> MultiHead:
        trace = built.decoding.trace
        attention = trace.attention(layer, kind=kind)
        futures = [
            ask(Translator.head_projections, asked.model_id, layer, each, kind=kind)
            for each in range(attention.n_heads)
        ]
        stack = AttentionKind.ENCODER if kind == AttentionKind.ENCODER else AttentionKind.DECODER
        part = Part.CROSS if kind == AttentionKind.CROSS else Part.ATTENTION
        sublayer = trace.block(layer, stack).sublayer(part)
        memory = trace.hidden_states(AttentionKind.ENCODER)[-1]
        matrices = [future.result() for future in futures]
        return multi_head(
            sublayer.read,
            memory if kind == AttentionKind.CROSS else sublayer.read,
            attention,
            head=head,
            matrices=matrices[head],
            outputs=np.stack([one.output for one in matrices]),
            output_bias=matrices[0].output_bias,
            models_own=sublayer.output,
        )

    key = ("worked-head", _machine_request(asked), kind, layer, head)
    return derived(key, compute)


def _machine_request(asked: Asked) -> Request[Machine]:
    return Request.of(
        Translator.machine, asked.model_id, asked.text, target=asked.target, prefix=asked.prefix
    )
