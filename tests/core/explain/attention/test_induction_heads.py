"""Induction scores on maps made by hand, and on a model built to have an induction head."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.explain.attention.induction_heads import (
    induction_scores,
    previous_token_scores,
    repeated_sequence,
)


def one_hot_map(size: int, target: dict[int, int]) -> np.ndarray:
    """Each query looks at `target` of it, or at the first token."""
    weights = np.zeros((1, size, size), dtype=np.float32)
    for query in range(size):
        weights[0, query, target.get(query, 0)] = 1
    return weights


def test_a_perfect_induction_head_scores_one():
    """A B C A B C: the second A (3) looks at B (1), and so on."""
    perfect = one_hot_map(6, {3: 1, 4: 2, 5: 3})
    assert induction_scores([perfect], length=3).tolist() == [[1]]
    assert previous_token_scores([perfect])[0, 0] == pytest.approx(1 / 5)  # by chance: 1 -> 0


def test_with_three_copies_every_earlier_place_counts():
    weights = np.zeros((1, 6, 6), dtype=np.float32)  # A B A B A B
    weights[0, :, 0] = 1
    weights[0, 4] = [0, 0.5, 0, 0.25, 0.25, 0]  # the third A: both B's before, and itself
    # wanted: of the second A 1, of the second B 2, of the third A 1 and 3, of the third B 2 and 4
    assert induction_scores([weights], length=2)[0, 0] == pytest.approx(0.75 / 4)


def test_a_start_token_shifts_everything():
    perfect = one_hot_map(7, {4: 2, 5: 3, 6: 4})
    assert induction_scores([perfect], length=3, start=1).tolist() == [[1]]


def test_a_previous_token_head():
    back = one_hot_map(5, {query: query - 1 for query in range(1, 5)})
    both = np.concatenate([back, one_hot_map(5, {})])
    np.testing.assert_allclose(previous_token_scores([both, both]), [[1, 0.25]] * 2)


def test_uniform_causal_attention_scores_low():
    size = 20
    uniform = (np.tril(np.ones((size, size))) / np.arange(1, size + 1)[:, None]).astype(np.float32)
    expected = np.mean(1 / np.arange(11, 21))
    assert induction_scores([uniform[None]], length=10)[0, 0] == pytest.approx(expected, rel=1e-5)


@given(st.integers(2, 30), st.integers(2, 4), st.integers(0, 1000))
def test_a_sequence_is_its_first_copy_repeated(length: int, copies: int, seed: int):
    made = repeated_sequence(range(100, 140), length=length, copies=copies, seed=seed)
    assert made == made[:length] * copies
    assert len(set(made)) == length
    assert set(made) <= set(range(100, 140))
    assert made == repeated_sequence(range(100, 140), length=length, copies=copies, seed=seed)


@pytest.mark.parametrize(("length", "copies"), [(1, 2), (5, 1)])
def test_too_little_to_repeat(length: int, copies: int):
    with pytest.raises(InputError, match="needs at least 2 of each"):
        repeated_sequence(range(10), length=length, copies=copies)


def test_more_tokens_than_there_are():
    with pytest.raises(InputError, match=r"12 different tokens were asked, .* offers 10"):
        repeated_sequence(range(10), length=12)
