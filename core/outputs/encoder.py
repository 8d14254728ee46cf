"""What an encoder answers besides traces: immutable values, without torch."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32, Int64

from core.trace import Encoding, softmax


@dataclass(frozen=True)
class TokenPrediction:
    """A token of the vocabulary and its probability."""

    token: str
    probability: float


@dataclass(frozen=True)
class MaskPrediction:
    """What the model puts at one masked position, most probable first."""

    position: int
    candidates: tuple[TokenPrediction, ...]


@dataclass(frozen=True)
class EncoderProfile:
    """What an encoder can do, and the words that it does it with."""

    model_type: str  # transformers' name of the family: bert, roberta, …
    masked_lm: bool
    next_sentence: bool
    segments: int  # rows of its segment table; 0 without one
    token_limit: int
    mask_token: str
    mask_id: int
    special_ids: frozenset[int]


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddingPart:
    """One summand of the input: which rows of its table were taken, and the rows."""

    name: str  # token, position or segment
    index: Int64[np.ndarray, " token"]
    rows: Float32[np.ndarray, "token d_embedding"]
    table: tuple[int, int]  # (rows, d_embedding)


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddingParts:
    """The summands, the LayerNorm's parameters, and what the model made of them."""

    encoding: Encoding
    parts: tuple[EmbeddingPart, ...]
    gain: Float32[np.ndarray, " d_embedding"]
    offset: Float32[np.ndarray, " d_embedding"]
    epsilon: float
    normalised: Float32[np.ndarray, "token d_embedding"]  # the model's own
    d_model: int  # of the first layer; a linear map stands between where it differs

    @property
    def nbytes(self) -> int:
        return self.normalised.nbytes * (1 + len(self.parts))


@dataclass(frozen=True, slots=True, eq=False)
class NextSentence:
    """Every number between [CLS] and the probability that the second text follows the first."""

    encoding: Encoding
    state: Float32[np.ndarray, " d_model"]  # the last layer's [CLS]
    pooled: Float32[np.ndarray, " d_model"]  # tanh(W · state + b)
    weight: Float32[np.ndarray, "2 d_model"]
    bias: Float32[np.ndarray, " 2"]
    logits: Float32[np.ndarray, " 2"]  # the model's own: follows, does not follow

    @property
    def probability(self) -> float:
        """That the second text follows the first."""
        return float(softmax(self.logits.copy())[0])
