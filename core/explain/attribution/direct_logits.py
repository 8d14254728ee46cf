"""What every head, and every token through it, adds to a logit directly.

The residual stream is a sum: the first tokens, and what each head, each MLP and each bias adds.
With the last norm's scale frozen at this picture's, a logit is linear in that sum, so it falls
apart into the same terms: Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits",
https://transformer-circuits.pub/2021/framework; for ViT's heads and patches Gandelsman et al.
2024, https://arxiv.org/abs/2310.05916, section 3. What a term does by way of later layers counts
for them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Float64

from core.trace import AttentionLayer


@dataclass(frozen=True, slots=True, eq=False)
class DirectLogits:
    """The terms of one logit; they add up to it."""

    start: float  # the tokens that enter the first layer
    heads: Float64[np.ndarray, "layer head"]
    mlps: Float64[np.ndarray, " layer"]
    constant: float  # biases: the same for every picture but for the frozen scale

    @property
    def logit(self) -> float:
        return self.start + float(self.heads.sum() + self.mlps.sum()) + self.constant


def through_heads(
    layer: AttentionLayer,
    writes: Float[np.ndarray, "head d_value d_model"],
    directions: Float[np.ndarray, "query d_model"],
) -> Float64[np.ndarray, "head key"]:
    """Σ over queries of weight × (value · writes · direction): what every token adds.

    directions: what a unit of each query's residual stream adds to the logit. Raises ValueError
    for a layer whose values were not caught.
    """
    if layer.values is None:
        raise ValueError(f"layer {layer.index} keeps no values")
    read = np.einsum("qm,hdm->hqd", directions, writes, dtype=np.float64)
    moved = np.einsum("hqk,hqd->hkd", layer.weights, read)
    return np.einsum("hkd,hkd->hk", moved, layer.values)


def direct_logits(
    layers: Sequence[AttentionLayer],
    states: Sequence[Float[np.ndarray, "token d_model"]],
    writes: Sequence[Float[np.ndarray, "head d_value d_model"]],
    biases: Sequence[Float[np.ndarray, " d_model"]],
    directions: Float[np.ndarray, "token d_model"],
    constant: float,
) -> DirectLogits:
    """Every term of a logit = Σ directions · last states + constant.

    states: what enters the first layer, then what every layer gives. writes and biases: of every
    layer's output projection. What a layer adds beside its attention is its MLP's.
    """
    read = [float((directions.astype(np.float64) * state).sum()) for state in states]
    heads = np.stack(
        [
            through_heads(layer, write, directions).sum(axis=1)
            for layer, write in zip(layers, writes, strict=True)
        ]
    )
    fixed = [float(directions.sum(axis=0, dtype=np.float64) @ bias) for bias in biases]
    mlps = np.diff(read) - heads.sum(axis=1) - fixed
    return DirectLogits(read[0], heads, mlps, constant + sum(fixed))
