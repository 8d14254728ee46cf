"""The ranked list of heads, of each thing that can be looked for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from app.components.head_grid import HeadId
from app.services import engine
from app.services.engine import TextTrace
from app.style.number_format import three
from core.data.known_roles import Layers
from core.explain.attention.find_heads import (
    FoundHead,
    heads_by_known_role,
    heads_by_pair,
    heads_by_relation,
    heads_by_role,
)
from core.explain.attention.head_roles import RoleScore, role_masses
from core.explain.attention.relation_heads import RelationHeads
from core.trace import AttentionKind

Cells = Mapping[str, Callable[[FoundHead], str]]


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """All heads that can be ranked, the first one first."""

    found: tuple[FoundHead, ...]
    columns: Cells  # what is printed of each
    score: str  # what a score is a share of


def of_pair(traced: TextTrace, kind: AttentionKind, cell: tuple[int, int]) -> Ranking:
    """By the weight between two tokens."""
    columns: Cells = {
        "weight": lambda one: three(one.score),
        "even share": lambda one: three(one.baseline),
        "× even": lambda one: three(one.score / one.baseline),
    }
    return Ranking(heads_by_pair(traced.trace.layers[kind], *cell), columns, "the query's weight")


def of_role(
    traced: TextTrace, kind: AttentionKind, role: str, named: Layers | None, *, by_file: bool
) -> Ranking:
    """By the weight on a role's places, here and over many texts."""
    masses = engine.derived(
        ("roles of a text", traced.request, kind), lambda: role_masses(traced.trace, kind)
    )
    here = heads_by_role(masses, role)
    many = heads_by_known_role(named or (), role)
    scores = _scores(named or (), role)
    by_head = {one.place: one for one in here}
    columns: dict[str, Callable[[FoundHead], str]] = {}
    if here:
        columns["here"] = lambda one: three(by_head[one.place].score)
        columns["even, here"] = lambda one: three(by_head[one.place].baseline)
    if many:
        columns["many texts"] = lambda one: three(scores[one.place].mass)
        columns["even"] = lambda one: three(scores[one.place].baseline)
        columns["above, at least"] = lambda one: three(scores[one.place].above.low)
        columns["texts"] = lambda one: str(scores[one.place].n_inputs)
    ranked = many if (by_file and many) or not here else here
    return Ranking(ranked, columns, "a head's weight")


def of_relation(found: RelationHeads) -> Ranking:
    """By the share of links found in the annotated sentences."""
    at = {place: index for index, place in enumerate(found.heads)}
    columns: Cells = {
        "finds": lambda one: f"{one.score:.0%}",
        "best guess": lambda one: f"{one.baseline:.0%}",
        "above, at least": lambda one: three(found.above[at[one.place]].low),
        "above, at most": lambda one: three(found.above[at[one.place]].high),
    }
    return Ranking(heads_by_relation(found), columns, "the links")


def _scores(named: Layers, role: str) -> Mapping[HeadId, RoleScore]:
    return {
        (one.layer, one.head): one.scores[role]
        for layer in named
        for one in layer
        if role in one.scores
    }
