"""Label smoothing: a target that keeps ε of its probability for all classes.

Szegedy et al., "Rethinking the Inception Architecture", 2016, section 7,
https://arxiv.org/abs/1512.00567; used with ε = 0.1 by Vaswani et al. 2017, section 5.4.
The share ε is spread over all K classes, the right one included, as in both and in torch.
"""

from dataclasses import dataclass
from math import exp, log
from typing import Final

import numpy as np
from jaxtyping import Float64

LEAST_PROBABILITY: Final = 1e-12  # before the logarithm
LARGEST_LOGIT: Final = 1e4  # beyond that a probability is 0 or 1 in any arithmetic


def smoothed_target(n_classes: int, right: int, epsilon: float) -> Float64[np.ndarray, " class"]:
    """(1 − ε) on the right class, plus ε / K on every class.

    Example: 4 classes, right 0, ε 0.2 -> 0.85, 0.05, 0.05, 0.05.
    """
    if not 0 <= right < n_classes:
        raise ValueError(f"the right class is 0 to {n_classes - 1}, not {right}")
    if not 0 <= epsilon <= 1:
        raise ValueError(f"ε is 0 to 1, not {epsilon}")
    target = np.full(n_classes, epsilon / n_classes)
    target[right] += 1 - epsilon
    return target


def cross_entropy(probability: float) -> float:
    """−ln p of the right answer, in nats; of less than 10⁻¹², as of that."""
    return -log(max(probability, LEAST_PROBABILITY))


@dataclass(frozen=True)
class SmoothedLoss:
    """Cross-entropy against a smoothed target, in nats, and its two parts.

    `total` = (1 − ε) · `right` + ε · `uniform`; it never falls below `floor`, the target's own
    entropy, and its gradient in the logits is p − q.
    """

    total: float
    right: float  # −ln p of the right class: what is left at ε = 0
    uniform: float  # mean of −ln p over all classes: grows with confidence
    floor: float

    @property
    def probability(self) -> float:
        """p of the right class."""
        return exp(-self.right)


def smoothed_loss(
    logits: Float64[np.ndarray, " class"], right: int, epsilon: float
) -> SmoothedLoss:
    """−Σ q ln p with q of `smoothed_target`: torch's cross_entropy(label_smoothing=ε)."""
    from scipy.special import entr, log_softmax  # pyright: ignore[reportUnknownVariableType]

    target = smoothed_target(len(logits), right, epsilon)
    surprisal = -log_softmax(logits)
    return SmoothedLoss(
        total=float(target @ surprisal),
        right=float(surprisal[right]),
        uniform=float(surprisal.mean()),
        floor=float(entr(target).sum()),
    )


def best_gap(n_classes: int, epsilon: float) -> float:
    """How far the right logit stands above all others where the loss is lowest (p = q).

    ln((1 − ε + ε/K) / (ε/K)); infinite at ε = 0: without smoothing logits grow for ever.
    """
    if epsilon == 0:
        return float("inf")
    share = epsilon / n_classes
    return log((1 - epsilon + share) / share)


def lead(logits: Float64[np.ndarray, " class"], right: int) -> float:
    """How far the right logit stands above the best other one."""
    return float(logits[right] - np.delete(logits, right).max())


def loss_by_lead(
    logits: Float64[np.ndarray, " class"],
    right: int,
    epsilon: float,
    gaps: Float64[np.ndarray, " gap"],
) -> Float64[np.ndarray, " gap"]:
    """The smoothed loss as the right logit alone is moved."""
    target = smoothed_target(len(logits), right, epsilon)
    others = np.delete(logits, right)
    best = others.max()
    rest = best + log(np.exp(others - best).sum())  # log Σ exp of the others
    said = np.delete(target, right) @ others + target[right] * (best + gaps)  # q · z
    return np.logaddexp(rest, best + gaps) - said
