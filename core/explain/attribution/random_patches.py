"""The control for hidden patches: do they matter more than as many others, drawn by chance?"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

Patches = tuple[int, ...]  # row by row from 0, in rising order


@dataclass(frozen=True, slots=True)
class AgainstChance:
    """A quantity with the chosen patches hidden, beside the same with random sets of them."""

    chosen: float
    mean: float
    least: float
    most: float
    n_as_bad: int  # random sets that leave as little, or less

    @classmethod
    def of(cls, chosen: float, by_chance: Float[np.ndarray, " draw"]) -> "AgainstChance":
        return cls(
            chosen,
            float(by_chance.mean()),
            float(by_chance.min()),
            float(by_chance.max()),
            int((by_chance <= chosen).sum()),
        )


def random_sets(n_patches: int, size: int, *, draws: int, seed: int = 0) -> tuple[Patches, ...]:
    """`draws` sets of `size` different patches; the same seed draws the same sets."""
    random = np.random.default_rng(seed)
    sets = [random.choice(n_patches, size, replace=False) for _ in range(draws)]
    return tuple(tuple(np.sort(one).tolist()) for one in sets)
