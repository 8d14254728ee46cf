"""Question answering as BERT does it: the best span is a start and an end that is not before it.

Devlin et al. 2019, section 4.2, https://arxiv.org/abs/1810.04805: the score of the span i … j is
S·T_i + E·T_j; the greatest with i ≤ j is the answer.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float32

from core.trace import read_only


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Every span's score, which spans may be, and the best of those."""

    scores: Float32[np.ndarray, "start end"]  # start score + end score
    allowed: Bool[np.ndarray, "start end"]  # start ≤ end, and not longer than the limit
    best: tuple[int, int]
    unrestricted: tuple[int, int]  # the best start and the best end, each by itself


def span_scores(
    start: Float32[np.ndarray, " token"],
    end: Float32[np.ndarray, " token"],
    *,
    longest: int | None = None,
) -> Spans:
    """Score all spans; `longest` limits their tokens, as SQuAD systems do."""
    scores = (start[:, None] + end[None, :]).astype(np.float32)
    index = np.arange(len(start))
    length = index[None, :] - index[:, None] + 1
    allowed = (length >= 1) & (length <= (longest or len(start)))
    best = np.where(allowed, scores, -np.inf).argmax()
    return Spans(
        scores=read_only(scores),
        allowed=read_only(allowed),
        best=(int(best) // len(start), int(best) % len(start)),
        unrestricted=(int(start.argmax()), int(end.argmax())),
    )
