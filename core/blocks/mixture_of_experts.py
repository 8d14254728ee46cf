"""Mixture of experts: a router sends each token to a few of many feed-forward networks.

Shazeer et al. 2017, https://arxiv.org/abs/1701.06538 (top-k gates); Fedus et al. 2022 (Switch),
https://arxiv.org/abs/2101.03961, section 2.2: the load-balancing loss α · N · Σ f_i P_i, with f_i
the share of tokens sent to expert i and P_i the mean probability that the router gives it; and
the capacity (tokens / N) · factor, beyond which a token is passed on untouched.
"""

from dataclasses import dataclass
from math import ceil

import numpy as np
from jaxtyping import Bool, Float32, Float64, Int64

from core.errors import InputError
from core.trace import read_only, softmax


@dataclass(frozen=True, slots=True, eq=False)
class Routing:
    """Where each token goes, first choice first."""

    probabilities: Float32[np.ndarray, "token expert"]
    chosen: Int64[np.ndarray, "token k"]
    gates: Float32[np.ndarray, "token k"]  # softmax over the chosen alone; rows sum to one
    accepted: Bool[np.ndarray, "token k"]  # False: the expert was full

    @property
    def load(self) -> Int64[np.ndarray, " expert"]:
        """Accepted tokens of every expert."""
        return np.bincount(self.chosen[self.accepted], minlength=self.probabilities.shape[1])

    @property
    def even_load(self) -> float:
        """What every expert would get if the accepted choices were shared evenly."""
        return float(self.accepted.sum() / self.probabilities.shape[1])

    @property
    def n_dropped(self) -> int:
        """Choices that found their expert full."""
        return int((~self.accepted).sum())

    @property
    def gate_matrix(self) -> Float32[np.ndarray, "token expert"]:
        """Every token's gates in the experts' places; 0 where it was not sent, or not accepted."""
        gates = np.zeros_like(self.probabilities)
        np.put_along_axis(gates, self.chosen, self.gates * self.accepted, axis=1)
        return gates

    @property
    def balance(self) -> float:
        """N · Σ f_i P_i over first choices: 1 when even, N when one expert gets all."""
        n_experts = self.probabilities.shape[1]
        sent = np.bincount(self.chosen[:, 0], minlength=n_experts) / len(self.chosen)
        return float(n_experts * (sent * self.probabilities.mean(axis=0)).sum())


def toy_router(d_model: int, n_experts: int, *, seed: int) -> Float64[np.ndarray, "d_model expert"]:
    """A random router, untrained: normal numbers of variance 1 / d_model."""
    return np.random.default_rng(seed).normal(0, d_model**-0.5, (d_model, n_experts))


def route(
    states: Float32[np.ndarray, "token d_model"],
    router: Float64[np.ndarray, "d_model expert"],
    *,
    k: int,
    capacity_factor: float | None = None,
) -> Routing:
    """Each token's k best experts; under a capacity, in their order, all first choices first.

    States are normalised to unit variance first, so that a router of random numbers is not drowned
    by a model's few large dimensions. Raises InputError for k out of range.
    """
    n_experts = router.shape[1]
    if not 1 <= k <= n_experts:
        raise InputError(f"A token goes to 1 to {n_experts} experts, not {k}.")
    centred = states - states.mean(axis=1, keepdims=True)
    normed = centred / (centred.std(axis=1, keepdims=True) + 1e-6)
    logits = (normed @ router).astype(np.float32)
    chosen = np.argsort(-logits, axis=1, kind="stable")[:, :k]
    gates = softmax(np.take_along_axis(logits, chosen, axis=1))
    accepted = np.ones(chosen.shape, dtype=bool)
    if capacity_factor is not None:
        capacity = ceil(len(states) * k / n_experts * capacity_factor)
        room = np.full(n_experts, capacity)
        for choice in range(k):
            for token, expert in enumerate(chosen[:, choice]):
                accepted[token, choice] = room[expert] > 0
                room[expert] -= 1
    return Routing(
        read_only(softmax(logits)), read_only(chosen), read_only(gates), read_only(accepted)
    )
