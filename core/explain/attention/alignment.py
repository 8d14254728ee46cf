"""Cross-attention read as an alignment, and how far it can be trusted.

Bahdanau et al. 2015, figure 3, https://arxiv.org/abs/1409.0473, read attention this way; Koehn &
Knowles 2017, section 3.5, https://arxiv.org/abs/1706.03872, measured where it fails.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float32, Int64

from core.trace import read_only


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """Which source token each target token looks at most, and signs that this says little."""

    best: Int64[np.ndarray, " target"]  # source token with the largest weight
    end_mass: float  # mean weight on the source's special tokens
    at_end: int  # target tokens that look most at a special token
    unread: Int64[
        np.ndarray, " _"
    ]  # source tokens, not special, that no target token looks most at
    entropy: float  # mean over target tokens, in bits
    uniform_entropy: float  # of looking everywhere alike, in bits


def alignment(
    weights: Float32[np.ndarray, "target source"], special: Bool[np.ndarray, " source"]
) -> Alignment:
    """Read a map of cross-attention. Rows are the target tokens, each summing to one."""
    best = weights.argmax(axis=1)
    read = np.zeros(len(special), dtype=bool)
    read[best] = True
    logs = np.log2(weights, out=np.zeros_like(weights), where=weights > 0)
    return Alignment(
        best=read_only(best),
        end_mass=float(weights[:, special].sum(axis=1).mean()),
        at_end=int(special[best].sum()),
        unread=read_only(np.flatnonzero(~read & ~special)),
        entropy=float(-(weights * logs).sum(axis=1).mean()),
        uniform_entropy=float(np.log2(len(special))),
    )


def agreement(
    weights: Float32[np.ndarray, "target source"], drops: Float32[np.ndarray, "target source"]
) -> tuple[int, ...]:
    """Target tokens whose most attended source token is also the one they need most.

    drops: how far log P of each target token falls when a source token is hidden.
    """
    same = weights.argmax(axis=1) == drops.argmax(axis=1)
    return tuple(np.flatnonzero(same).tolist())
