"""One prediction before and after a change: the same tokens side by side, and how far it moved.

Logit differences as in Wang et al. 2022, https://arxiv.org/abs/2211.00593; the divergence is
Kullback & Leibler's, 1951.
"""

from dataclasses import dataclass

import numpy as np

from core.explain.predictions.token_distribution import TokenDistribution


@dataclass(frozen=True, slots=True, eq=False)
class PredictionChange:
    """Two distributions over one vocabulary, and the two tokens that are compared."""

    before: TokenDistribution
    after: TokenDistribution
    answer: int
    against: int

    @property
    def probabilities(self) -> tuple[float, float]:
        """Of the answer, before and after."""
        return self.before.probability(self.answer), self.after.probability(self.answer)

    @property
    def ranks(self) -> tuple[int, int]:
        """Of the answer, before and after; 1 for the most probable."""
        return self.before.rank(self.answer), self.after.rank(self.answer)

    @property
    def logit_differences(self) -> tuple[float, float]:
        """Logit of the answer less that of the other token: ln of how many times likelier it is."""
        first, second = (
            float(one.log_probabilities[self.answer] - one.log_probabilities[self.against])
            for one in (self.before, self.after)
        )
        return first, second

    @property
    def divergence(self) -> float:
        """KL(before ‖ after) = Σ p log2 (p ÷ q), in bits: 0 where nothing moved."""
        log_p = self.before.log_probabilities.astype(np.float64)
        log_q = self.after.log_probabilities.astype(np.float64)
        p = np.exp(log_p)
        said = p > 0
        return max(0.0, float(p[said] @ (log_p[said] - log_q[said])) / float(np.log(2)))

    def top(self, count: int) -> tuple[int, ...]:
        """The likeliest tokens after, in order, then those before that are not among them."""
        now = self.after.top(count)
        former = [token for token in self.before.top(count) if token not in now]
        former.sort(key=self.after.rank)
        return (*now, *former)


def prediction_change(
    before: TokenDistribution,
    after: TokenDistribution,
    answer: int | None = None,
    against: int | None = None,
) -> PredictionChange:
    """Both side by side. answer: None for the first choice before. against: None for the next.

    Raises ValueError for two vocabularies, and for an answer against itself.
    """
    if len(before) != len(after):
        raise ValueError(f"vocabularies of {len(before)} and {len(after)} tokens")
    chosen = before.top(1)[0] if answer is None else answer
    other = against
    if other is None:
        other = next(token for token in before.top(2) if token != chosen)
    if other == chosen:
        raise ValueError(f"token {chosen} is compared with itself")
    return PredictionChange(before, after, chosen, other)
