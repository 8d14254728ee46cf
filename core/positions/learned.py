"""What a table of learned positions looks like: who is similar to whom, and along which axes."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from core.errors import InputError
from core.trace import read_only


@dataclass(frozen=True, slots=True, eq=False)
class Components:
    """Principal components of a centred table."""

    scores: Float32[np.ndarray, "position component"]
    explained: Float32[np.ndarray, " component"]  # share of the whole variance


def cosine_similarity(
    table: Float32[np.ndarray, "position d_model"],
) -> Float32[np.ndarray, "position position"]:
    """Cosine of the angle between any two positions' vectors; a zero vector has 0 with all."""
    lengths = np.linalg.norm(table, axis=1, keepdims=True)
    unit = table / np.where(lengths > 0, lengths, 1)
    return read_only((unit @ unit.T).astype(np.float32))


def similarity_by_offset(
    similarity: Float32[np.ndarray, "n n"],
) -> tuple[
    Float32[np.ndarray, " offset"], Float32[np.ndarray, " offset"], Float32[np.ndarray, " offset"]
]:
    """Mean, smallest and largest similarity of all pairs i − j = 0, 1, 2, …"""
    diagonals = [np.diagonal(similarity, -offset) for offset in range(len(similarity))]
    mean, low, high = (
        np.array([reduce(diagonal) for diagonal in diagonals], dtype=np.float32)
        for reduce in (np.mean, np.min, np.max)
    )
    return mean, low, high


def principal_components(
    table: Float32[np.ndarray, "position d_model"], n_components: int = 4
) -> Components:
    """The directions in which positions differ most (Pearson 1901), by singular values.

    Signs are chosen so that the last position's score is not negative: a snapshot's curve then
    does not flip from one to the next for no reason. Raises InputError for a single position.
    """
    if len(table) < 2:
        raise InputError("One position has no components: two at least can differ.")
    centred = table.astype(np.float64) - table.mean(axis=0, dtype=np.float64)
    left, singular, _ = np.linalg.svd(centred, full_matrices=False)
    kept = min(n_components, len(singular))
    scores = left[:, :kept] * singular[:kept]
    scores *= np.where(scores[-1] < 0, -1, 1)
    variance = singular**2
    total = variance.sum() or 1.0
    return Components(
        read_only(scores.astype(np.float32)),
        read_only((variance[:kept] / total).astype(np.float32)),
    )
