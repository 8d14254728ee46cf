"""An encoder's input worked out: token + position + segment embedding, then LayerNorm.

Devlin et al. 2019, figure 2, https://arxiv.org/abs/1810.04805; LayerNorm: Ba et al. 2016,
equation 4, https://arxiv.org/abs/1607.06450.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from core.trace import read_only


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddingSum:
    """The sum and its normalisation, computed here, and how far the model's own lies from them."""

    summed: Float32[np.ndarray, "token d_embedding"]
    normalised: Float32[np.ndarray, "token d_embedding"]
    error: float  # largest |normalised here − the model's|


def embedding_sum(
    parts: tuple[Float32[np.ndarray, "token d_embedding"], ...],
    *,
    gain: Float32[np.ndarray, " d_embedding"],
    offset: Float32[np.ndarray, " d_embedding"],
    epsilon: float,
    models_own: Float32[np.ndarray, "token d_embedding"],
) -> EmbeddingSum:
    """Add the parts, normalise the sum, compare with what the model's embedding layer gave."""
    summed = np.stack(parts).sum(axis=0, dtype=np.float32)
    normalised = layer_norm(summed, gain, offset, epsilon)
    error = float(np.abs(normalised - models_own).max())
    return EmbeddingSum(read_only(summed), read_only(normalised), error)


def layer_norm(
    rows: Float32[np.ndarray, "row feature"],
    gain: Float32[np.ndarray, " feature"],
    offset: Float32[np.ndarray, " feature"],
    epsilon: float,
) -> Float32[np.ndarray, "row feature"]:
    """(x − mean) ÷ √(variance + ε) × gain + offset, each row by itself."""
    centred = rows - rows.mean(axis=1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=1, keepdims=True) + np.float32(epsilon))
    return (centred / spread * gain + offset).astype(np.float32)


def norms(rows: Float32[np.ndarray, "row feature"]) -> Float32[np.ndarray, " row"]:
    """Euclidean length of each row."""
    return np.linalg.norm(rows, axis=1).astype(np.float32)


def cosines(rows: Float32[np.ndarray, "row feature"]) -> Float32[np.ndarray, "row row"]:
    """Cosine of the angle between every two rows; 0 beside a row of zeros."""
    lengths = norms(rows)[:, None]
    units = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return np.clip(units @ units.T, -1, 1).astype(np.float32)
