"""Absmax int8: 8-bit whole numbers for weights, with one step for each block of them.

Dettmers et al. 2022, "LLM.int8()", section 2.1, https://arxiv.org/abs/2208.07339 (one step a
matrix or row); blocks: Dettmers et al. 2022, "8-bit Optimizers", section 2.1,
https://arxiv.org/abs/2110.02861. One large weight makes the whole block's step large: blocks keep
an outlier's harm to its own neighbours.
"""

# numpy's division with `out` comes without a type.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32, Float64, Int8

from core.errors import InputError
from core.trace import read_only

TOP = 127
STEP_BYTES = 4  # each block's step is a float32


@dataclass(frozen=True, slots=True, eq=False)
class Quantised:
    """Codes and steps, and what they stand for."""

    codes: Int8[np.ndarray, "m n"]
    steps: Float32[np.ndarray, " block"]
    restored: Float32[np.ndarray, "m n"]  # code · step

    @property
    def bytes_stored(self) -> int:
        """One byte a weight, four a block."""
        return self.codes.size + STEP_BYTES * self.steps.size

    @property
    def codes_used(self) -> int:
        """How many of the 255 codes occur."""
        return len(np.unique(self.codes))

    def zeroed(self, matrix: Float32[np.ndarray, "m n"]) -> float:
        """The share of all weights of `matrix` that were not 0 and became it."""
        return float(((self.codes == 0) & (matrix != 0)).mean())

    @property
    def nbytes(self) -> int:
        return self.codes.nbytes + self.steps.nbytes + self.restored.nbytes


def absmax_int8(
    values: Float64[np.ndarray, "*axes"],
) -> tuple[Float64[np.ndarray, "*axes"], float]:
    """q = round(127 / absmax · x), whole numbers from −127 to 127, and the step absmax / 127.

    The way back is x ≈ q · step, off by half a step at most. Zeros have step 0, and so have
    values below 127 times the smallest normal float64, 2.8e-306, which count as zeros.
    """
    largest = float(np.abs(values).max())
    if largest < _least(np.float64):
        return np.zeros_like(values), 0.0
    return np.round(values / largest * TOP), largest / TOP


def quantise(matrix: Float32[np.ndarray, "m n"], block: int | None = None) -> Quantised:
    """The matrix in blocks of so many neighbours, row by row; None: one block.

    A block of values below 127 times the smallest normal float32, 1.5e-36, counts as zeros.
    Raises InputError for blocks that are not at least one weight.
    """
    if block is not None and block < 1:
        raise InputError(f"A block has at least one weight, not {block}. Give 1 or more.")
    size = matrix.size if block is None else min(block, matrix.size)
    flat = np.pad(matrix.reshape(-1), (0, -matrix.size % size)).reshape(-1, size)
    largest = np.abs(flat).max(axis=1, keepdims=True).astype(np.float64)
    largest[largest < _least(np.float32)] = 0
    scale = np.divide(TOP, largest, out=np.zeros_like(largest), where=largest > 0)
    codes = np.round(flat * scale).astype(np.int8)
    steps = (largest / TOP).astype(np.float32)
    restored = (codes * steps).reshape(-1)[: matrix.size].reshape(matrix.shape)
    return Quantised(
        codes=read_only(codes.reshape(-1)[: matrix.size].reshape(matrix.shape)),
        steps=read_only(steps[:, 0]),
        restored=read_only(restored.astype(np.float32)),
    )


def _least(kind: type[np.floating]) -> float:
    """The absmax below which a step would be subnormal: far from absmax / 127, and in the end 0."""
    return TOP * float(np.finfo(kind).tiny)


def with_outlier(matrix: Float32[np.ndarray, "m n"], times: float) -> Float32[np.ndarray, "m n"]:
    """A copy whose first weight is so many times as large as the largest; 1 changes nothing."""
    spoiled = matrix.copy()
    if times != 1:
        spoiled[0, 0] = times * np.abs(matrix).max()
    return spoiled


def relative_error(
    matrix: Float32[np.ndarray, "m n"], approximation: Float32[np.ndarray, "m n"]
) -> float:
    """‖approximation − W‖ / ‖W‖ (Frobenius)."""
    norm = float(np.linalg.norm(matrix.astype(np.float64)))
    off = float(np.linalg.norm(approximation.astype(np.float64) - matrix))
    return off / norm if norm > 0 else 0.0
