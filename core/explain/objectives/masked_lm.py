"""One draw of BERT's pre-training task: which tokens are chosen, and what becomes of them.

Devlin et al. 2019, https://arxiv.org/abs/1810.04805, section 3.1 and appendix A.1. As in their
create_pretraining_data.py: a share of the tokens is chosen without replacement, at least one;
each of them is then masked, kept, or replaced by a random token. The loss is the mean over all
chosen positions, the kept ones too (equation of the masked LM, appendix A.1).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from jaxtyping import Bool, Int64

from core.explain.predictions.token_distribution import TokenDistribution
from core.trace import read_only


class Fate(StrEnum):
    """What a chosen token becomes."""

    MASKED = "masked"
    KEPT = "kept"
    RANDOM = "random"


@dataclass(frozen=True, slots=True)
class Rates:
    """Shares of all tokens (chosen) and of the chosen ones (the other three, which sum to one)."""

    chosen: float = 0.15
    masked: float = 0.8
    kept: float = 0.1
    random: float = 0.1

    def __post_init__(self) -> None:
        shares = (self.masked, self.kept, self.random)
        if not 0 < self.chosen <= 1 or min(shares) < 0 or abs(sum(shares) - 1) > 1e-6:
            raise ValueError(f"shares of the chosen tokens must sum to one: {shares}")


@dataclass(frozen=True, slots=True, eq=False)
class MaskedDraw:
    """One corrupted input; `fates` and `replacements` have one entry a chosen position."""

    positions: tuple[int, ...]
    fates: tuple[Fate, ...]
    replacements: tuple[int, ...]  # the id that the model reads there
    originals: tuple[int, ...]  # the id that it has to find
    ids: Int64[np.ndarray, " token"]  # the corrupted input

    @property
    def edits(self) -> tuple[tuple[int, int], ...]:
        """(position, new id) of every token that the model reads differently."""
        return tuple(
            (position, new)
            for position, new, old in zip(
                self.positions, self.replacements, self.originals, strict=True
            )
            if new != old
        )


def draw_masks(
    ids: Int64[np.ndarray, " token"],
    allowed: Bool[np.ndarray, " token"],
    rates: Rates,
    *,
    mask_id: int,
    random_ids: Sequence[int],
    seed: tuple[int, ...],
) -> MaskedDraw:
    """Choose among the `allowed` tokens and corrupt them.

    random_ids: the tokens that may stand in. seed: numbers that fix the draw; RoBERTa's dynamic
    masking is a new one in every epoch (Liu et al. 2019, section 4.1).
    """
    candidates = np.flatnonzero(allowed)
    if not len(candidates):
        raise ValueError("no token may be chosen")
    generator = np.random.default_rng(seed)
    count = max(1, round(len(candidates) * rates.chosen))
    positions = np.sort(generator.choice(candidates, size=count, replace=False))
    corrupted = ids.copy()
    fates: list[Fate] = []
    for position in positions:
        fate = _fate(float(generator.random()), rates)
        stand_in = int(random_ids[int(generator.integers(len(random_ids)))])
        fates.append(fate)
        if fate != Fate.KEPT:
            corrupted[position] = mask_id if fate == Fate.MASKED else stand_in
    return MaskedDraw(
        positions=tuple(positions.tolist()),
        fates=tuple(fates),
        replacements=tuple(corrupted[positions].tolist()),
        originals=tuple(ids[positions].tolist()),
        ids=read_only(corrupted),
    )


def masked_loss(distributions: Sequence[TokenDistribution], originals: Sequence[int]) -> float:
    """Mean −ln p of the originals over the chosen positions, in nats."""
    losses = [one.loss(token) for one, token in zip(distributions, originals, strict=True)]
    return float(np.mean(losses))


def _fate(number: float, rates: Rates) -> Fate:
    if number < rates.masked:
        return Fate.MASKED
    return Fate.KEPT if number < rates.masked + rates.kept else Fate.RANDOM
