"""How much of a head's attention moves: by hand, by its properties, and on a real forward pass."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import core
from core.errors import InputError
from core.explain.attention.minimal_pairs import (
    MinimalPair,
    layer_changes,
    minimal_pair,
    paired_maps,
)
from core.explain.attention.token_pairs import TokenPairs, pair_tokens
from tests.core.explain.attention.test_token_pairs import encoded

REPLACED = pair_tokens(encoded("a b c"), encoded("a x c"))  # b and x stand alone
FIRST = np.array([[[0.5, 0.2, 0.3], [0, 1, 0], [0.1, 0.9, 0.0]]], dtype=np.float32)
SECOND = np.array([[[0.1, 0.2, 0.7], [0, 0, 1], [0.1, 0.5, 0.4]]], dtype=np.float32)


def test_what_moves_by_hand():
    maps = paired_maps(FIRST, SECOND, REPLACED, REPLACED)  # columns a, c, what differs
    np.testing.assert_allclose(maps.first[0], [[0.5, 0.3, 0.2], [0.1, 0.0, 0.9]])
    np.testing.assert_allclose(maps.difference[0], [[-0.4, 0.4, 0], [0, 0.4, -0.4]], atol=1e-7)
    np.testing.assert_allclose(maps.moved[0], [0.4, 0.4], rtol=1e-6)
    assert float(maps.change[0]) == pytest.approx(0.4)


def test_a_look_at_the_word_in_its_place_is_no_change():
    next_word = np.array([[[0, 1, 0], [0, 0, 1], [0, 0, 1]]], dtype=np.float32)
    assert paired_maps(next_word, next_word, REPLACED, REPLACED).change.tolist() == [0]


def test_a_word_more_takes_its_share():
    added = pair_tokens(encoded("a c"), encoded("a b c"))
    first = np.array([[[1, 0], [0.5, 0.5]]], dtype=np.float32)
    second = np.array([[[1, 0, 0], [0.2, 0.3, 0.5], [0.25, 0.5, 0.25]]], dtype=np.float32)
    maps = paired_maps(first, second, added, added)
    np.testing.assert_allclose(maps.first[0], [[1, 0, 0], [0.5, 0.5, 0]])
    np.testing.assert_allclose(maps.moved[0], [0, 0.5])
    found = MinimalPair(added, added, (layer_changes(maps),))
    (change,) = found.changes()
    assert (change.layer, change.head, change.query) == (0, 0, 1)
    assert change.target == 2, "what differs gains"
    assert (change.change, change.moved) == (0.25, 0.5)
    (at_first,) = found.changes(0)
    assert (at_first.query, at_first.change, at_first.moved) == (0, 0, 0)


def pairs_of(n: int, m: int) -> TokenPairs:
    """n tokens in common, and m of each sentence alone."""
    alone = np.arange(n, n + m)
    return TokenPairs(np.arange(n), np.arange(n), alone, alone)


@given(st.integers(0, 999), st.integers(1, 5), st.integers(0, 3))
def test_a_change_is_a_share_and_the_same_from_either_side(seed: int, n: int, m: int):
    sharp = np.random.default_rng(seed).dirichlet(np.full(n + m, 0.1), (2, 3, n + m))
    one, other = sharp.astype(np.float32)
    pairs = pairs_of(n, m)
    there, back = paired_maps(one, other, pairs, pairs), paired_maps(other, one, pairs, pairs)
    assert (there.change >= 0).all()
    assert (there.change <= 1).all()
    np.testing.assert_array_equal(there.change, back.change)
    np.testing.assert_array_equal(there.difference, -back.difference)
    np.testing.assert_allclose(there.difference.sum(axis=-1), 0, atol=1e-6)
    gained = np.maximum(there.difference, 0).sum(axis=-1)  # what moves is what arrives somewhere
    np.testing.assert_allclose(there.moved, gained, atol=1e-6)
    assert (paired_maps(one, one, pairs, pairs).change == 0).all()


@pytest.mark.parametrize("family", ["bert", "gpt2", "marian", "gpt_oss"])
def test_every_head_of_a_model_by_a_loop(family: str, tiny_checkpoint: Callable[[str], Path]):
    model = core.load(tiny_checkpoint(family))
    first, second = model.trace("the cat sat"), model.trace("the dog sat on it")
    kind = first.kinds[0]
    found = minimal_pair(first, second)
    assert len(found.changes()) == sum(layer.n_heads for layer in first.layers[kind])
    pairs = list(zip(found.queries.first, found.queries.second, strict=True))
    for number, one in enumerate(found.changes()):
        layers = (first.attention(one.layer, kind=kind), second.attention(one.layer, kind=kind))
        moved = []
        for rows in pairs:
            p, q = (layer.row(int(row))[one.head] for layer, row in zip(layers, rows, strict=True))
            both = [abs(float(p[a]) - float(q[b])) for a, b in pairs]
            rest = abs(p[found.queries.lone_first].sum() - q[found.queries.lone_second].sum())
            sinks = [
                0 if layer.sink is None else layer.sink[one.head, row]
                for layer, row in zip(layers, rows, strict=True)
            ]
            moved.append((sum(both) + rest + abs(sinks[0] - sinks[1])) / 2)
        assert one.change == pytest.approx(np.mean(moved), abs=1e-6)
        assert one.moved == pytest.approx(max(moved), abs=1e-6)
        at_last = found.changes(len(pairs) - 1)[number]
        assert (at_last.layer, at_last.head, at_last.query) == (one.layer, one.head, len(pairs) - 1)
        assert at_last.change == pytest.approx(moved[-1], abs=1e-6)
    for query in (None, len(pairs) - 1):
        changes = [one.change for one in found.ranked(query)]
        assert changes == sorted(changes, reverse=True)


def test_a_decoder_changes_nothing_before_the_first_word_that_differs(
    tiny_checkpoint: Callable[[str], Path],
):
    model = core.load(tiny_checkpoint("gpt2"))
    found = minimal_pair(model.trace("the cat sat on"), model.trace("the cat sat it"))
    assert max(one.change for one in found.changes()) < 1e-6
    assert {one.change for one in minimal_pair(*[model.trace("the cat sat")] * 2).changes()} == {
        0.0
    }


def test_two_models_heads_are_not_matched_by_number(tiny_checkpoint: Callable[[str], Path]):
    one, other = (core.load(tiny_checkpoint(name)).trace("the cat") for name in ("bert", "gpt2"))
    with pytest.raises(InputError, match="come from two models"):
        minimal_pair(one, other)
