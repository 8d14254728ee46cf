"""LoRA: a fine-tuning's *update* as a product of two thin matrices.

Hu et al. 2022, https://arxiv.org/abs/2106.09685, section 4.1: h = W₀x + ΔWx = W₀x + BAx, with B
(m × r) and A (r × n). LoRA trains B and A; here they are read off a finished update, whose best
approximation of rank r is its truncated singular value decomposition (Eckart & Young 1936): the
least error that any B and A of that rank can have. It is the update that is factored, not W.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32, Float64

from core.trace import read_only


@dataclass(frozen=True, slots=True, eq=False)
class Spectrum:
    """A matrix's singular value decomposition, largest values first."""

    left: Float32[np.ndarray, "m value"]
    values: Float32[np.ndarray, " value"]
    right: Float32[np.ndarray, "value n"]

    @property
    def shape(self) -> tuple[int, int]:
        return self.left.shape[0], self.right.shape[1]

    @property
    def nbytes(self) -> int:
        return self.left.nbytes + self.values.nbytes + self.right.nbytes

    def factors(
        self, rank: int
    ) -> tuple[Float32[np.ndarray, "m rank"], Float32[np.ndarray, "rank n"]]:
        """B and A of the best approximation: B = U_r Σ_r, A = V_rᵀ."""
        if not 0 <= rank <= len(self.values):
            raise ValueError(f"rank is 0 to {len(self.values)}, not {rank}")
        return self.left[:, :rank] * self.values[:rank], self.right[:rank]

    def kept(self) -> Float64[np.ndarray, " rank"]:
        """The share of ‖ΔW‖² that ranks 0, 1, 2, … keep."""
        return energy_kept(self.values)

    def approximation(self, rank: int) -> Float32[np.ndarray, "m n"]:
        """BA, the best approximation of a rank."""
        up, down = self.factors(rank)
        return up @ down

    def rank_for(self, share: float) -> int:
        """The smallest rank that keeps so large a share of ‖ΔW‖²."""
        return int(np.argmax(self.kept() >= share - 1e-12))


def spectrum(matrix: Float32[np.ndarray, "m n"]) -> Spectrum:
    """The singular value decomposition."""
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    return Spectrum(read_only(left), read_only(values), read_only(right))


def energy_kept(values: Float32[np.ndarray, " value"]) -> Float64[np.ndarray, " rank"]:
    """The share of ‖·‖² (Frobenius) that the largest 0, 1, 2, … singular values hold."""
    energy = np.concatenate([[0.0], np.cumsum(values.astype(np.float64) ** 2)])
    return energy / energy[-1] if energy[-1] > 0 else np.ones_like(energy)


def lora_parameters(m: int, n: int, rank: int) -> int:
    """r (m + n): B and A. A full update has m · n."""
    return rank * (m + n)


def adapter_parameters(d: int, rank: int) -> int:
    """2rd + r + d: a bottleneck of r units with both biases (Houlsby et al. 2019, section 2.1).

    https://arxiv.org/abs/1902.00751
    """
    return 2 * rank * d + rank + d


def layer_matrices(d: int) -> int:
    """12 d²: all matrices of a Transformer's layer whose feed-forward block is 4d wide."""
    return 12 * d * d
