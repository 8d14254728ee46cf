"""What one layer did to the residual stream, sublayer by sublayer.

A sublayer is attention, cross-attention or the feed-forward network (Vaswani et al. 2017,
section 3.1). *Post-LN* (the paper, BERT, Marian, BART) norms the sum: LayerNorm(x + f(x)).
*Pre-LN* (GPT-2, T5, Llama) norms what the sublayer reads: x + f(LayerNorm(x)); Xiong et al.
2020, https://arxiv.org/abs/2002.04745, figure 1.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from jaxtyping import Float32


class Part(StrEnum):
    """Which sublayer."""

    ATTENTION = "attention"
    CROSS = "cross"
    MLP = "mlp"


@dataclass(frozen=True, slots=True, eq=False)
class Sublayer:
    """x, f and the norm of one sublayer."""

    part: Part
    pre_norm: bool
    received: Float32[np.ndarray, "position d_model"]  # x, the residual stream before it
    output: Float32[np.ndarray, "position d_model"]  # f(x), or f(LayerNorm(x)) in pre-LN
    normed: Float32[np.ndarray, "position d_model"]  # LayerNorm(x + f(x)), or LayerNorm(x)

    @property
    def total(self) -> Float32[np.ndarray, "position d_model"]:
        """x + f: what post-LN norms, and what pre-LN passes on."""
        return self.received + self.output

    @property
    def read(self) -> Float32[np.ndarray, "position d_model"]:
        """What the sublayer's own matrices see."""
        return self.normed if self.pre_norm else self.received

    @property
    def passed_on(self) -> Float32[np.ndarray, "position d_model"]:
        """What the next sublayer receives."""
        return self.total if self.pre_norm else self.normed


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """One layer of a stack, sublayers in the order in which they ran."""

    index: int
    sublayers: tuple[Sublayer, ...]

    def sublayer(self, part: Part) -> Sublayer:
        """Raises ValueError for a layer without it."""
        for one in self.sublayers:
            if one.part == part:
                return one
        raise ValueError(f"layer {self.index} has {[str(one.part) for one in self.sublayers]}")

    @property
    def pre_norm(self) -> bool:
        return self.sublayers[0].pre_norm

    @property
    def attention_output(self) -> Float32[np.ndarray, "position d_model"]:
        """What self-attention adds to the residual stream, W^O applied."""
        return self.sublayer(Part.ATTENTION).output

    @property
    def residual_mid(self) -> Float32[np.ndarray, "position d_model"]:
        """x + attention_output, before any norm."""
        return self.sublayer(Part.ATTENTION).total

    @property
    def mlp_output(self) -> Float32[np.ndarray, "position d_model"]:
        """What the feed-forward network adds to the residual stream."""
        return self.sublayer(Part.MLP).output
