"""Attention on a few tokens: worked by hand, and equal to torch's."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.blocks.attention import attention_scale, attention_steps, causal
from core.errors import InputError


def matrix(*rows: tuple[float, ...]) -> np.ndarray:
    return np.array(rows, dtype=np.float32)


ALL = np.ones((2, 2), dtype=bool)


def test_two_tokens_by_hand():
    """Dots 0 and 2, scale ½: weights 1/(1+e) and e/(1+e)."""
    steps = attention_steps(
        matrix((2, 0), (0, 0)),
        matrix((0, 1), (1, 0)),
        matrix((10, 0), (0, 1)),
        scale=0.5,
        allowed=ALL,
    )
    assert steps.dots.tolist() == [[0, 2], [0, 0]]
    assert steps.scaled.tolist() == [[0, 1], [0, 0]]
    share = np.e / (1 + np.e)
    np.testing.assert_allclose(steps.weights, [[1 - share, share], [0.5, 0.5]], rtol=1e-6)
    np.testing.assert_allclose(steps.output, [[10 * (1 - share), share], [5, 0.5]], rtol=1e-6)


def test_the_causal_mask_gives_the_future_exactly_nothing():
    one = matrix((1,), (1,))
    steps = attention_steps(one, one, matrix((3,), (5,)), scale=1.0, allowed=causal(2))
    assert steps.masked[0, 1] == -np.inf
    assert steps.weights.tolist() == [[1, 0], [0.5, 0.5]]
    assert steps.output.tolist() == [[3], [4]]


@given(st.integers(3, 6), st.integers(1, 6), st.integers(0, 99), st.floats(0.1, 8))
def test_it_is_torchs_attention(size: int, d_k: int, seed: int, temperature: float):
    random = np.random.default_rng(seed)
    q, k, v = (random.normal(size=(size, d_k)).astype(np.float32) for _ in range(3))
    allowed = random.random((size, size)) < 0.7
    allowed |= np.eye(size, dtype=bool)
    scale = attention_scale(d_k, temperature, by_root=True)
    steps = attention_steps(q, k, v, scale=scale, allowed=allowed)
    tensors = [torch.as_tensor(part)[None] for part in (q, k, v)]
    expected = torch.nn.functional.scaled_dot_product_attention(
        *tensors, attn_mask=torch.as_tensor(allowed), scale=scale
    )
    np.testing.assert_allclose(steps.output, expected[0], atol=2e-5)


def test_the_scale_with_and_without_the_root():
    assert attention_scale(4, 1.0, by_root=True) == 0.5
    assert attention_scale(4, 2.0, by_root=True) == 0.25
    assert attention_scale(4, 2.0, by_root=False) == 0.5


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (np.nan, r"K, row 1, column 0 is empty\. Put a number from -1000 to 1000 there"),
        (np.inf, r"K, row 1, column 0 is inf\."),
        (1e6, r"K, row 1, column 0 is 1e\+06\."),
    ],
)
def test_a_cell_without_a_number_is_named(bad: float, message: str):
    fine = matrix((1, 2), (3, 4))
    with pytest.raises(InputError, match=message):
        attention_steps(fine, matrix((1, 2), (bad, 4)), fine, scale=1.0, allowed=ALL)


def test_a_query_that_may_look_nowhere_is_refused():
    fine = matrix((1, 2), (3, 4))
    allowed = np.array([[True, True], [False, False]])
    with pytest.raises(InputError, match="Query 2 may look at no key"):
        attention_steps(fine, fine, fine, scale=1.0, allowed=allowed)
