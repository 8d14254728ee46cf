"""What every neuron of the feed-forward networks writes to a logit directly.

A feed-forward network adds Σᵢ aᵢ wᵢ + b to the residual stream: aᵢ is neuron i's activation, wᵢ
its row of the last matrix. So its term of a logit (`logit_attribution`) falls apart by neurons,
each aᵢ times what wᵢ reads as through the unembedding: Geva et al. 2021, "Transformer Feed-Forward
Layers Are Key-Value Memories", https://arxiv.org/abs/2012.14913, section 2; Geva et al. 2022,
https://arxiv.org/abs/2203.14680, section 3. They leave norms out; here those after it are frozen
at their scale of this input (`frozen_path`), so that the sum is exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float, Float32, Float64, Int64

from core.explain.attribution.frozen_path import FrozenPath
from core.explain.attribution.logit_attribution import PushedTokens, pushed_tokens
from core.targets import LogitContrast
from core.trace import read_only

Strength = Literal["write", "activation"]  # by whose size neurons are the strongest


@dataclass(frozen=True, slots=True, eq=False)
class FeedForward:
    """The last matrix of one layer's feed-forward network, and what it read at a position."""

    activations: Float[np.ndarray, " neuron"]
    output: Float[np.ndarray, "neuron d_model"]
    bias: Float[np.ndarray, " d_model"]
    sublayer: int  # its place on the `FrozenPath`


@dataclass(frozen=True, slots=True, eq=False)
class NeuronWrites:
    """At one position; `strongest` names the neurons whose tokens are kept."""

    target: LogitContrast
    logit: float  # the model's own
    activations: Float32[np.ndarray, "layer neuron"]
    values: Float64[np.ndarray, "layer neuron"]  # what each adds to the target
    biases: Float64[np.ndarray, " layer"]  # what the networks' biases add
    strongest: Int64[np.ndarray, "layer rank"]
    up: PushedTokens  # a term is a neuron of `strongest`, at an activation of 1, layer by layer
    down: PushedTokens

    @property
    def nbytes(self) -> int:
        kept = (self.activations, self.values, self.strongest)
        tokens = (self.up, self.down)
        return sum(one.nbytes for one in kept) + sum(t.ids.nbytes + t.logits.nbytes for t in tokens)

    def term(self, layer: int, neuron: int) -> int:
        """Its place in `up` and `down`. Raises ValueError for one that is not among `strongest`."""
        return layer * self.strongest.shape[1] + self.strongest[layer].tolist().index(neuron)


def neuron_writes(
    networks: Sequence[FeedForward],
    path: FrozenPath,
    unembedding: Float[np.ndarray, "vocabulary width"],
    target: LogitContrast,
    logits: Float[np.ndarray, " vocabulary"],
    by: Strength = "write",
    count: int = 8,
) -> NeuronWrites:
    """Every neuron of every layer; the tokens of the `count` strongest of each layer."""
    direction, logit = unembedding[target.token].astype(np.float64), float(logits[target.token])
    if target.against is not None:
        direction = direction - unembedding[target.against]
        logit -= float(logits[target.against])
    reads = [path.pulled_back(direction[None], one.sublayer)[0] for one in networks]
    activations = np.stack([one.activations for one in networks])
    units = np.stack([one.output @ read for one, read in zip(networks, reads, strict=True)])
    values = activations * units
    size = np.abs(values if by == "write" else activations)
    strongest = np.argsort(-size, axis=1, kind="stable")[:, :count].astype(np.int64)
    vectors = [
        path.carried(one.output[chosen], one.sublayer)
        for one, chosen in zip(networks, strongest, strict=True)
    ]
    up, down = pushed_tokens(np.concatenate(vectors), unembedding)
    return NeuronWrites(
        target=target,
        logit=logit,
        activations=read_only(activations.astype(np.float32)),
        values=read_only(values),
        biases=read_only(
            np.array([one.bias @ read for one, read in zip(networks, reads, strict=True)])
        ),
        strongest=read_only(strongest),
        up=up,
        down=down,
    )
