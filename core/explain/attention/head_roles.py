"""Head roles: what each head does over many inputs, or that it does nothing clearly.

A role is a pattern of places (the token before, the first token, a patch's own row …). A head has
it if its weight there beats what even attention would put there by more than MARGIN, over at
least ENOUGH inputs, at the lower end of a bootstrap interval. Positional, delimiter and broad
heads: Clark et al. 2019, https://arxiv.org/abs/1906.04341, section 3, and Voita et al. 2019,
https://arxiv.org/abs/1905.09418; duplicate and induction heads: Olsson et al. 2022,
https://arxiv.org/abs/2209.11895; local, row and column heads of pictures: Cordonnier et al. 2020,
https://arxiv.org/abs/1911.03584.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from jaxtyping import Bool, Float32, Float64

from core.errors import InputError
from core.explain.attention.attention_distance import relative_entropies
from core.explain.attention.role_patterns import (
    ALIGNED,
    BROAD,
    SYNTACTIC,
    WIDER,
    role_patterns,
)
from core.explain.attention.written_norms import row_shares
from core.explain.attribution.bootstrap import Interval, mean_intervals_together
from core.trace import AttentionKind, AttentionLayer, Trace, read_only, refuse_sink

ENOUGH: Final = 50  # inputs, for a label
MARGIN: Final = 0.2  # of a head's weight, above the baseline
FOUND: Final = 0.1  # of the links that a head finds, above the best guess without a model
NEARLY_ALL: Final = 0.9  # of the largest possible entropy: a broad head
MARGINS: Final = {BROAD: 0.0, SYNTACTIC: FOUND, ALIGNED: FOUND}
NO_ROLE: Final = "no clear role"


@dataclass(frozen=True, slots=True, eq=False)
class RoleMasses:
    """How much weight the heads of one kind put on each role's places, on one input.

    NaN where no query of the input has such a place. BROAD's is the relative entropy: the rows'
    mean entropy as a share of the largest that the mask allows.
    """

    roles: tuple[str, ...]
    masses: tuple[Float32[np.ndarray, "role _"], ...]  # a layer each, its heads
    even: tuple[Float32[np.ndarray, "role _"], ...]  # what even attention puts there

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in (*self.masses, *self.even))


@dataclass(frozen=True, slots=True)
class RoleScore:
    """One role of one head over the inputs that have such places."""

    mass: float  # mean share of the weight; of BROAD, the relative entropy
    baseline: float  # mean share under even attention; of BROAD, NEARLY_ALL
    above: Interval  # of mass − baseline
    n_inputs: int
    of: str = ""  # of SYNTACTIC and ALIGNED, whose scores are shares of links: which links


@dataclass(frozen=True, slots=True)
class HeadRole:
    """What one head does."""

    layer: int
    head: int
    label: str  # a role, or NO_ROLE
    scores: Mapping[str, RoleScore]

    @property
    def strongest(self) -> str:
        """The role whose places hold most above their baseline, clear or not."""
        return max(self.scores, key=lambda role: self.scores[role].above.mean)


def role_masses(
    trace: Trace,
    kind: AttentionKind | None = None,
    *,
    norms: Sequence[Float32[np.ndarray, "head key"]] | None = None,
    only: Sequence[str] | None = None,
    places: Callable[[Any, Any], Mapping[str, np.ndarray]] = role_patterns,
) -> RoleMasses:
    """What the heads of a kind do on one input; `only`: of these roles.

    places: which keys count for each query, by role, given both encodings or grids.
    norms: of each layer, as `written_norms` gives them. Then a key counts by how much of it is
    written, α‖f(x)‖ (Kobayashi et al. 2020), as a share of the row's: a head that rests on a
    separator with little to write there doesn't count as one that does something there.
    Queries that are special tokens don't count. Raises InputError for a trace without tokens or
    patches, and for a model with a learned sink.
    """
    kind = kind or trace.kinds[0]
    refuse_sink(trace.layers[kind], "A head's role")
    queries, keys = trace.query_encoding(kind), trace.key_encoding(kind)
    found: list[tuple[np.ndarray, np.ndarray]] = []
    patterns: Mapping[str, np.ndarray] = {}
    known: tuple[object, object] | None = None
    for at, layer in enumerate(trace.layers[kind]):
        if queries is None and layer.query_grid is None:
            raise InputError(f"{trace.model_id} kept no tokens or patches of this input.")
        of_layer = layer.query_grid or queries, layer.key_grid or keys
        if of_layer != known:
            known, patterns = of_layer, places(*of_layer)
            if only is not None:
                patterns = {role: patterns[role] for role in only if role in patterns}
        written = None if norms is None else norms[at]
        found.append(_of_layer(layer, list(patterns.values()), written, broad=only is None))
    roles = tuple(patterns) if only is not None else (*patterns, BROAD)
    return RoleMasses(roles, tuple(mass for mass, _ in found), tuple(even for _, even in found))


def _of_layer(
    layer: AttentionLayer,
    patterns: Sequence[Bool[np.ndarray, "query key"]],
    norms: Float32[np.ndarray, "head key"] | None,
    *,
    broad: bool,
) -> tuple[np.ndarray, np.ndarray]:
    """(role, head) masses, and those of even attention."""
    weights, allowed = layer.weights, layer.allowed()
    open_keys = allowed.sum(axis=-1)
    share = allowed[None] / np.maximum(open_keys, 1)[:, None]  # even attention
    if norms is not None:
        weights, share = row_shares(weights * norms[:, None]), row_shares(share * norms[:, None])
    every = np.array(patterns, dtype=bool).reshape(len(patterns), *allowed.shape)  # maybe none
    seen = every & allowed
    counts = seen.any(axis=-1).sum(axis=-1)[:, None].astype(np.float32)  # queries concerned
    counts[counts == 0] = np.nan
    flat = seen.reshape(len(seen), allowed.size).astype(np.float32)
    masses = flat @ weights.reshape(len(weights), -1).T / counts
    even = flat @ share.reshape(len(share), -1).astype(np.float32).T / counts
    even = np.broadcast_to(even, masses.shape)
    if broad:
        relative = relative_entropies(weights, allowed)
        masses = np.concatenate([masses, relative[None]])
        even = np.concatenate([even, np.full_like(relative, NEARLY_ALL)[None]])
    return read_only(masses.astype(np.float32)), read_only(even.astype(np.float32))


def head_roles(inputs: Sequence[RoleMasses]) -> tuple[tuple[HeadRole, ...], ...]:
    """Every head's role over these inputs, layer by layer.

    The inputs may differ in the roles that they can tell of (induction needs repeated tokens).
    Raises ValueError for none.
    """
    if not inputs:
        raise ValueError("there are no roles without an input")
    scores = [[dict[str, RoleScore]() for _ in range(layer.shape[1])] for layer in inputs[0].masses]
    for role in dict.fromkeys(role for one in inputs for role in one.roles):
        measured = role_rows(inputs, role)
        intervals = mean_intervals_together([masses - even for masses, even in measured])
        for of_layer, (masses, even), found in zip(scores, measured, intervals, strict=True):
            for head, above in enumerate(found):
                mass, baseline = float(masses[:, head].mean()), float(even[:, head].mean())
                of_layer[head][role] = RoleScore(mass, baseline, above, len(masses))
    return tuple(
        tuple(HeadRole(layer, head, _label(found), found) for head, found in enumerate(of_layer))
        for layer, of_layer in enumerate(scores)
    )


def role_rows(
    inputs: Sequence[RoleMasses], role: str
) -> list[tuple[Float64[np.ndarray, "input head"], Float64[np.ndarray, "input head"]]]:
    """Of every layer what its heads put on the role's places, and what even attention would.

    Inputs that have no such place are left out; none may be left.
    """
    return [_rows(inputs, role, layer) for layer in range(len(inputs[0].masses))]


def _rows(inputs: Sequence[RoleMasses], role: str, layer: int) -> tuple[np.ndarray, np.ndarray]:
    rows = [
        (one.masses[layer][at], one.even[layer][at])
        for one in inputs
        if role in one.roles and not np.isnan(one.masses[layer][at := one.roles.index(role)]).any()
    ]
    none = np.zeros((0, inputs[0].masses[layer].shape[1]))
    if not rows:
        return none, none
    masses, even = (np.stack(part).astype(np.float64) for part in zip(*rows, strict=True))
    return masses, even


def with_scores(
    layers: Sequence[Sequence[HeadRole]], role: str, scores: Mapping[tuple[int, int], RoleScore]
) -> tuple[tuple[HeadRole, ...], ...]:
    """The same heads with one more role measured, and labelled anew."""

    def added(head: HeadRole) -> HeadRole:
        score = scores.get((head.layer, head.head))
        every = head.scores if score is None else {**head.scores, role: score}
        return HeadRole(head.layer, head.head, _label(every), every)

    return tuple(tuple(added(head) for head in layer) for layer in layers)


def _label(scores: Mapping[str, RoleScore]) -> str:
    """The role that holds most above its baseline, a narrow one before one that contains it.

    A head that finds links that no fixed place finds does that first: it may rest elsewhere.
    """

    def clear(role: str, score: RoleScore) -> bool:
        return score.n_inputs >= ENOUGH and score.above.low > MARGINS.get(role, MARGIN)

    held = {role: score.above.mean for role, score in scores.items() if clear(role, score)}
    linked = {role: above for role, above in held.items() if role in (SYNTACTIC, ALIGNED)}
    narrow = {role: above for role, above in held.items() if role not in WIDER}
    return max(linked or narrow or held, key=lambda role: held[role], default=NO_ROLE)
