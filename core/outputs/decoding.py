"""What decoding a target leaves behind, position by position, and what stands around the layers.

Values of an encoder–decoder, without torch.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from jaxtyping import Float32, Int64

from core.explain.predictions.teacher_forcing import TokenLosses
from core.trace import AttentionKind, Trace


@dataclass(frozen=True, slots=True)
class NextToken:
    """A token that could stand next."""

    id: int
    token: str
    probability: float
    logit: float


@dataclass(frozen=True, slots=True, eq=False)
class Decoding:
    """A target that was fed token by token, and what the model would have said instead."""

    trace: Trace  # its target is fed: the start, then every label but the last
    labels: tuple[str, ...]  # what should come at each position; the end last, if it ended
    label_ids: Int64[np.ndarray, " position"]
    text: str
    candidates: tuple[tuple[NextToken, ...], ...]  # of each position, most probable first
    losses: TokenLosses
    unknown: int  # labels that the vocabulary lacks
    ended: bool  # False: cut off at the longest length allowed
    vocabulary: int

    @property
    def nbytes(self) -> int:
        return self.trace.nbytes + 200 * sum(len(row) for row in self.candidates)


class Positions(StrEnum):
    """How a model knows where a token stands."""

    SINUSOIDAL = "sinusoidal"
    LEARNED = "learned"
    RELATIVE = "relative"  # nothing is added; a bias on the scores (T5)


@dataclass(frozen=True, slots=True, eq=False)
class InputSum:
    """The summands of one stack's input."""

    embeddings: Float32[np.ndarray, "position d_model"]  # rows of the table, not scaled
    scale: float  # √d_model in the paper; 1 where a model leaves it out
    positions: Float32[np.ndarray, "position d_model"] | None  # None: relative positions
    result: Float32[np.ndarray, "position d_model"]  # what the first layer receives
    normed: bool  # the sum goes through a LayerNorm first (BART)

    @property
    def total(self) -> Float32[np.ndarray, "position d_model"]:
        """embeddings × scale + positions."""
        scaled = self.embeddings * np.float32(self.scale)
        return scaled if self.positions is None else scaled + self.positions


@dataclass(frozen=True, slots=True)
class TranslatorProfile:
    """Sizes that a drawing of the model names."""

    encoder_layers: int
    decoder_layers: int
    heads: int
    d_model: int
    d_head: int
    d_ff: int
    vocabulary: int
    activation: str
    positions: Positions
    scale: float  # of the embeddings
    tied: bool  # the output's matrix is the embedding's


@dataclass(frozen=True, slots=True, eq=False)
class Machine:
    """A decoding whose trace has blocks, and what stands around the layers."""

    decoding: Decoding
    inputs: Mapping[AttentionKind, InputSum]  # by stack
    profile: TranslatorProfile

    @property
    def nbytes(self) -> int:
        summands = sum(2 * one.embeddings.nbytes for one in self.inputs.values())
        return self.decoding.nbytes + summands


@dataclass(frozen=True, slots=True, eq=False)
class Erasure:
    """What hiding one source token does to the log P of every target token, in nats."""

    log_p: Float32[np.ndarray, " target"]  # with the whole source
    drops: Float32[np.ndarray, "target source"]  # log_p minus log P without the source token

    @property
    def nbytes(self) -> int:
        return self.drops.nbytes
