"""What a model says over its vocabulary at one place: probabilities, ranks, how unsure it is.

Entropy as in Shannon 1948; its power of two counts the equally likely tokens that would leave
the same doubt.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from core.explain.predictions.largest import largest
from core.trace import read_only


@dataclass(frozen=True, slots=True, eq=False)
class TokenDistribution:
    """A softmax over the vocabulary, kept as log probabilities."""

    log_probabilities: Float32[np.ndarray, " vocabulary"]  # natural logarithm

    def __len__(self) -> int:
        return len(self.log_probabilities)

    def probability(self, token: int) -> float:
        return float(np.exp(self.log_probabilities[token]))

    def loss(self, token: int) -> float:
        """−ln p of a token: its cross-entropy, in nats."""
        return -float(self.log_probabilities[token])

    def rank(self, token: int) -> int:
        """1 for the most probable; tokens of equal probability share the better rank."""
        return 1 + int((self.log_probabilities > self.log_probabilities[token]).sum())

    def top(self, count: int) -> tuple[int, ...]:
        """The most probable tokens, most probable first; of equals, the smaller id."""
        return tuple(largest(self.log_probabilities, count))

    @property
    def entropy(self) -> float:
        """In bits: 0 when sure, log2 of the vocabulary's size when clueless."""
        log_p = self.log_probabilities.astype(np.float64)
        possible = log_p[np.isfinite(log_p)]
        return max(0.0, -float(np.exp(possible) @ possible) / float(np.log(2)))


def token_distribution(logits: Float32[np.ndarray, " vocabulary"]) -> TokenDistribution:
    """Softmax of one place's logits, without overflow."""
    shifted = logits - logits.max()
    total = np.exp(shifted.astype(np.float64)).sum()
    return TokenDistribution(read_only(shifted - np.float32(np.log(total))))
