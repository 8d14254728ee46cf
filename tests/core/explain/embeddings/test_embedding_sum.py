"""The sum and its LayerNorm, worked by hand and against torch."""

import numpy as np
import pytest
import torch

from core.explain.embeddings.embedding_sum import (
    cosines,
    embedding_sum,
    layer_norm,
    norms,
)


def test_a_sum_and_its_normalisation_worked_by_hand():
    token = np.array([[1.0, 2.0]], np.float32)
    position = np.array([[0.0, 1.0]], np.float32)
    segment = np.array([[1.0, 1.0]], np.float32)
    found = embedding_sum(
        (token, position, segment),
        gain=np.array([1.0, 2.0], np.float32),
        offset=np.array([0.5, 0.0], np.float32),
        epsilon=0.0,
        models_own=np.array([[-0.5, 2.25]], np.float32),
    )
    np.testing.assert_allclose(found.summed, [[2, 4]])
    np.testing.assert_allclose(found.normalised, [[-0.5, 2]])  # mean 3, deviation 1
    assert found.error == pytest.approx(0.25)


def test_layer_norm_equals_torchs():
    rows = np.random.default_rng(0).normal(size=(5, 64)).astype(np.float32)
    layer = torch.nn.LayerNorm(64, eps=1e-12)
    torch.nn.init.normal_(layer.weight)
    torch.nn.init.normal_(layer.bias)
    with torch.no_grad():
        expected = layer(torch.from_numpy(rows)).numpy()
    found = layer_norm(rows, layer.weight.detach().numpy(), layer.bias.detach().numpy(), 1e-12)
    np.testing.assert_allclose(found, expected, atol=2e-6)


def test_lengths_and_angles():
    rows = np.array([[3, 4], [-4, 3], [-6, -8], [0, 0]], np.float32)
    assert norms(rows).tolist() == [5, 5, 10, 0]
    np.testing.assert_allclose(
        cosines(rows), [[1, 0, -1, 0], [0, 1, 0, 0], [-1, 0, 1, 0], [0, 0, 0, 0]], atol=1e-6
    )
