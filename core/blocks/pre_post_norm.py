"""How large is the gradient in each layer at the start of training, by where the norm stands?

A real stack of encoder layers (multi-head attention, ReLU feed-forward), untrained, one batch,
one backward pass. Xiong et al. 2020, https://arxiv.org/abs/2002.04745: with post-norm the layers
near the output get large gradients whatever the depth, with pre-norm small and even ones.
Sandwich-norm: Ding et al. 2021, https://arxiv.org/abs/2105.13290; DeepNorm: Wang et al. 2022,
https://arxiv.org/abs/2203.00555.
"""

# torch comes without full types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from jaxtyping import Float64
from torch import Tensor
from torch.nn.functional import cross_entropy, layer_norm, scaled_dot_product_attention

from core.blocks.norms import deep_norm_constants
from core.trace import read_only

PLACEMENTS: Final = ("post", "pre", "sandwich", "deepnorm")
D_MODEL: Final = 64
HEADS: Final = 4
D_FF: Final = 256
SENTENCES, LENGTH, CLASSES = 4, 12, 100
DEEPEST: Final = 48


@dataclass(frozen=True, slots=True, eq=False)
class GradientDepth:
    """Norms by layer, first layer first."""

    placement: str
    loss: float
    feed_forward: Float64[np.ndarray, " layer"]  # ‖∂ loss / ∂ W₂‖, as Xiong et al. plot it
    attention: Float64[np.ndarray, " layer"]  # ‖∂ loss / ∂ W^O‖
    states: Float64[np.ndarray, " layer"]  # RMS of the layer's output: does it grow?


@dataclass(frozen=True, slots=True, eq=False)
class _Layer:
    """Weights for row vectors; q, k and v side by side."""

    joint: Tensor
    output: Tensor
    up: Tensor
    down: Tensor


def gradient_depth(placement: str, *, layers: int, seed: int) -> GradientDepth:
    """Build, run forward and back, and measure. `placement` is one of PLACEMENTS.

    All placements start from the same random numbers; DeepNorm scales some of them by β.
    """
    random = torch.Generator().manual_seed(seed)
    stack = [_layer(random, placement, layers) for _ in range(layers)]
    embedded = torch.randn(SENTENCES, LENGTH, D_MODEL, generator=random)
    targets = torch.randint(CLASSES, (SENTENCES * LENGTH,), generator=random)
    head = _xavier(random, D_MODEL, CLASSES)
    with torch.inference_mode(mode=False), torch.enable_grad():
        x, states = embedded, []
        for layer in stack:
            x = _around(placement, layers, x, lambda y, layer=layer: _attend(y, layer))
            x = _around(placement, layers, x, lambda y, layer=layer: _feed_forward(y, layer))
            states.append(float(x.detach().pow(2).mean().sqrt()))
        if placement in ("pre", "sandwich"):
            x = _norm(x)  # these leave the residual stream without a norm at its end
        loss = cross_entropy((x @ head).flatten(0, 1), targets)
        watched = [layer.down for layer in stack] + [layer.output for layer in stack]
        norms = [float(gradient.norm()) for gradient in torch.autograd.grad(loss, watched)]
    return GradientDepth(
        placement=placement,
        loss=float(loss.detach()),
        feed_forward=read_only(np.array(norms[:layers])),
        attention=read_only(np.array(norms[layers:])),
        states=read_only(np.array(states)),
    )


def _around(placement: str, layers: int, x: Tensor, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
    """The residual connection around a sublayer, with the norm where the placement has it."""
    match placement:
        case "post":
            return _norm(x + sublayer(x))
        case "pre":
            return x + sublayer(_norm(x))
        case "sandwich":
            return x + _norm(sublayer(_norm(x)))
        case "deepnorm":
            return _norm(deep_norm_constants(layers).alpha * x + sublayer(x))
        case _:
            raise ValueError(f"placement is one of {', '.join(PLACEMENTS)}, not {placement}")


def _norm(x: Tensor) -> Tensor:
    return layer_norm(x, (D_MODEL,))


def _attend(x: Tensor, layer: _Layer) -> Tensor:
    heads = (x @ layer.joint).unflatten(-1, (3, HEADS, D_MODEL // HEADS))
    q, k, v = heads.permute(2, 0, 3, 1, 4)  # (q k v, sentence, head, position, d_head)
    mixed = scaled_dot_product_attention(q, k, v)
    return mixed.transpose(1, 2).flatten(2) @ layer.output


def _feed_forward(x: Tensor, layer: _Layer) -> Tensor:
    return torch.relu(x @ layer.up) @ layer.down


def _layer(random: torch.Generator, placement: str, layers: int) -> _Layer:
    joint = torch.cat([_xavier(random, D_MODEL, D_MODEL) for _ in range(3)], dim=1)
    output = _xavier(random, D_MODEL, D_MODEL)
    up, down = _xavier(random, D_MODEL, D_FF), _xavier(random, D_FF, D_MODEL)
    if placement == "deepnorm":  # W^V, W^O and the feed-forward, not W^Q and W^K
        beta = deep_norm_constants(layers).beta
        joint[:, 2 * D_MODEL :] *= beta
        output, up, down = output * beta, up * beta, down * beta
    output.requires_grad_()
    down.requires_grad_()
    return _Layer(joint, output, up, down)


def _xavier(random: torch.Generator, inputs: int, outputs: int) -> Tensor:
    """Normal with variance 2 / (inputs + outputs) (Glorot & Bengio 2010)."""
    return torch.randn(inputs, outputs, generator=random) * (2 / (inputs + outputs)) ** 0.5
