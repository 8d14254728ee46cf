"""From a position's residual stream to what the unembedding reads, as a sum's linear map.

What lies on that way is linear but for two things, and both are frozen at what they are for this
input: a norm divides by a number (its *scale*), and an activation a(z) multiplies each z by
a(z) / z (its *gate*, Φ(z) for GELU). Frozen, the way is an affine map, so what goes in as a sum
comes out as the sum of its terms and the offsets. Norms: Elhage et al. 2021, "A Mathematical
Framework for Transformer Circuits", https://transformer-circuits.pub/2021/framework. Activations:
the identity rule of layer-wise relevance propagation, Ali et al. 2022,
https://arxiv.org/abs/2202.07304, section 3.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Float64

Vectors = Float64[np.ndarray, "term _width"]


@dataclass(frozen=True, slots=True, eq=False)
class FrozenNorm:
    """gain · (x − mean) / scale + offset; RMSNorm takes no mean away."""

    gain: Float[np.ndarray, " d_model"]
    offset: Float[np.ndarray, " d_model"]
    scale: float  # √(variance + ε) of this input
    centred: bool

    def linear(self, vectors: Vectors) -> Vectors:
        moved = vectors - vectors.mean(axis=1, keepdims=True) if self.centred else vectors
        return moved * (self.gain.astype(np.float64) / self.scale)

    def transposed(self, directions: Vectors) -> Vectors:
        found = directions * (self.gain.astype(np.float64) / self.scale)
        return found - found.mean(axis=1, keepdims=True) if self.centred else found


@dataclass(frozen=True, slots=True, eq=False)
class FrozenGate:
    """gate · x, number by number."""

    gate: Float[np.ndarray, " width"]

    @property
    def offset(self) -> Float[np.ndarray, " width"]:
        return np.zeros_like(self.gate)

    def linear(self, vectors: Vectors) -> Vectors:
        return vectors * self.gate

    def transposed(self, directions: Vectors) -> Vectors:
        return directions * self.gate


@dataclass(frozen=True, slots=True, eq=False)
class Dense:
    """x W + b."""

    weight: Float[np.ndarray, "d_in d_out"]
    offset: Float[np.ndarray, " d_out"]

    def linear(self, vectors: Vectors) -> Vectors:
        return vectors @ self.weight.astype(np.float64)

    def transposed(self, directions: Vectors) -> Vectors:
        return directions @ self.weight.T.astype(np.float64)


FrozenMap = FrozenNorm | FrozenGate | Dense
"""One step: x ↦ linear(x) + offset."""


@dataclass(frozen=True, slots=True, eq=False)
class FrozenPath:
    """At one position, for one input.

    norms: the one after each sublayer (post-LN), or None (pre-LN). readout: from the last
    sublayer to what the unembedding reads.
    """

    norms: Sequence[FrozenMap | None]
    readout: Sequence[FrozenMap]

    def carried(self, vectors: Float[np.ndarray, "term d_model"], sublayer: int) -> Vectors:
        """What terms that sublayer `sublayer` adds (−1: the embeddings) become at the end."""
        found = vectors.astype(np.float64)
        for step in self._after(sublayer):
            found = step.linear(found)
        return found

    def pulled_back(self, directions: Float[np.ndarray, "term width"], sublayer: int) -> Vectors:
        """(term, d_model): carried(x) · direction = x · pulled_back(direction), for any x."""
        found = directions.astype(np.float64)
        for step in reversed(tuple(self._after(sublayer))):
            found = step.transposed(found)
        return found

    def norm_offset(self, sublayer: int) -> Vectors | None:
        """(1, width): what the offset of the norm after a sublayer becomes at the end."""
        norm = self.norms[sublayer]
        return None if norm is None else self.carried(norm.offset[None], sublayer + 1)

    def readout_offset(self) -> Vectors | None:
        """(1, width): what the offsets of the readout's own steps become; None without any."""
        found: Vectors | None = None
        for step in self.readout:
            before = 0.0 if found is None else step.linear(found)
            found = before + step.offset[None].astype(np.float64)
        return found

    @property
    def gated(self) -> bool:
        """Whether an activation lies on the way; a constant factor (T5's) is none."""
        gates = (step.gate for step in self.readout if isinstance(step, FrozenGate))
        return any(not np.allclose(gate, gate[0]) for gate in gates)

    def _after(self, sublayer: int) -> Iterable[FrozenMap]:
        yield from (norm for norm in self.norms[max(sublayer, 0) :] if norm is not None)
        yield from self.readout
