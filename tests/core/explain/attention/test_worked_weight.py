"""The worked cell against arithmetic done on paper."""

import math

import numpy as np
import pytest

from core.explain.attention.worked_weight import worked_cell

# One head, two queries, three keys, d_head 4 (so 1/√d_head = ½), d_value 2.
QUERIES = np.array([[[2, 0, 0, 0], [1, 2, 0, -1]]], dtype=np.float32)
KEYS = np.array([[[1, 1, 0, 0], [0, 2, 1, 2], [1, 0, 0, -1]]], dtype=np.float32)
VALUES = np.array([[[1, 0], [0, 1], [2, 2]]], dtype=np.float32)


def work(cell=(0, 1, 0), bias=None, **changes):
    arguments = {
        "queries": QUERIES, "keys": KEYS, "values": VALUES, "bias": bias, "scale": 0.5,
        "cell": cell, "query_tokens": ("it", "was"), "key_tokens": ("the", "animal", "street"),
    } | changes  # fmt: skip
    return worked_cell(**arguments)


def test_dot_product_scale_and_softmax_by_hand():
    cell = work()
    # q = (1, 2, 0, −1); k = (1, 1, 0, 0): products (1, 2, 0, 0), sum 3, half of it 1.5
    assert cell.products.tolist() == [1, 2, 0, 0]
    assert (cell.dot, cell.scaled, cell.bias, cell.score) == (3, 1.5, 0, 1.5)
    # the row: q·k = 3, 2, 2; scores 1.5, 1, 1; exp(score − 1.5) = 1, e^−½, e^−½
    assert cell.row_scores.tolist() == [1.5, 1, 1]
    normaliser = 1 + 2 * math.exp(-0.5)
    assert cell.normaliser == pytest.approx(normaliser, rel=1e-6)
    assert cell.weight == pytest.approx(1 / normaliser, rel=1e-6)


def test_weight_times_value_and_the_heads_output_by_hand():
    cell = work()
    first, other = 1 / (1 + 2 * math.exp(-0.5)), math.exp(-0.5) / (1 + 2 * math.exp(-0.5))
    np.testing.assert_allclose(cell.contribution, [first, 0], rtol=1e-6)
    np.testing.assert_allclose(cell.output, [first + 2 * other, 3 * other], rtol=1e-6)


def test_names_and_indices_travel_along():
    cell = work((0, 0, 2))
    assert (cell.head, cell.query_index, cell.key_index) == (0, 0, 2)
    assert (cell.query_token, cell.key_token, cell.row_tokens[1]) == ("it", "street", "animal")


@pytest.mark.parametrize("mask", [-np.inf, np.finfo(np.float32).min])
def test_mask_takes_a_key_out_of_the_row(mask):
    cell = work((0, 1, 1), bias=np.array([[[0, mask, 0]]], dtype=np.float32))
    assert (cell.bias, cell.score, cell.weight) == (-math.inf, -math.inf, 0)
    assert cell.row_weights.sum() == pytest.approx(1, rel=1e-6)
    assert cell.dot == 2  # the product is still shown


def test_bias_of_each_head_and_query_is_added():
    bias = np.zeros((1, 2, 3), dtype=np.float32)
    bias[0, 1] = [0, 0.5, 0.5]  # lifts the other two scores to 1.5: all equal
    assert work(bias=bias).weight == pytest.approx(1 / 3, rel=1e-6)
    assert work(bias=bias).bias == 0


def test_softmax_row_equals_numpys_in_double_precision():
    random = np.random.default_rng(7)
    queries, keys = (random.normal(size=(2, 5, 16)).astype(np.float32) for _ in range(2))
    tokens = tuple("abcde")
    cell = work(
        (1, 3, 2),
        queries=queries,
        keys=keys,
        values=keys,
        scale=0.25,
        query_tokens=tokens,
        key_tokens=tokens,
    )
    scores = keys[1].astype(float) @ queries[1, 3].astype(float) * 0.25
    np.testing.assert_allclose(cell.row_weights, np.exp(scores) / np.exp(scores).sum(), rtol=1e-5)


def test_row_that_may_look_at_nothing_is_an_error():
    with pytest.raises(ValueError, match="query 1 may look at no key"):
        work(bias=np.full((1, 1, 3), -np.inf, dtype=np.float32))


def test_cell_outside_the_maps_is_an_error():
    with pytest.raises(
        ValueError, match=r"cell \(0, 1, 3\) lies outside \(head, query, key\) = \(1, 2, 3\)"
    ):
        work((0, 1, 3))
