"""What BERT and its relatives can be asked."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from jaxtyping import Float32

from core.explain.attribution.logit_attribution import LogitAttribution
from core.explain.attribution.neuron_writes import NeuronWrites, Strength
from core.explain.flow.token_flow import TokenFlow
from core.explain.predictions.logit_lens import LayerLogits
from core.interventions import Intervention
from core.outputs.encoder import (
    EmbeddingParts,
    EncoderProfile,
    MaskPrediction,
    NextSentence,
)
from core.outputs.families.text import Edits, LanguageModel
from core.outputs.token_evidence import Mixing, TokenEvidence
from core.positions.equivariance import Equivariance
from core.targets import LogitContrast, LogitTarget, Measured, Target
from core.trace import Trace


class Encoder(LanguageModel, Protocol):
    """BERT and its relatives: a text, perhaps a second one, read in both directions."""

    def trace(
        self,
        text: str,
        *,
        pair: str | None = None,
        interventions: Sequence[Intervention] = (),
        blocks: bool = False,
        gradient_of: Target | None = None,
    ) -> Trace:
        """One forward pass, with every attention map.

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
        pair: str | None = None,
        edits: Edits = (),
    ) -> Float32[np.ndarray, " variant"]:
        """A token's probability, or its logit, under each of many changes; no map is kept."""
        ...

    def direct_logits(
        self,
        text: str,
        quantity: LogitContrast,
        *,
        pair: str | None = None,
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
        pair: str | None = None,
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
        pair: str | None = None,
        edits: Edits = (),
    ) -> Float32[np.ndarray, "variant vocabulary"]:
        """All logits at one position under each of many changes; no map is kept."""
        ...

    def profile(self) -> EncoderProfile:
        """Which heads the checkpoint carries, and its special tokens."""
        ...

    def trace_edited(self, text: str, *, pair: str | None = None, edits: Edits = ()) -> Trace:
        """A trace with other tokens in some places; masks are such tokens."""
        ...

    def fill_mask(
        self,
        text: str,
        *,
        pair: str | None = None,
        top_k: int = 5,
        interventions: Sequence[Intervention] = (),
    ) -> tuple[MaskPrediction, ...]:
        """The most probable tokens at every mask, all masks predicted at once."""
        ...

    def next_sentence(
        self, text: str, following: str, *, interventions: Sequence[Intervention] = ()
    ) -> float:
        """Probability that the second text follows the first."""
        ...

    def next_sentence_worked(
        self, text: str, following: str, *, interventions: Sequence[Intervention] = ()
    ) -> NextSentence:
        """The same with every number on the way."""
        ...

    def embedding_parts(self, text: str, *, pair: str | None = None) -> EmbeddingParts:
        """The summands of the input, as the model looked them up."""
        ...

    def layer_logits(
        self,
        text: str,
        *,
        pair: str | None = None,
        positions: tuple[int, ...] | None = None,
        edits: Edits = (),
        interventions: Sequence[Intervention] = (),
    ) -> LayerLogits:
        """What every layer would answer at `positions` (None: all): the logit lens."""
        ...

    def evidence(
        self,
        text: str,
        method: str,
        target: LogitTarget,
        *,
        pair: str | None = None,
        edits: Edits = (),
    ) -> TokenEvidence:
        """How much each token speaks for a token at a place, by a method of `TOKEN_EVIDENCE`."""
        ...

    def context_mixing(
        self, text: str, mixing: Mixing, *, pair: str | None = None, edits: Edits = ()
    ) -> Float32[np.ndarray, "layer query key"]:
        """How much of every token each layer puts into every other: see `Mixing`."""
        ...

    def token_flow(self, text: str, *, pair: str | None = None) -> TokenFlow:
        """What each token keeps and takes of others, by `core.explain.flow.proximity`."""
        ...

    def permutation_test(
        self, text: str, *, pair: str | None = None, seed: int = 0
    ) -> Equivariance:
        """How far the states are from moving with their tokens."""
        ...
