"""Learning rate and time, both as a fraction of the training.

The schedule follows the seconds trained, not a number of steps, so that a recipe fits
into the minutes it is given on any machine, and a resumed training goes on where it was.
"""

import math
from dataclasses import dataclass

LONGEST_STEP = 30.0  # seconds; a longer one was a pause (a stopped process), not training


def learning_rate(fraction: float, *, peak: float, warmup: float) -> float:
    """Linear warm-up from zero to `peak`, then linear decay to zero, as in BERT.

    Example: warmup 0.1 -> fraction 0.05: half the peak; 0.1: the peak; 0.55: half; 1: zero.
    """
    if fraction < warmup:
        return peak * fraction / warmup
    return peak * max(0.0, 1.0 - fraction) / (1.0 - warmup)


def inverse_square_root(fraction: float, *, peak: float, warmup: float, cooldown: float) -> float:
    """Linear warm-up, then the inverse square root, times a linear end over the last `cooldown`.

    Vaswani et al. 2017, equation 3, https://arxiv.org/abs/1706.03762; the end, which the paper
    hasn't, stands for its mean of the last checkpoints.
    Example: warmup 0.1, cooldown 0.2 -> fraction 0.1: the peak; 0.4: half of it; 1: zero.
    """
    if fraction < warmup:
        return peak * fraction / warmup
    return peak * (warmup / fraction) ** 0.5 * min(1.0, (1.0 - fraction) / cooldown)


def cosine(fraction: float, *, peak: float, warmup: float) -> float:
    """Linear warm-up, then half a cosine down to zero.

    Loshchilov & Hutter 2017, equation 5, https://arxiv.org/abs/1608.03983.
    Example: warmup 0.1 -> fraction 0.05: half the peak; 0.1: the peak; 0.55: half; 1: zero.
    """
    if fraction < warmup:
        return peak * fraction / warmup
    return peak * 0.5 * (1.0 + math.cos(math.pi * (fraction - warmup) / (1.0 - warmup)))


@dataclass(frozen=True, slots=True)
class Clock:
    """Seconds trained so far, of a budget that all resumed parts share."""

    budget: float
    seconds: float = 0.0

    @property
    def fraction(self) -> float:
        return min(1.0, self.seconds / self.budget)

    @property
    def is_over(self) -> bool:
        return self.seconds >= self.budget

    def after(self, step_seconds: float) -> "Clock":
        return Clock(self.budget, self.seconds + min(step_seconds, LONGEST_STEP))
