"""Reading layers: by hand."""

import numpy as np
import pytest

from core.explain.predictions.logit_lens import read_layers


def test_two_layers_two_positions_by_hand():
    probabilities = np.array(
        [[[0.5, 0.25, 0.25], [0.25, 0.5, 0.25]], [[0.125, 0.75, 0.125], [0.5, 0.25, 0.25]]],
        dtype=np.float32,
    )
    made = read_layers(np.log(probabilities), np.array([1, 1]))
    assert made.first.tolist() == [[0, 1], [1, 0]]
    assert made.rank.tolist() == [[2, 1], [1, 2]]
    np.testing.assert_allclose(made.wanted, [[0.25, 0.5], [0.75, 0.25]], rtol=1e-6)
    np.testing.assert_allclose(made.probability, [[0.5, 0.5], [0.75, 0.5]], rtol=1e-6)
    assert made.entropy[0, 0] == pytest.approx(1.5)


def test_logits_are_not_changed_by_a_constant():
    logits = np.random.default_rng(0).normal(size=(2, 3, 7)).astype(np.float32)
    first = read_layers(logits, np.array([1, 2, 3]))
    second = read_layers(logits + np.float32(40), np.array([1, 2, 3]))
    np.testing.assert_allclose(first.wanted, second.wanted, rtol=1e-3)
    np.testing.assert_array_equal(first.rank, second.rank)
