"""Perturbation curves: hide the patches (or tokens) that a map calls relevant; see the answer move.

Samek et al. 2017, https://arxiv.org/abs/1509.06321. The protocol is Chefer, Gur & Wolf's (CVPR
2021, https://arxiv.org/abs/2012.09838, section 4): hide 0, 10, …, 90 % of the patches and take
the area under the curve. *Positive*: the most relevant first; a good map makes it fall at once.
*Negative*: the least relevant first; a good map keeps it up. Read from right to left, the
negative curve is the insertion curve of Petsiuk et al. 2018, https://arxiv.org/abs/1806.07421:
hiding the least relevant 70 % shows the most relevant 30 %.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from jaxtyping import Float, Float64, Int64

from core.trace import read_only

Hidden = tuple[int, ...]  # patches, row by row from 0, or tokens; in rising order
Measure = Callable[[Sequence[Hidden]], Float[np.ndarray, " variant"]]
FRACTIONS: Final = read_only(np.linspace(0, 0.9, 10))  # Chefer's: 0 is included, all of it is not
MOST_STEPS: Final = 20  # of a text: up to so many words, each step hides one more


@dataclass(frozen=True, slots=True, eq=False)
class Perturbation:
    """What was measured at each hidden fraction, both ways."""

    fractions: Float64[np.ndarray, " step"]
    positive: Float64[np.ndarray, " step"]  # most relevant hidden first
    negative: Float64[np.ndarray, " step"]  # least relevant hidden first

    @property
    def positive_area(self) -> float:
        return area(self.fractions, self.positive)

    @property
    def negative_area(self) -> float:
        return area(self.fractions, self.negative)

    @property
    def gap(self) -> float:
        """Negative − positive: 0 for a ranking that says nothing; large is good."""
        return self.negative_area - self.positive_area


@lru_cache(maxsize=256)
def _fractions(steps: int) -> Float64[np.ndarray, " step"]:
    return read_only(np.linspace(0, 1, steps + 1))


def word_fractions(n_words: int) -> Float64[np.ndarray, " step"]:
    """What of a text is hidden at each step, from nothing to all: one word more, or a share."""
    steps = n_words if n_words <= MOST_STEPS else MOST_STEPS // 2
    return _fractions(steps)


def perturb(
    evidence: Float[np.ndarray, "*place"],
    measure: Measure,
    *,
    fractions: Float64[np.ndarray, " step"] = FRACTIONS,
    seed: int = 0,
) -> Perturbation:
    """Both curves of one map, from one call of `measure` on every set of hidden patches."""
    positive, negative = hidden_sets(evidence, fractions, seed=seed)
    wanted = distinct_sets(evidence, fractions, seed=seed)
    values = np.asarray(measure(wanted), dtype=np.float64)
    if values.shape != (len(wanted),):
        raise ValueError(f"measure gave {values.shape}, not one number for each of {len(wanted)}")
    found = dict(zip(wanted, values.tolist(), strict=True))
    return Perturbation(
        fractions=fractions,
        positive=np.array([found[hidden] for hidden in positive]),
        negative=np.array([found[hidden] for hidden in negative]),
    )


def hidden_sets(
    evidence: Float[np.ndarray, "*place"],
    fractions: Float64[np.ndarray, " step"] = FRACTIONS,
    *,
    seed: int = 0,
) -> tuple[tuple[Hidden, ...], tuple[Hidden, ...]]:
    """The patches hidden at each fraction: the most relevant first, and the least relevant first.

    Example: of evidence [[3, 1], [2, 0]] at half, patches 0 and 2; and patches 1 and 3.
    """
    return _hidden_sets(
        np.ascontiguousarray(evidence, np.float64).tobytes(), tuple(fractions.tolist()), seed
    )


@lru_cache(maxsize=256)  # both curves are drawn again at every click
def _hidden_sets(
    evidence: bytes, fractions: tuple[float, ...], seed: int
) -> tuple[tuple[Hidden, ...], tuple[Hidden, ...]]:
    order = ranking(np.frombuffer(evidence), seed=seed)
    counts = [round(fraction * len(order)) for fraction in fractions]
    positive = tuple(_hidden(order[:count]) for count in counts)
    negative = tuple(_hidden(order[len(order) - count :]) for count in counts)
    return positive, negative


def distinct_sets(
    evidence: Float[np.ndarray, "*place"],
    fractions: Float64[np.ndarray, " step"] = FRACTIONS,
    *,
    seed: int = 0,
) -> tuple[Hidden, ...]:
    """What `perturb` asks `measure` about, in this order: each set once."""
    positive, negative = hidden_sets(evidence, fractions, seed=seed)
    return tuple(dict.fromkeys((*positive, *negative)))


def ranking(evidence: Float[np.ndarray, "*place"], *, seed: int = 0) -> Int64[np.ndarray, " patch"]:
    """Patches from most to least relevant. Ties fall by the seed: by position they would hide
    the picture from its top, and a map that says nothing would seem to say something."""
    flat = evidence.ravel()
    if not np.isfinite(flat).all():
        raise ValueError("evidence holds numbers that are not finite")
    lots = np.random.default_rng(seed).permutation(len(flat))
    return np.lexsort((lots, -flat)).astype(np.int64)


def area(fractions: Float64[np.ndarray, " step"], values: Float64[np.ndarray, " step"]) -> float:
    """By trapezoids, from the first fraction to the last: at most 0.9 in Chefer's protocol."""
    return float(np.trapezoid(values, fractions))


def mean_of_orders(several: Sequence[Perturbation]) -> Perturbation:
    """The mean of random orders: from which end they are hidden makes no difference."""
    mean = np.mean([curve for one in several for curve in (one.positive, one.negative)], axis=0)
    return Perturbation(fractions=several[0].fractions, positive=mean, negative=mean)


def _hidden(patches: Int64[np.ndarray, " patch"]) -> Hidden:
    return tuple(np.sort(patches).tolist())
