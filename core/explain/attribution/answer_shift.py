"""How far an answer moved: two distributions over the same classes, before and after a change."""

import numpy as np
from jaxtyping import Float32, Int

from core.explain.predictions.largest import largest


def moved_mass(
    before: Float32[np.ndarray, " class"], after: Float32[np.ndarray, " class"]
) -> float:
    """The share of probability that went to other classes: ½ Σ |p − q|, total variation."""
    return float(np.abs(before.astype(np.float64) - after).sum() / 2)


def class_ranks(probabilities: Float32[np.ndarray, " class"]) -> Int[np.ndarray, " class"]:
    """1 for the likeliest class; of equals, the first has the better rank."""
    # a second, for this alone
    from scipy.stats import rankdata  # pyright: ignore[reportUnknownVariableType]

    return rankdata(-probabilities, method="ordinal")


def union_of_top(
    before: Float32[np.ndarray, " class"], after: Float32[np.ndarray, " class"], count: int
) -> tuple[int, ...]:
    """The `count` likeliest classes after, in order, then those before that are not among them."""
    now = largest(after, count)
    former = [index for index in largest(before, count) if index not in now]
    former.sort(key=lambda index: -after[index])
    return (*now, *former)
