"""What a test of f(PX) = P f(X) finds; `core.models.positions.equivariance` does it on a model."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32


@dataclass(frozen=True, slots=True, eq=False)
class Residuals:
    """The largest |f(PX) − P f(X)| after every layer, and of the output."""

    layers: Float32[np.ndarray, " layer"]  # none where windows keep tokens apart (Swin)
    output: float


@dataclass(frozen=True, slots=True, eq=False)
class Equivariance:
    """One order of the inputs, with positions dropped and with positions kept in place."""

    order: tuple[int, ...]
    dropped: Residuals
    kept: Residuals
    masked: Residuals | None  # dropped, and a mask put on that the model was not trained with
    mask: str  # what mask that is
    scale: float  # the largest |value| of the output: what a residual is to be held against
    quantity: str  # what the layers compare
    outputs: str  # what the output is


def order_of(n: int, seed: int) -> tuple[int, ...]:
    """A random order of n things that leaves at least one not in its place, if n > 1."""
    generator = np.random.default_rng(seed)
    order = generator.permutation(n)
    while n > 1 and (order == np.arange(n)).all():
        order = generator.permutation(n)
    return tuple(int(place) for place in order)
