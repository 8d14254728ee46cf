"""The Transformer page's door: what translators answer, and what follows from it.

Everything is asked of the one engine, so that equal questions are computed once for all readers.
"""

from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from jaxtyping import Float32

from app.services import engine
from core.catalog import Family
from core.engine import Request
from core.explain.attention.head_means import one_or_mean
from core.explain.attention.multi_head import MultiHead, multi_head
from core.models.translation.beam_search import Fate, Normalisation
from core.models.translation.embeddings import InputSum, Positions, TranslatorProfile
from core.models.translation.results import (
    LARGEST_PENALTY,
    MOST_BEAMS,
    Decoding,
    Erasure,
    Machine,
    Translation,
)
from core.trace import AttentionKind, Trace
from core.trace.residual_stream import Block, Part, Sublayer

__all__ = [
    "FAMILIES",
    "LARGEST_PENALTY",
    "MOST_BEAMS",
    "Asked",
    "Block",
    "Decoding",
    "Erasure",
    "Fate",
    "InputSum",
    "Machine",
    "Normalisation",
    "Part",
    "Positions",
    "SearchChoice",
    "Sublayer",
    "Translation",
    "TranslatorProfile",
    "decode",
    "default_model",
    "erasure",
    "machine",
    "maps",
    "translate",
    "worked_head",
]
FAMILIES: Final = (Family.TRANSLATOR,)
EMBEDDED: Final = "transformer-en-de"


@dataclass(frozen=True, slots=True)
class Asked:
    """A text to translate; the target is the reader's, or decoded greedily after `prefix`."""

    model_id: str
    text: str
    target: str | None = None
    prefix: tuple[int, ...] = ()
    smoothing: float = 0.1

    @property
    def given(self) -> dict[str, Any]:
        """The arguments that name the target."""
        if self.target is not None:
            return {"text": self.text, "target": self.target}
        return {"text": self.text} | ({"prefix": self.prefix} if self.prefix else {})


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
    translators = [card for card in engine.text_models().cards if card.family in FAMILIES]
    at_hand = [card.id for card in translators if not engine.needs_network(card)]
    if EMBEDDED in at_hand:
        return EMBEDDED
    return (at_hand or [card.id for card in translators] or [EMBEDDED])[0]


def decode(asked: Asked) -> Future[Decoding]:
    """The target position by position. The future raises InputError."""
    arguments = asked.given | {"smoothing": asked.smoothing}
    return engine.engine().submit(Request(asked.model_id, "decode", arguments))


def machine(asked: Asked) -> Future[Machine]:
    """The same, with what every part of the network computed. The future raises InputError."""
    return engine.engine().submit(_machine_request(asked))


def erasure(asked: Asked) -> Future[Erasure]:
    """What hiding each source token does. The future raises InputError."""
    return engine.engine().submit(Request(asked.model_id, "erasure", asked.given))


def translate(model_id: str, text: str, search: SearchChoice) -> Future[Translation]:
    """A beam search with all its hypotheses. The future raises InputError."""
    names = ("beams", "length_penalty", "normalisation", "word_margin", "hypothesis_margin")
    given = {name: getattr(search, name) for name in names}
    arguments = {"text": text} | {n: value for n, value in given.items() if value is not None}
    return engine.engine().submit(Request(model_id, "translate", arguments))


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
            engine.engine().submit(
                Request(
                    asked.model_id,
                    "head_projections",
                    {"layer": layer, "head": each, "kind": kind},
                )
            )
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
    return engine.engine().derived(key, compute)


def _machine_request(asked: Asked) -> Request:
    return Request(asked.model_id, "machine", replace(asked, smoothing=0.1).given)
