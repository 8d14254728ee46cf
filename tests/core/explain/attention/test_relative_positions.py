"""Attention by relative position: by hand, beside the roles, and in any slices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.explain.attention.head_roles import head_roles, role_masses
from core.explain.attention.relative_positions import (
    COLUMNS,
    FARTHER,
    OFFSETS,
    REACH,
    SPECIAL,
    offset_masses,
    offset_means,
)
from core.explain.attribution.bootstrap import mean_intervals
from core.trace import AttentionKind, AttentionLayer, Encoding, Trace

BACK, SELF, AHEAD = (COLUMNS.index(name) for name in ("−1", "+0", "+1"))


def encoding(tokens: str) -> Encoding:
    every = tuple(tokens.split())
    places = np.arange(len(every), dtype=np.int64)
    special = np.array([token.startswith("[") for token in every])
    spans = np.stack([places, places + 1], 1)
    return Encoding(every, places, spans, places, special, np.zeros_like(places))


def trace(tokens: str, *maps: np.ndarray, target: str | None = None) -> Trace:
    """A layer a map, of two heads: the map, and even attention."""
    rows = len((target or tokens).split())
    even = np.full((rows, len(tokens.split())), 1 / len(tokens.split()))
    kind = AttentionKind.ENCODER if target is None else AttentionKind.CROSS
    layers = tuple(
        AttentionLayer(at, kind, 1.0, recorded_weights=np.stack([one, even]).astype(np.float32))
        for at, one in enumerate(maps)
    )
    more = {} if target is None else {"target_encoding": encoding(target)}
    return Trace("made up", {kind: layers}, {}, encoding=encoding(tokens), **more)


WEIGHTS = np.array(
    [
        [0.7, 0.1, 0.1, 0.1],  # [CLS]: no query
        [0.4, 0.3, 0.2, 0.1],
        [0.2, 0.5, 0.1, 0.2],
        [0.1, 0.1, 0.1, 0.7],  # [SEP]
    ]
)


def test_by_hand():
    """[CLS] a b [SEP]: a and b look, at each other, at themselves, at what is special."""
    found = offset_masses(trace("[CLS] a b [SEP]", WEIGHTS))
    by_hand = {"−1": 0.5, "+0": (0.3 + 0.1) / 2, "+1": 0.2, SPECIAL: (0.5 + 0.4) / 2}
    masses = dict(zip(found.roles, found.masses[0][:, 0], strict=True))
    assert {name: mass for name, mass in masses.items() if not np.isnan(mass)} == pytest.approx(
        by_hand
    )
    even = dict(zip(found.roles, found.even[0][:, 0], strict=True))
    assert even["−1"] == even["+0"] == pytest.approx(0.25)
    assert even[SPECIAL] == pytest.approx(0.5)


def test_what_lies_beyond_the_reach_is_one_column():
    n = REACH + 3
    rows = np.zeros((n, n))
    rows[:, 0] = 1  # all look at the first: the last two from beyond
    found = offset_masses(trace(" ".join("a" * n), rows))
    mass = found.masses[0][COLUMNS.index(FARTHER), 0]
    seen = [query for query in range(n) if query > REACH or n - 1 - query > REACH]
    assert mass == pytest.approx(sum(query > REACH for query in seen) / len(seen))


def test_what_a_mask_forbids_is_no_place():
    causal = np.array([[1, 0, 0], [0.25, 0.75, 0], [0.5, 0.25, 0.25]])
    layer = AttentionLayer(
        0, AttentionKind.DECODER, 1.0, recorded_weights=causal[None].astype(np.float32)
    )
    made = Trace("made up", {AttentionKind.DECODER: (layer,)}, {}, encoding=encoding("a b c"))
    found = offset_masses(made)
    assert np.isnan(found.masses[0][AHEAD, 0])
    assert found.masses[0][BACK, 0] == pytest.approx((0.25 + 0.25) / 2)
    assert found.even[0][BACK, 0] == pytest.approx((1 / 2 + 1 / 3) / 2)


def test_the_token_before_is_the_role_of_that_name():
    weights = np.random.default_rng(0).dirichlet(np.ones(6), 6)
    one = trace("[CLS] a b c d [SEP]", weights)
    roles, offsets = role_masses(one), offset_masses(one)
    for role, column in {"previous": BACK, "itself": SELF, "next": AHEAD}.items():
        at = roles.roles.index(role)
        np.testing.assert_allclose(offsets.masses[0][column], roles.masses[0][at])
        np.testing.assert_allclose(offsets.even[0][column], roles.even[0][at])


def test_means_and_intervals_are_of_the_inputs():
    random = np.random.default_rng(1)
    inputs = [
        offset_masses(trace("[CLS] a b [SEP]", *random.dirichlet(np.ones(4), (2, 4))))
        for _ in range(9)
    ]
    first, second = offset_means(inputs)
    for layer, means in enumerate((first, second)):
        rows = np.stack([one.masses[layer][BACK] for one in inputs]).astype(np.float64)
        for head, expected in enumerate(mean_intervals(rows)):
            found = means.mean[head, BACK], means.low[head, BACK], means.high[head, BACK]
            assert found == pytest.approx((expected.mean, expected.low, expected.high))
        assert means.n_inputs[BACK] == 9
        assert means.even[BACK] == pytest.approx(0.25)
    far = COLUMNS.index("+5")
    assert first.n_inputs[far] == 0
    assert np.isnan(first.mean[0, far])
    assert np.isnan(first.even[far])


def test_short_texts_count_only_where_they_reach():
    short = offset_masses(trace("a", np.ones((1, 1))))
    long = offset_masses(trace("a b", np.array([[0.5, 0.5], [0.75, 0.25]])))
    (means,) = offset_means([short, long])
    assert means.mean[0, BACK] == pytest.approx(0.75)
    assert means.mean[0, SELF] == pytest.approx((1 + (0.5 + 0.25) / 2) / 2)
    assert (means.n_inputs[BACK], means.n_inputs[SELF]) == (1, 2)


@given(st.lists(st.integers(1, 6), min_size=1, max_size=12), st.data())
def test_slices_make_the_whole(lengths: list[int], data: st.DataObject):
    """The same numbers however the inputs were cut into slices, and in one running sum."""
    random = np.random.default_rng(data.draw(st.integers(0, 99)))
    inputs = [
        offset_masses(trace(" ".join("a" * n), random.dirichlet(np.ones(n), n))) for n in lengths
    ]
    cut = data.draw(st.integers(0, len(inputs)))
    (whole,), (glued,) = offset_means(inputs), offset_means([*inputs[:cut], *inputs[cut:]])
    np.testing.assert_array_equal(whole.mean, glued.mean)
    sums, counts = np.zeros((2, len(COLUMNS))), np.zeros(len(COLUMNS))
    for one in inputs:
        known = ~np.isnan(one.masses[0][:, 0])
        sums[:, known] += one.masses[0][known].T
        counts += known
    np.testing.assert_array_equal(whole.n_inputs, counts)
    reached = counts > 0
    np.testing.assert_allclose(whole.mean[:, reached], sums[:, reached] / counts[reached])
    assert np.isnan(whole.mean[:, ~reached]).all()


def test_across_two_texts_places_are_counted_in_each():
    weights = np.array([[0.1, 0.9, 0.0], [0.2, 0.3, 0.5]])
    found = offset_masses(trace("a b [END]", weights, target="x y"))
    assert found.masses[0][SELF, 0] == pytest.approx((0.1 + 0.3) / 2)
    assert found.masses[0][AHEAD, 0] == pytest.approx(0.9)
    assert found.masses[0][BACK, 0] == pytest.approx(0.2)


def test_offsets_name_no_head():
    """They are places, not roles: a head is named by `head_roles` of its roles alone."""
    assert set(OFFSETS).isdisjoint(role_masses(trace("a b", np.eye(2))).roles)
    with pytest.raises(ValueError, match="without an input"):
        offset_means([])
    with pytest.raises(ValueError, match="without an input"):
        head_roles([])
