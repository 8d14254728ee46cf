"""The largest of many numbers, in order, without ordering them all."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float


def largest(values: Float[np.ndarray, " n"], count: int) -> Sequence[int]:
    """Places of the `count` largest (all, where there are fewer), largest first.

    Of equals, the earlier comes first.
    """
    if not 0 < count < len(values):
        return np.argsort(-values, kind="stable")[:count].tolist()
    least = np.partition(values, -count)[-count]
    able = np.flatnonzero(values >= least)  # few: only they are put in order
    return able[np.argsort(-values[able], kind="stable")[:count]].tolist()
