"""Losses of given tokens, by hand and against torch."""

import numpy as np
import pytest
import torch

from core.explain.predictions.teacher_forcing import token_losses


def test_two_positions_by_hand():
    logits = np.log(np.float32([[0.5, 0.25, 0.25], [0.1, 0.8, 0.1]]))
    found = token_losses(logits, np.array([0, 2]), smoothing=0.3)
    np.testing.assert_allclose(found.plain, -np.log([0.5, 0.1]), rtol=1e-6)
    uniform = -np.log([0.5, 0.25, 0.25]).mean()
    assert found.smoothed[0] == pytest.approx(0.7 * -np.log(0.5) + 0.3 * uniform, rel=1e-6)
    assert found.mean_probability == pytest.approx(0.05**0.5, rel=1e-6)
    assert found.ranks.tolist() == [1, 2]
    assert found.entropies[0] == pytest.approx(1.5 * np.log(2), rel=1e-6)
    target = np.array([0.8, 0.1, 0.1])
    assert found.floor == pytest.approx(-(target * np.log(target)).sum())


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.9])
def test_equals_torch(smoothing: float):
    generator = np.random.default_rng(0)
    logits = generator.normal(0, 8, (20, 300)).astype(np.float32)
    labels = generator.integers(0, 300, 20)
    expected = torch.nn.functional.cross_entropy(
        torch.tensor(logits), torch.tensor(labels), label_smoothing=smoothing, reduction="none"
    )
    found = token_losses(logits, labels, smoothing)
    np.testing.assert_allclose(found.smoothed, expected.numpy(), rtol=1e-5)
    assert (found.smoothed >= found.floor - 1e-4).all()
