"""ELECTRA's objective: a generator fills the masks, and every token is judged original or replaced.

Clark et al. 2020, https://arxiv.org/abs/2003.10555, section 2: 15 % of the tokens are masked, a
small masked LM samples from its distribution there, and the discriminator says for *each* of the
n tokens whether it is the original. A sample that happens to be the original counts as original.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int64

from core.explain.predictions.token_distribution import TokenDistribution
from core.trace import read_only


@dataclass(frozen=True, slots=True, eq=False)
class ReplacedTokens:
    """The discriminator's input and its labels."""

    ids: Int64[np.ndarray, " token"]
    masked: Bool[np.ndarray, " token"]  # where the generator wrote
    replaced: Bool[np.ndarray, " token"]  # the label: another token than the original

    @property
    def lucky(self) -> int:
        """Sampled tokens that are the original, and count as original."""
        return int((self.masked & ~self.replaced).sum())


def sample_replacements(
    ids: Int64[np.ndarray, " token"],
    positions: Sequence[int],
    distributions: Sequence[TokenDistribution],
    *,
    seed: int,
) -> ReplacedTokens:
    """Write a sample of each distribution into its position."""
    generator = np.random.default_rng(seed)
    written = ids.copy()
    masked = np.zeros(len(ids), dtype=bool)
    for position, found in zip(positions, distributions, strict=True):
        probabilities = np.exp(found.log_probabilities.astype(np.float64))
        written[position] = generator.choice(
            len(probabilities), p=probabilities / probabilities.sum()
        )
        masked[position] = True
    return ReplacedTokens(read_only(written), read_only(masked), read_only(written != ids))
