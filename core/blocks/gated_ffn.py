"""Feed-forward blocks with a gate: GLU, ReGLU, GeGLU, SwiGLU.

Shazeer 2020, "GLU Variants Improve Transformer", equations 5 and 6, without biases:
FFN(x) = (f(x W) ⊙ x V) W₂, with f = σ, ReLU, GELU, Swish₁. https://arxiv.org/abs/2002.05202
The second projection V is what makes it a gate: without it, SwiGLU is only Swish.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Float64

from core.blocks.activations import (
    Points,
    gelu,
    gelu_slope,
    relu,
    relu_slope,
    sigmoid,
    swish,
    swish_slope,
)
from core.trace import read_only


@dataclass(frozen=True, slots=True)
class Gate:
    """The function f of one variant, and its derivative."""

    title: str
    value: Callable[[Points], Points]
    slope: Callable[[Points], Points]


GATES: Final = {
    "swiglu": Gate("SwiGLU", swish, swish_slope),
    "geglu": Gate("GeGLU", gelu, gelu_slope),
    "reglu": Gate("ReGLU", relu, relu_slope),
    "glu": Gate("GLU", sigmoid, lambda x: sigmoid(x) * (1 - sigmoid(x))),
}


@dataclass(frozen=True, slots=True, eq=False)
class GatedBlock:
    """The three matrices, for row vectors."""

    gate: Float64[np.ndarray, "d_model d_ff"]  # W
    up: Float64[np.ndarray, "d_model d_ff"]  # V
    down: Float64[np.ndarray, "d_ff d_model"]  # W₂


@dataclass(frozen=True, slots=True, eq=False)
class GatedSteps:
    """One vector's way through the block."""

    gate_input: Float64[np.ndarray, " d_ff"]  # x W
    gate: Float64[np.ndarray, " d_ff"]  # f(x W)
    value: Float64[np.ndarray, " d_ff"]  # x V, the second projection
    hidden: Float64[np.ndarray, " d_ff"]  # f(x W) ⊙ x V
    output: Float64[np.ndarray, " d_model"]  # hidden · W₂


def random_block(d_model: int, d_ff: int, *, seed: int) -> GatedBlock:
    """Untrained matrices with variance 1 / inputs."""
    random = np.random.default_rng(seed)
    gate, up = random.normal(0, d_model**-0.5, (2, d_model, d_ff))
    down = random.normal(0, d_ff**-0.5, (d_ff, d_model))
    return GatedBlock(read_only(gate), read_only(up), read_only(down))


def gated_steps(x: Float64[np.ndarray, " d_model"], block: GatedBlock, kind: str) -> GatedSteps:
    """Everything between the input and the output of a block of `kind`, one of GATES."""
    gate_input, value = x @ block.gate, x @ block.up
    gate = GATES[kind].value(gate_input)
    hidden = gate * value
    return GatedSteps(gate_input, gate, value, hidden, hidden @ block.down)


def gate_surface(
    gate: Float64[np.ndarray, " gate"], value: Float64[np.ndarray, " value"], kind: str
) -> tuple[
    Float64[np.ndarray, "gate value"],
    Float64[np.ndarray, "gate value"],
    Float64[np.ndarray, "gate value"],
]:
    """f(a) · b over a grid, and its derivatives f′(a) · b by a and f(a) by b."""
    function = GATES[kind]
    open_, slope = function.value(gate)[:, None], function.slope(gate)[:, None]
    across = value[None, :]
    return open_ * across, slope * across, np.broadcast_to(open_, (len(gate), len(value))).copy()


def equal_width(d_ff: int) -> int:
    """The d_ff of a gated block with as many parameters: ⅔, since it has three matrices."""
    return round(2 * d_ff / 3)
