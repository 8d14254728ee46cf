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


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Who is nearest to whom, and how long the vectors are."""

    n_beside: int  # positions whose most similar other one is a direct neighbour
    shortest: int  # the position of the shortest vector
    shortest_length: float
    longest: int
    longest_length: float


def neighbours(
    table: Float32[np.ndarray, "position d_model"], similarity: Float32[np.ndarray, "n n"]
) -> Neighbours:
    """Of a table and its `cosine_similarity`."""
    others = np.where(np.eye(len(similarity), dtype=bool), -np.inf, similarity)
    beside = np.abs(others.argmax(axis=1) - np.arange(len(others))) == 1
    lengths = np.linalg.norm(table, axis=1)
    low, high = int(lengths.argmin()), int(lengths.argmax())
    return Neighbours(int(beside.sum()), low, float(lengths[low]), high, float(lengths[high]))


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
    """The directions in which positions differ most (Pearson 1901).

    Eigenvectors of the smaller of both products of the table with itself.

    Signs are chosen so that the last position's score is not negative: a snapshot's curve then
    does not flip from one to the next for no reason. Raises InputError for a single position.
    """
    if len(table) < 2:
        raise InputError("One position has no components: two at least can differ.")
    centred = table.astype(np.float64) - table.mean(axis=0, dtype=np.float64)
    wide = centred.shape[0] <= centred.shape[1]
    variances, vectors = np.linalg.eigh(centred @ centred.T if wide else centred.T @ centred)
    kept = min(n_components, len(variances))
    variances = np.maximum(variances[::-1], 0)  # the largest first
    vectors = vectors[:, ::-1][:, :kept]
    scores = vectors * np.sqrt(variances[:kept]) if wide else centred @ vectors
    scores *= np.where(scores[-1] < 0, -1, 1)
    return Components(
        read_only(scores.astype(np.float32)),
        read_only((variances[:kept] / (variances.sum() or 1.0)).astype(np.float32)),
    )
