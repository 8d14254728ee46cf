"""How alike two maps rank the patches: Spearman's rank correlation.

Adebayo et al. 2018, "Sanity Checks for Saliency Maps", https://arxiv.org/abs/1810.03292: a map
that hardly changes when the model's weights are made random does not explain that model.
"""

import math
from typing import Any, Final

import numpy as np
from jaxtyping import Float

NORMAL_95: Final = 1.959964  # 95 % of a normal distribution lie within so many deviations


def chance_correlation(n_places: int) -> float:
    """|Spearman's ρ| that two unrelated orders of so many places stay below 95 times in 100.

    Without ties ρ then has mean 0 and variance 1 ÷ (n − 1), nearly normal from about ten places
    on (Kendall 1948, "Rank Correlation Methods", chapter 5).
    """
    return min(1.0, NORMAL_95 / math.sqrt(n_places - 1)) if n_places > 1 else 1.0


def rank_correlation(
    first: Float[np.ndarray, "*position"], second: Float[np.ndarray, "*position"]
) -> float:
    """From −1 to 1, ties sharing their mean rank; NaN if a map gives all places one value."""
    # a second, for this alone
    from scipy.stats import spearmanr  # pyright: ignore[reportUnknownVariableType]

    if np.ptp(first) == 0 or np.ptp(second) == 0:
        return float("nan")
    found: Any = spearmanr(first.ravel(), second.ravel())  # scipy names no type
    return float(found.statistic)
