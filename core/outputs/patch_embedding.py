"""From pixels to tokens, as values: what a picture model does before its first block."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from core.outputs.read_only_arrays import ReadOnlyArrays
from core.trace import PatchGrid


@dataclass(frozen=True, slots=True, eq=False)
class WorkedOutput:
    """One output number of the projection: products.sum() + bias = value."""

    products: Float32[np.ndarray, "row column 3"]  # pixel × weight
    bias: float
    value: float

    @property
    def total(self) -> float:
        """All products added up, in double precision."""
        return float(self.products.sum(dtype=np.float64))

    @property
    def by_pixel(self) -> Float32[np.ndarray, "row column"]:
        """The three colours' products added."""
        return np.ascontiguousarray(self.products.sum(axis=-1))


@dataclass(frozen=True, slots=True, eq=False)
class PatchEmbedding(ReadOnlyArrays):
    """Patches as the model reads them, the linear projection, and what is added to it.

    Dosovitskiy et al. 2021, https://arxiv.org/abs/2010.11929, equation 1: a patch is flattened
    and multiplied by E. timm writes E as a convolution whose stride is its kernel.
    """

    grid: PatchGrid
    pixels: Float32[np.ndarray, "patch row column 3"]  # normalised: what is multiplied
    filters: Float32[np.ndarray, "d_model row column 3"]  # one a row of E
    bias: Float32[np.ndarray, " d_model"]  # zeros in a model without
    projected: Float32[np.ndarray, "patch d_model"]
    embedded: Float32[np.ndarray, "patch d_model"]  # after the embedding's own norm, if any
    positions: Float32[np.ndarray, "patch d_model"] | None  # None: they come in elsewhere
    prefix_positions: Float32[np.ndarray, "prefix d_model"] | None  # None: these tokens have none
    norm: str  # the embedding's own norm (Swin's LayerNorm), "" without one

    def is_plain_sum(
        self, tokens: Float32[np.ndarray, "token d_model"], *, tolerance: float
    ) -> bool:
        """Whether the patches' tokens are their projections, normed, plus a position: no more."""
        expected = self.embedded + (0 if self.positions is None else self.positions)
        return bool(np.abs(tokens[-len(expected) :] - expected).max() < tolerance)

    def worked(self, patch: int, output: int) -> WorkedOutput:
        """The arithmetic behind `projected[patch, output]`."""
        products = self.pixels[patch] * self.filters[output]
        return WorkedOutput(
            products, float(self.bias[output]), float(self.projected[patch, output])
        )
