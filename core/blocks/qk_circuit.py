"""A head's learned comparison of tokens: q · k = x W^Q (W^K)ᵀ yᵀ = x M yᵀ.

M is no true metric: nothing makes it symmetric or positive. Its symmetric part says which tokens
look at each other, its antisymmetric part who looks at whom. Vaswani et al. 2017, section 3.2.2,
https://arxiv.org/abs/1706.03762; Elhage et al. 2021 call M the QK circuit,
https://transformer-circuits.pub/2021/framework/.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32, Float64

from core.trace import read_only


@dataclass(frozen=True, slots=True, eq=False)
class HeadMetric:
    """M and what it is made of, in double precision, so that its zeros show as zeros."""

    matrix: Float64[np.ndarray, "d_model d_model"]
    singular_values: Float64[np.ndarray, " d_model"]  # largest first
    tolerance: float  # singular values below it are rounding
    rank: int  # singular values above the tolerance
    d_head: int
    symmetric_share: float  # of ‖M‖²; 1: symmetric, 0: antisymmetric, about ½: random
    eigenvalues: Float64[np.ndarray, " d_model"]  # of the symmetric part, largest first

    @property
    def nbytes(self) -> int:
        return self.matrix.nbytes

    @property
    def attraction(self) -> float:
        """The sum of the positive eigenvalues: like draws like."""
        return float(np.maximum(self.eigenvalues, 0).sum())

    @property
    def repulsion(self) -> float:
        """The sum of the negative ones, as a positive number: like keeps off like."""
        return float(-np.minimum(self.eigenvalues, 0).sum())


def head_metric(
    query: Float32[np.ndarray, "d_model d_head"], key: Float32[np.ndarray, "d_model d_head"]
) -> HeadMetric:
    """M = W^Q (W^K)ᵀ, its spectrum and its two parts."""
    matrix = query.astype(np.float64) @ key.astype(np.float64).T
    values = np.linalg.svd(matrix, compute_uv=False)
    tolerance = float(values[0] * len(matrix) * np.finfo(np.float64).eps)
    symmetric, _ = parts(matrix)
    return HeadMetric(
        matrix=read_only(matrix),
        singular_values=read_only(values),
        tolerance=tolerance,
        rank=int((values > tolerance).sum()),
        d_head=query.shape[1],
        symmetric_share=float((symmetric**2).sum() / (matrix**2).sum()),
        eigenvalues=read_only(np.linalg.eigvalsh(symmetric)[::-1]),
    )


def symmetric_share(
    query: Float32[np.ndarray, "d_model d_head"], key: Float32[np.ndarray, "d_model d_head"]
) -> float:
    """The same share without M: ½ + ½ tr(M²) / ‖M‖², from matrices of d_head × d_head."""
    query, key = query.astype(np.float64), key.astype(np.float64)
    cross = key.T @ query
    norm = ((query.T @ query) * (key.T @ key)).sum()
    return float(0.5 + 0.5 * (cross * cross.T).sum() / norm)


def parts(
    matrix: Float64[np.ndarray, "size size"],
) -> tuple[Float64[np.ndarray, "size size"], Float64[np.ndarray, "size size"]]:
    """The symmetric part (M + Mᵀ)/2 and the antisymmetric (M − Mᵀ)/2; they sum to M."""
    return (matrix + matrix.T) / 2, (matrix - matrix.T) / 2
