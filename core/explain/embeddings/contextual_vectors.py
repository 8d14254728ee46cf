"""One word's vectors in several sentences: similarity by layer, and a projection to the plane.

Cosines between contextual vectors are high even between unrelated words, since the vectors lie
in a narrow cone: Ethayarajh 2019, https://arxiv.org/abs/1909.00512, section 4.1. So a baseline
comes with them. The projection is PCA (Pearson 1901).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from core.explain.embeddings.embedding_sum import cosines
from core.trace import Encoding, read_only


@dataclass(frozen=True, slots=True, eq=False)
class Projection:
    """Points in the plane of greatest variance, and the share of the variance it keeps."""

    points: Float32[np.ndarray, "point 2"]
    explained: tuple[float, float]  # of the first and the second axis


def find_word(encoding: Encoding, text: str, word: str) -> tuple[int, ...]:
    """The token positions of a word's first occurrence in a text, without regard to case.

    Empty where the text does not have it as a whole word.
    """
    wanted = word.strip().casefold()
    for index in dict.fromkeys(encoding.words[~encoding.special].tolist()):
        places = np.flatnonzero((encoding.words == index) & (encoding.segments == 0))
        start, end = int(encoding.offsets[places[0], 0]), int(encoding.offsets[places[-1], 1])
        if text[start:end].strip().casefold() == wanted:
            return tuple(places.tolist())
    return ()


def word_vector(
    state: Float32[np.ndarray, "position d_model"], positions: Sequence[int]
) -> Float32[np.ndarray, " d_model"]:
    """A word's vector in one layer: the mean over its pieces."""
    return state[list(positions)].mean(axis=0, dtype=np.float32)


def similarities(
    vectors: Float32[np.ndarray, "layer word d_model"],
) -> Float32[np.ndarray, "layer word word"]:
    """Cosine of every two words, layer by layer."""
    return read_only(np.stack([cosines(of_layer) for of_layer in vectors]))


def baseline(states: Sequence[Float32[np.ndarray, "_ d_model"]]) -> float:
    """Mean cosine between words of different sentences: what says nothing yet."""
    means: list[float] = []
    for index, first in enumerate(states):
        for second in states[index + 1 :]:
            both = cosines(np.concatenate([first, second]))
            means.append(float(both[: len(first), len(first) :].mean()))
    return float(np.mean(means)) if means else 0.0


def project(vectors: Float32[np.ndarray, "point d_model"]) -> Projection:
    """PCA to two axes. Each axis's sign is such that its largest coordinate is positive."""
    centred = vectors.astype(np.float64) - vectors.mean(axis=0, dtype=np.float64)
    left, values, _ = np.linalg.svd(centred, full_matrices=False)
    points = np.zeros((len(vectors), 2))
    kept = min(2, len(values))
    points[:, :kept] = left[:, :kept] * values[:kept]
    points *= np.where(points[np.abs(points).argmax(axis=0), [0, 1]] < 0, -1, 1)
    variance = values**2
    total = float(variance.sum())
    shares = [float(v) / total if total > 0 else 0.0 for v in variance[:2]] + [0.0, 0.0]
    return Projection(read_only(points.astype(np.float32)), (shares[0], shares[1]))
