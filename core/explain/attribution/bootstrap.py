"""Bootstrap intervals of means over pictures, paired: every column meets the same resamples.

Efron & Tibshirani 1993, chapter 13 (percentile intervals). For a difference between two
methods, take the difference picture by picture first: much that varies from picture to picture
cancels, and the interval is far narrower than either method's own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
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
    return ratio_intervals(values, np.ones(len(values)), seed=seed, resamples=resamples)


def mean_intervals_together(
    groups: Sequence[Float[np.ndarray, "_ _"]],
) -> tuple[tuple[Interval, ...], ...]:
    """`mean_intervals` of every group; those of equally many pictures meet the same resamples.

    A group without pictures has no intervals.
    """
    found: dict[int, tuple[Interval, ...]] = {}
    for size in {len(group) for group in groups} - {0}:
        same = [at for at, group in enumerate(groups) if len(group) == size]
        every = iter(mean_intervals(np.hstack([groups[at] for at in same])))
        found |= {at: tuple(islice(every, groups[at].shape[1])) for at in same}
    return tuple(found.get(at, ()) for at in range(len(groups)))


def ratio_intervals(
    sums: Float[np.ndarray, "picture column"],
    counts: Float[np.ndarray, " picture"],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> tuple[Interval, ...]:
    """The same for pictures (sentences …) that bring several cases each: all sums by all counts.

    sums: over a picture's cases. counts: how many it brings, one at least.
    """
    n_pictures = len(sums)
    if n_pictures == 0:
        raise ValueError("there is no mean of no pictures")
    drawn = np.random.default_rng(seed).integers(n_pictures, size=(resamples, n_pictures))
    times = np.zeros((resamples, n_pictures))
    np.add.at(times, (np.arange(resamples)[:, None], drawn), 1)
    means = times @ sums / (times @ counts)[:, None]
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return tuple(
        Interval(*map(float, numbers))
        for numbers in zip(sums.sum(axis=0) / counts.sum(), low, high, strict=True)
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
