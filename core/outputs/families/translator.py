"""What encoder–decoder models can be asked."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from jaxtyping import Float32

from core.explain.attention.head_circuits import HeadCircuits
from core.explain.attribution.logit_attribution import LogitAttribution
from core.explain.attribution.neuron_writes import NeuronWrites, Strength
from core.interventions import Intervention
from core.outputs.decoding import Decoding, Erasure, Machine
from core.outputs.families.text import Edits, TextModel
from core.outputs.translation import Translation
from core.positions.equivariance import Equivariance
from core.targets import LogitContrast, Measured, Target
from core.trace import AttentionKind, Trace


class Translator(TextModel, Protocol):
    """The Transformer of Vaswani et al. 2017, BART, T5: a source, and a target given or decoded."""

    def trace(
        self,
        text: str,
        *,
        target: str | None = None,
        interventions: Sequence[Intervention] = (),
        blocks: bool = False,
        gradient_of: Target | None = None,
    ) -> Trace:
        """One forward pass, with every attention map; without a target it is decoded greedily.

        blocks: keep every sublayer's output and norm, too (`Trace.block`).
        gradient_of: keep each layer's gradients of this logit with respect to its weights, too.
        """
        ...

    def measure(
        self,
        text: str,
        variants: Sequence[Sequence[Intervention]],
        quantity: Measured,
        *,
        target: str | None = None,
        prefix: tuple[int, ...] = (),
        edits: Edits = (),
    ) -> Float32[np.ndarray, " variant"]:
        """A target token's probability, or its logit, under each of many changes."""
        ...

    def direct_logits(
        self,
        text: str,
        quantity: LogitContrast,
        *,
        target: str | None = None,
        prefix: tuple[int, ...] = (),
        edits: Edits = (),
    ) -> LogitAttribution:
        """What every head, MLP and bias writes to a logit, or a difference of two, directly."""
        ...

    def neurons(
        self,
        text: str,
        quantity: LogitContrast,
        *,
        by: Strength = "write",
        target: str | None = None,
        prefix: tuple[int, ...] = (),
        edits: Edits = (),
    ) -> NeuronWrites:
        """What every neuron of the feed-forward networks writes to a logit directly."""
        ...

    def logits_at(
        self,
        text: str,
        variants: Sequence[Sequence[Intervention]],
        position: int,
        *,
        target: str | None = None,
        prefix: tuple[int, ...] = (),
        edits: Edits = (),
    ) -> Float32[np.ndarray, "variant vocabulary"]:
        """All logits at one target position under each of many changes; no map is kept."""
        ...

    def vocabulary(self) -> tuple[str, ...]:
        """Every token by its id, as the tokenizer writes it."""
        ...

    def translate(
        self,
        text: str,
        *,
        beams: int = 4,
        length_penalty: float = 0.6,
        normalisation: str = "length",
        word_margin: float | None = None,
        hypothesis_margin: float | None = None,
        interventions: Sequence[Intervention] = (),
    ) -> Translation:
        """Beam search with all its hypotheses; one beam is greedy.

        length_penalty: α. normalisation: "length", scores ÷ |Y|^α as transformers' `generate`;
        "wu", ÷ ((5 + |Y|) / 6)^α.
        """
        ...

    def decode(
        self,
        text: str,
        *,
        target: str | None = None,
        prefix: tuple[int, ...] = (),
        top_k: int = 10,
        smoothing: float = 0.1,
        blocks: bool = False,
    ) -> Decoding:
        """A target position by position: what could have stood there, what its token cost."""
        ...

    def machine(
        self, text: str, *, target: str | None = None, prefix: tuple[int, ...] = ()
    ) -> Machine:
        """As `decode`, with what every part of the network computed."""
        ...

    def erasure(
        self, text: str, *, target: str | None = None, prefix: tuple[int, ...] = ()
    ) -> Erasure:
        """How far log P of every target token falls when one source token is hidden from all."""
        ...

    def circuits(
        self, text: str, layer: int, head: int, *, kind: AttentionKind, words: str | None = None
    ) -> HeadCircuits:
        """What one head of the decoder would write for each token, and which it pairs."""
        ...

    def permutation_test(
        self, text: str, *, target: str | None = None, seed: int = 0
    ) -> Equivariance:
        """How far the encoder's states are from moving with their tokens."""
        ...
