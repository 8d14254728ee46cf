"""How alike two maps rank the patches: Spearman's rank correlation.

Adebayo et al. 2018, "Sanity Checks for Saliency Maps", https://arxiv.org/abs/1810.03292: a map
that hardly changes when the model's weights are made random does not explain that model.
"""

from typing import Any

import numpy as np
from jaxtyping import Float


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
