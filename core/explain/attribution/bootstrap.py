"""Bootstrap intervals of means over pictures, paired: every column meets the same resamples.

Efron & Tibshirani 1993, chapter 13 (percentile intervals). For a difference between two
methods, take the difference picture by picture first: much that varies from picture to picture
cancels, and the interval is far narrower than either method's own.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Float

RESAMPLES: Final = 2000
LEVEL: Final = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean, and the bounds between which 95 % of resampled means lie."""

    mean: float
    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        return self.low > 0 or self.high < 0


def mean_intervals(
    values: Float[np.ndarray, "picture column"], *, seed: int = 0, resamples: int = RESAMPLES
) -> tuple[Interval, ...]:
    """Mean and interval of every column; pictures are drawn with replacement, whole rows."""
    n_pictures = len(values)
    if n_pictures == 0:
        raise ValueError("there is no mean of no pictures")
    drawn = np.random.default_rng(seed).integers(n_pictures, size=(resamples, n_pictures))
    counts = np.zeros((resamples, n_pictures))
    np.add.at(counts, (np.arange(resamples)[:, None], drawn), 1)
    means = counts @ values / n_pictures
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return tuple(
        Interval(*map(float, numbers))
        for numbers in zip(values.mean(axis=0), low, high, strict=True)
    )


def difference_intervals(
    values: Float[np.ndarray, "picture column"],
    reference: int,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> tuple[Interval, ...]:
    """Every column minus the reference column, picture by picture."""
    return mean_intervals(values - values[:, [reference]], seed=seed, resamples=resamples)
