"""How alike two maps rank the patches: Spearman's rank correlation.

Adebayo et al. 2018, "Sanity Checks for Saliency Maps", https://arxiv.org/abs/1810.03292: a map
that hardly changes when the model's weights are made random does not explain that model.
"""

import numpy as np
from jaxtyping import Float
from scipy.stats import rankdata


def rank_correlation(
    first: Float[np.ndarray, "row column"], second: Float[np.ndarray, "row column"]
) -> float:
    """From −1 to 1, ties sharing their mean rank; NaN if a map gives all patches one value."""
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        return float("nan")
    ranks = rankdata(first), rankdata(second)  # ties share their mean rank
    return float(np.corrcoef(ranks[0].ravel(), ranks[1].ravel())[0, 1])
