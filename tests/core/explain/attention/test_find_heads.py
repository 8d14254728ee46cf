"""Heads looked for: ranked above their baselines, by hand, on constructed attention."""

import numpy as np
import pytest

from core.explain.attention.find_heads import (
    FoundHead,
    clearest_input,
    heads_by_known_role,
    heads_by_pair,
    heads_by_relation,
    heads_by_role,
    strongest_place,
)
from core.explain.attention.head_roles import HeadRole, RoleMasses, RoleScore
from core.explain.attention.relation_heads import RelationHeads
from core.explain.attention.relations import Relation
from core.explain.attribution.bootstrap import Interval
from core.trace import AttentionKind, AttentionLayer


def layer(at: int, *maps: list[list[float]], kind: AttentionKind = AttentionKind.ENCODER):
    return AttentionLayer(at, kind, 1.0, recorded_weights=np.array(maps, dtype=np.float32))


def masses(role: str, mass: list[list[float]], even: float) -> RoleMasses:
    rows = tuple(np.array([of_layer], dtype=np.float32) for of_layer in mass)
    return RoleMasses((role,), rows, tuple(np.full_like(one, even) for one in rows))


def places(found: tuple[FoundHead, ...]) -> list[tuple[int, int]]:
    return [one.place for one in found]


def test_a_pair_by_its_weight_beside_even_attention():
    layers = [
        layer(0, [[0.5, 0.5], [0.25, 0.75]], [[0.5, 0.5], [1.0, 0.0]]),
        layer(1, [[0.5, 0.5], [0.5, 0.5]], [[0.5, 0.5], [0.25, 0.75]]),
    ]
    found = heads_by_pair(layers, 1, 0)
    assert places(found) == [(0, 1), (1, 0), (0, 0), (1, 1)]  # of equals the first
    assert [one.score for one in found] == [1.0, 0.5, 0.25, 0.25]
    assert {one.baseline for one in found} == {0.5}
    assert found[0].above == 0.5


def test_even_attention_is_shared_among_what_may_be_seen():
    causal = [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.2, 0.2, 0.6]]
    (found,) = heads_by_pair([layer(0, causal, kind=AttentionKind.DECODER)], 1, 0)
    assert (found.score, found.baseline) == (0.5, 0.5)


def test_a_role_on_one_text():
    one = masses("previous", [[0.2, 0.9], [0.5, np.nan]], even=0.25)
    found = heads_by_role(one, "previous")
    assert places(found) == [(0, 1), (1, 0), (0, 0)]
    assert found[2].above == pytest.approx(-0.05)
    assert heads_by_role(one, "induction") == ()


def score(mass: float, baseline: float) -> RoleScore:
    return RoleScore(mass, baseline, Interval(mass - baseline, 0, 1), 60)


def test_a_role_over_many_texts():
    heads = [
        [HeadRole(0, 0, "next", {"next": score(0.9, 0.1)}), HeadRole(0, 1, "first", {})],
        [HeadRole(1, 0, "next", {"next": score(0.95, 0.05)})],
    ]
    assert places(heads_by_known_role(heads, "next")) == [(1, 0), (0, 0)]
    assert heads_by_known_role(heads, "duplicate") == ()


def test_a_relation_beside_its_best_guess():
    intervals = tuple(Interval(mean, 0, 1) for mean in (0.4, 0.8))
    table = RelationHeads(
        relation=Relation("det", "head"),
        heads=((0, 0), (0, 1)),
        n_links=30,
        n_sentences=20,
        baseline="+1",
        baseline_accuracy=0.5,
        accuracy=intervals,
        above=intervals,
        held_out=0.7,
    )
    assert heads_by_relation(table) == (FoundHead(0, 1, 0.8, 0.5), FoundHead(0, 0, 0.4, 0.5))


def test_the_clearest_text_is_furthest_above_its_own_baseline():
    texts = [
        masses("next", [[0.6, 0.9]], even=0.5),
        masses("next", [[0.5, 0.9]], even=0.1),
        masses("first", [[1.0, 1.0]], even=0.0),
        masses("next", [[np.nan, np.nan]], even=0.0),
    ]
    found = clearest_input(texts, "next", 0, 0)
    assert found is not None
    at, head = found
    assert at == 1
    assert (head.place, head.score, head.baseline) == ((0, 0), 0.5, pytest.approx(0.1))
    assert clearest_input(texts, "duplicate", 0, 0) is None


def test_where_it_shows_is_the_largest_weight_on_the_roles_places():
    weights = np.array([[0.9, 0.1], [0.4, 0.6]], dtype=np.float32)
    back = np.array([[False, False], [True, False]])
    assert strongest_place(weights, {"previous": back}, "previous") == (1, 0)
    assert strongest_place(weights, {"previous": back}, "broad") is None
    assert strongest_place(weights, {"next": np.zeros((2, 2), bool)}, "next") is None
