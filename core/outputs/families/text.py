"""What every model of texts can be asked."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from jaxtyping import Float32

from core.explain.attention.head_circuits import HeadCircuits
from core.explain.attention.word_looks import WordLooks
from core.explain.attribution.logit_attribution import LogitAttribution
from core.explain.attribution.neuron_writes import NeuronWrites, Strength
from core.explain.flow.token_flow import TokenFlow
from core.explain.predictions.logit_lens import LayerLogits
from core.interventions import Intervention
from core.outputs.families.model import Model, Positioned
from core.outputs.firing import Firing
from core.outputs.head_measures import HeadMeasures, WordedText
from core.outputs.projections import HeadProjections
from core.outputs.token_evidence import Mixing, TokenEvidence
from core.positions.equivariance import Equivariance
from core.targets import LogitContrast, LogitTarget, Measured, Target
from core.trace import AttentionKind, Trace

Texts = Mapping[str, str | None]  # "text", and "pair" or "target"
Edits = tuple[tuple[int, int], ...]  # (position, token id)


class TextModel(Model[str, Measured], Positioned, Protocol):
    """A model of texts, of any family; encoders take a `pair`, translators a `target`, too."""

    def trace(
        self,
        text: str,
        *,
        interventions: Sequence[Intervention] = (),
        blocks: bool = False,
        gradient_of: Target | None = None,
    ) -> Trace:
        """One forward pass, with every attention map.

        blocks: keep every sublayer's output and norm, too (`Trace.block`).
        gradient_of: keep each layer's gradients of this logit with respect to its weights, too.
        """
        ...

    def trace_many(
        self,
        inputs: Sequence[str | Texts],
        interventions: Sequence[Sequence[Intervention]] | None = None,
    ) -> tuple[Trace, ...]:
        """Traces of many texts; those of one length run as one batch, and none is padded."""
        ...

    def measure(
        self,
        text: str,
        variants: Sequence[Sequence[Intervention]],
        quantity: Measured,
        *,
        edits: Edits = (),
    ) -> Float32[np.ndarray, " variant"]:
        """A token's probability, or its logit, under each of many changes; no map is kept."""
        ...

    def logits_at(
        self,
        text: str,
        variants: Sequence[Sequence[Intervention]],
        position: int,
        *,
        edits: Edits = (),
    ) -> Float32[np.ndarray, "variant vocabulary"]:
        """All logits at one position under each of many changes; no map is kept."""
        ...

    def direct_logits(
        self, text: str, quantity: LogitContrast, *, edits: Edits = ()
    ) -> LogitAttribution:
        """What every head, MLP and bias writes to a logit, or a difference of two, directly."""
        ...

    def neurons(
        self,
        text: str,
        quantity: LogitContrast,
        *,
        by: Strength = "write",
        edits: Edits = (),
    ) -> NeuronWrites:
        """What every neuron of the feed-forward networks writes to a logit directly."""
        ...

    def firings(self, texts: Sequence[str], layer: int, neuron: int) -> tuple[Firing, ...]:
        """One neuron's activations on many texts; a translator decodes its targets greedily."""
        ...

    def head_measures(
        self, texts: Sequence[str], *, only: Sequence[str] | None = None
    ) -> tuple[Mapping[AttentionKind, HeadMeasures], ...]:
        """What every head does on each text, by kind, for `core.explain.head_roles`.

        only: of these roles. A translator decodes its targets greedily.
        """
        ...

    def word_looks(
        self,
        texts: Sequence[WordedText],
        *,
        kind: AttentionKind | None = None,
        written: bool = False,
        ahead: bool = False,
    ) -> tuple[WordLooks | None, ...]:
        """Which other word each word most looks at, in every head, for `explain.relation_heads`.

        written: by α‖f(x)‖ instead of weight. ahead: of cross-attention, from where a target's
        word is written instead of read. None for a text with a word that has no token of its own.
        Raises InputError where the model hides what its heads write.
        """
        ...

    def head_projections(
        self, layer: int, head: int, *, kind: AttentionKind | None = None
    ) -> HeadProjections:
        """W^Q, W^K, W^V and W^O of one head; `kind` may be left out where there is one."""
        ...

    def permutation_test(self, text: str, *, seed: int = 0) -> Equivariance:
        """How far the first stack's states are from moving with their tokens."""
        ...


class LanguageModel(TextModel, Protocol):
    """One stack, and a head over the vocabulary."""

    def vocabulary(self) -> tuple[str, ...]:
        """Every token by its id, as the tokenizer writes it; ids that it never makes included."""
        ...

    def layer_logits(
        self,
        text: str,
        *,
        positions: tuple[int, ...] | None = None,
        edits: Edits = (),
        interventions: Sequence[Intervention] = (),
    ) -> LayerLogits:
        """What every layer would answer at `positions` (None: all): the logit lens."""
        ...

    def evidence(
        self, text: str, method: str, target: LogitTarget, *, edits: Edits = ()
    ) -> TokenEvidence:
        """How much each token speaks for a token at a place, by a method of `TOKEN_EVIDENCE`."""
        ...

    def context_mixing(
        self, text: str, mixing: Mixing, *, edits: Edits = ()
    ) -> Float32[np.ndarray, "layer query key"]:
        """How much of every token each layer puts into every other: see `Mixing`."""
        ...

    def token_flow(self, text: str) -> TokenFlow:
        """What each token keeps and takes of others, by `core.explain.flow.proximity`."""
        ...

    def circuits(self, text: str, layer: int, head: int) -> HeadCircuits:
        """What one head would write for each token of a text, and which it pairs."""
        ...

    def stand_in(self) -> int:
        """The token that stands where a word is hidden: the mask, or what there is instead."""
        ...
