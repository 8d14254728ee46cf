"""Adam's steps against torch's, and the numbers that the page prints."""

import numpy as np
import pytest
import torch

from core.blocks.adam import (
    CURVATURES,
    START,
    Settings,
    first_step,
    half_life,
    memory,
    noise,
    run,
)


@pytest.mark.parametrize("decay", [0.0, 0.1])
@pytest.mark.parametrize("beta2", [0.98, 0.999])
def test_the_run_is_torchs(beta2: float, decay: float):
    settings = Settings(0.05, 0.9, beta2, 1e-9, decay)
    disturbance = noise(300, spike=5.0, seed=3)
    ours = run(settings, disturbance)
    weights = torch.tensor(START, dtype=torch.float64, requires_grad=True)
    adam = torch.optim.AdamW([weights], lr=0.05, betas=(0.9, beta2), eps=1e-9, weight_decay=decay)
    for row, pushed in enumerate(torch.tensor(disturbance)):
        weights.grad = torch.tensor(CURVATURES, dtype=torch.float64) * weights.detach() + pushed
        adam.step()
        np.testing.assert_allclose(ours.weights[row], weights.detach(), rtol=1e-9, atol=1e-12)


def test_memories():
    assert memory(0.98) == pytest.approx(50)
    assert memory(0.999) == pytest.approx(1000)
    assert half_life(0.98) == pytest.approx(34.31, abs=0.01)
    assert 0.98 ** half_life(0.98) == pytest.approx(0.5)
    assert half_life(0.0) == 0


@pytest.mark.parametrize(("beta2", "length"), [(0.98, 0.7071), (0.999, 3.1623)])
def test_the_first_step_with_and_without_correction(beta2: float, length: float):
    for correct, expected in ((True, 1.0), (False, length)):
        settings = Settings(0.01, 0.9, beta2, correct=correct)
        assert first_step(settings) == pytest.approx(expected, rel=1e-4)
        step = run(settings, np.zeros((1, 2))).steps[0]
        np.testing.assert_allclose(np.abs(step) / 0.01, expected, rtol=1e-4)


def test_a_spike_is_forgotten_after_the_memory():
    """What one gradient of 100 leaves in v halves in one half-life, to a rounding step."""
    disturbance = np.zeros((400, 2))
    disturbance[100] = 100
    settings = Settings(1e-9, beta2=0.98, correct=False)
    square = run(settings, disturbance).square[:, 0]
    base = run(settings, np.zeros((400, 2))).square[:, 0]
    left = square - base
    assert left[99] == 0
    assert left[134] / left[100] == pytest.approx(0.98**34, rel=1e-6)


def test_the_minimum_is_found():
    quiet = run(Settings(0.02), np.zeros((1500, 2)))
    assert quiet.losses[-1] < 1e-6 < quiet.losses[0]


def test_the_same_seed_gives_the_same_noise():
    np.testing.assert_array_equal(noise(50, spike=3.0, seed=1), noise(50, spike=3.0, seed=1))


def test_a_beta_of_one_never_forgets_and_is_refused():
    with pytest.raises(ValueError, match="β₂ is 0 or more and below 1"):
        Settings(beta2=1.0)


def test_sizes_and_effective_steps():
    found = run(Settings(learning_rate=0.1), noise(5, spike=0.0, seed=0))
    np.testing.assert_allclose(found.effective_steps(0.1) * 0.1, np.abs(found.steps))
    np.testing.assert_allclose(found.remembered_sizes**2, found.square)
    assert found.effective_steps(0.1)[0] == pytest.approx([1, 1], abs=1e-6)  # corrected
    assert (found.gradient_sizes >= 0).all()
