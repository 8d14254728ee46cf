"""Which head does this? All heads of a kind, ranked by how far they lie above their baseline."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float32

from core.explain.attention.head_roles import HeadRole, RoleMasses
from core.explain.attention.relation_heads import RelationHeads
from core.trace import AttentionLayer


@dataclass(frozen=True, slots=True)
class FoundHead:
    """One head's score, and what needs no head to reach."""

    layer: int
    head: int
    score: float
    baseline: float  # even attention's share, or the best guess's

    @property
    def above(self) -> float:
        return self.score - self.baseline

    @property
    def place(self) -> tuple[int, int]:
        return self.layer, self.head


def heads_by_pair(layers: Sequence[AttentionLayer], query: int, key: int) -> tuple[FoundHead, ...]:
    """By the weight from one query to one key; even attention shares it among the visible keys."""
    return _ranked(
        FoundHead(at, head, float(weight), 1 / max(1, int(layer.allowed()[query].sum())))
        for at, layer in enumerate(layers)
        for head, weight in enumerate(layer.weights[:, query, key])
    )


def heads_by_role(masses: RoleMasses, role: str) -> tuple[FoundHead, ...]:
    """By a role's mass on one input; none where the input has no such places."""
    if role not in masses.roles:
        return ()
    at = masses.roles.index(role)
    return _ranked(
        FoundHead(layer, head, float(mass), float(even))
        for layer, (every, shares) in enumerate(zip(masses.masses, masses.even, strict=True))
        for head, (mass, even) in enumerate(zip(every[at], shares[at], strict=True))
        if not np.isnan(mass)
    )


def heads_by_known_role(layers: Iterable[Iterable[HeadRole]], role: str) -> tuple[FoundHead, ...]:
    """By a role's mass over many inputs."""
    return _ranked(
        FoundHead(one.layer, one.head, one.scores[role].mass, one.scores[role].baseline)
        for layer in layers
        for one in layer
        if role in one.scores
    )


def heads_by_relation(found: RelationHeads) -> tuple[FoundHead, ...]:
    """By the share of a relation's links that each head finds, beside the best guess's."""
    return _ranked(
        FoundHead(*place, accuracy.mean, found.baseline_accuracy)
        for place, accuracy in zip(found.heads, found.accuracy, strict=True)
    )


def clearest_input(
    inputs: Sequence[RoleMasses], role: str, layer: int, head: int
) -> tuple[int, FoundHead] | None:
    """The input on which a head's mass lies furthest above even attention's; None without one."""
    best: tuple[int, FoundHead] | None = None
    for at, one in enumerate(inputs):
        if role not in one.roles:
            continue
        row = one.roles.index(role)
        mass, even = float(one.masses[layer][row, head]), float(one.even[layer][row, head])
        if not np.isnan(mass) and (best is None or mass - even > best[1].above):
            best = at, FoundHead(layer, head, mass, even)
    return best


def strongest_place(
    weights: Float32[np.ndarray, "query key"],
    patterns: Mapping[str, Bool[np.ndarray, "query key"]],
    role: str,
) -> tuple[int, int] | None:
    """Where, among a role's places, most weight lies; None for a role without places."""
    if role not in patterns or not patterns[role].any():
        return None
    query, key = divmod(int(np.where(patterns[role], weights, -1).argmax()), weights.shape[1])
    return query, key


def _ranked(found: Iterable[FoundHead]) -> tuple[FoundHead, ...]:
    """Furthest above its baseline first; of equals the first layer's first head."""
    return tuple(sorted(found, key=lambda one: -one.above))
