"""From logits to one token: temperature, top-k, top-p, a draw. Every number on the way is kept.

softmax(z / T), then the cut, then what is left is divided by its mass. Top-k: Fan et al. 2018,
https://arxiv.org/abs/1805.04833; top-p ("nucleus"): Holtzman et al. 2020,
https://arxiv.org/abs/1904.09751. In transformers' order: temperature, top-k, top-p.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float64, Int64

from core.errors import InputError
from core.trace import read_only


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the next token is chosen.

    temperature 0, top_k 1 and top_p 0 are greedy: the most probable token, always.
    top_k 0 and top_p 1 cut nothing. Raises InputError for a number outside its range.
    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.temperature < np.inf:
            raise InputError(
                f"The temperature is {self.temperature:g}; give 0 (greedy) or a positive number."
            )
        if self.top_k < 0:
            raise InputError(f"Top-k is {self.top_k}; give 0 (off) or how many tokens may stay.")
        if not 0 <= self.top_p <= 1:
            raise InputError(
                f"Top-p is {self.top_p:g}; give a share from 0 (greedy) to 1 (nothing is cut)."
            )

    @property
    def greedy(self) -> str | None:
        """Which setting leaves only the most probable token, in words; None: chance decides."""
        if self.temperature == 0:
            return "temperature 0"
        if self.top_k == 1:
            return "top-k 1"
        return "top-p 0" if self.top_p == 0 else None


@dataclass(frozen=True, slots=True, eq=False)
class CutDistribution:
    """One place's probabilities at each step of the arithmetic, by token id."""

    logits: Float64[np.ndarray, " vocabulary"]
    raw: Float64[np.ndarray, " vocabulary"]  # softmax(z)
    tempered: Float64[np.ndarray, " vocabulary"]  # softmax(z / T); one token has all at T = 0
    kept: Bool[np.ndarray, " vocabulary"]
    final: Float64[np.ndarray, " vocabulary"]  # tempered ÷ kept_mass where kept, else 0
    order: Int64[np.ndarray, " vocabulary"]  # ids, largest logit first; of equals the smaller id
    kept_mass: float  # Σ tempered over the kept tokens

    @property
    def nbytes(self) -> int:
        return 5 * self.logits.nbytes

    @property
    def n_kept(self) -> int:
        return int(self.kept.sum())


@dataclass(frozen=True, slots=True)
class Draw:
    """A number from 0 to 1 fell into a token's stretch of the cumulative probabilities."""

    token: int
    number: float
    low: float  # the stretch, over the tokens in falling order
    high: float


def distribution(logits: np.ndarray, sampling: Sampling) -> CutDistribution:
    """Temper and cut one place's logits, (vocabulary,). Arithmetic in float64."""
    from scipy.special import softmax  # pyright: ignore[reportUnknownVariableType]

    z = logits.astype(np.float64)
    order = np.argsort(-z, kind="stable")
    if sampling.temperature == 0:
        tempered = np.zeros_like(z)
        tempered[order[0]] = 1.0
    else:
        tempered = softmax(z / sampling.temperature)
    kept = _kept(z, tempered, order, sampling)
    mass = 1.0 if kept.all() else float(tempered[kept].sum())
    return CutDistribution(
        logits=read_only(z),
        raw=read_only(softmax(z)),
        tempered=read_only(tempered),
        kept=read_only(kept),
        final=read_only(np.where(kept, tempered / mass, 0.0)),
        order=read_only(order),
        kept_mass=mass,
    )


def draw(cut: CutDistribution, *, seed: int, step: int) -> Draw:
    """The token that a seed draws at a step: the same one whenever it is asked.

    Each step has a number of its own, so a fork meets the same chance as the path it left.
    """
    number = float(np.random.default_rng((seed, step)).random())
    ids = cut.order[cut.kept[cut.order]]  # those that may come, largest first
    upper = np.cumsum(cut.final[ids])
    upper[-1] = 1.0  # rounding must leave no gap at the top
    index = int(np.searchsorted(upper, number, side="right"))
    low = float(upper[index - 1]) if index else 0.0
    return Draw(int(ids[index]), number, low, float(upper[index]))


def _kept(z: np.ndarray, tempered: np.ndarray, order: np.ndarray, sampling: Sampling) -> np.ndarray:
    """Equal logits at top-k's border all stay, as in transformers; top-p always keeps one."""
    if sampling.greedy:
        kept = np.zeros(len(z), dtype=bool)
        kept[order[0]] = True
        return kept
    kept = np.ones(len(z), dtype=bool)
    if 0 < sampling.top_k < len(z):
        kept = z >= z[order[sampling.top_k - 1]]
    if sampling.top_p < 1:
        among = np.where(kept, tempered, 0.0)[order]
        among /= among.sum()  # the nucleus is measured on what top-k left
        before = np.cumsum(among) - among
        kept[order[before >= sampling.top_p]] = False
        kept[order[0]] = True
    return kept
