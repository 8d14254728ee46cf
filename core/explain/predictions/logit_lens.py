"""What each layer would say, read off its logits: first choices, certainty, a word's rank.

See `core.models.text.logit_lens` for where the logits come from.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32, Int64

from core.trace import Encoding, read_only


@dataclass(frozen=True, slots=True, eq=False)
class LayerLogits:
    """What every layer would answer at some positions."""

    encoding: Encoding
    positions: tuple[int, ...]
    logits: Float32[np.ndarray, "layer position vocabulary"]  # 0: embeddings; last: the model's own

    @property
    def nbytes(self) -> int:
        return self.logits.nbytes


@dataclass(frozen=True, slots=True, eq=False)
class LayerReading:
    """One entry a layer and position."""

    first: Int64[np.ndarray, "layer position"]  # the most probable token's id
    probability: Float32[np.ndarray, "layer position"]  # its probability
    entropy: Float32[np.ndarray, "layer position"]  # in bits
    rank: Int64[np.ndarray, "layer position"]  # of the wanted token, 1 for the first choice
    wanted: Float32[np.ndarray, "layer position"]  # the wanted token's probability


def read_layers(
    logits: Float32[np.ndarray, "layer position vocabulary"], tokens: Int64[np.ndarray, " position"]
) -> LayerReading:
    """Softmax of every layer's logits; `tokens` are the wanted ids, one a position."""
    from scipy.special import log_softmax  # pyright: ignore[reportUnknownVariableType]

    layers, positions, _ = logits.shape
    first = np.empty((layers, positions), dtype=np.int64)
    rank = np.empty_like(first)
    probability, entropy, wanted = (np.empty(first.shape, dtype=np.float32) for _ in range(3))
    everywhere = np.arange(int(positions))
    for layer, rows in enumerate(logits):  # one layer at a time: all of them are a lot of memory
        log_p = log_softmax(rows.astype(np.float64), axis=-1)
        own = log_p[everywhere, tokens]
        first[layer] = log_p.argmax(axis=-1)
        probability[layer] = np.exp(log_p.max(axis=-1))
        entropy[layer] = -(np.exp(log_p) * log_p).sum(axis=-1) / np.log(2)
        rank[layer] = 1 + (log_p > own[:, None]).sum(axis=-1)
        wanted[layer] = np.exp(own)
    return LayerReading(*(read_only(part) for part in (first, probability, entropy, rank, wanted)))
