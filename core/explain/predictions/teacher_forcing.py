"""What each token of a given target costs a model that is fed the right tokens before it.

Williams & Zipser 1989 named teacher forcing; label smoothing: `core.blocks.label_smoothing`.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32, Int64

from core.blocks.label_smoothing import smoothed_loss
from core.trace import read_only


@dataclass(frozen=True, slots=True, eq=False)
class TokenLosses:
    """Per position, in nats: torch's cross_entropy(reduction="none"), plain and smoothed."""

    plain: Float32[np.ndarray, " position"]  # −ln P of the right token
    smoothed: Float32[np.ndarray, " position"]  # (1 − ε) · plain + ε · mean over the vocabulary
    ranks: Int64[np.ndarray, " position"]  # of the right token, from 1
    entropies: Float32[np.ndarray, " position"]  # of the prediction
    floor: float  # the smoothed target's own entropy: no smoothed loss lies below

    @property
    def mean_probability(self) -> float:
        """The geometric mean of the right tokens' probabilities."""
        return float(np.exp(-self.plain.mean(dtype=np.float64)))


def token_losses(
    logits: Float32[np.ndarray, "position token"],
    labels: Int64[np.ndarray, " position"],
    smoothing: float,
) -> TokenLosses:
    """The loss of every label under the logits of its position."""
    from scipy.special import entr, softmax  # pyright: ignore[reportUnknownVariableType]

    wide = logits.astype(np.float64)
    found = [
        smoothed_loss(row, int(label), smoothing) for row, label in zip(wide, labels, strict=True)
    ]
    right = wide[np.arange(len(labels)), labels]
    return TokenLosses(
        plain=_float32([one.right for one in found]),
        smoothed=_float32([one.total for one in found]),
        ranks=read_only(1 + (wide > right[:, None]).sum(axis=1)),
        entropies=_float32(entr(softmax(wide, axis=1)).sum(axis=1)),
        floor=found[0].floor if found else 0.0,
    )


def _float32(values: "list[float] | np.ndarray") -> Float32[np.ndarray, " position"]:
    return read_only(np.asarray(values, dtype=np.float32))
