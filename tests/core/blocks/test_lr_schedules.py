"""The schedules: the paper's equation, worked values, torch's and transformers' own."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import get_cosine_schedule_with_warmup, get_linear_schedule_with_warmup

from core.blocks.lr_schedules import (
    RECIPES,
    inverse_square_root,
    learning_rates,
    transformer_peak,
)


def test_the_base_models_peak_is_seven_ten_thousandths():
    assert transformer_peak(512, 4000) == pytest.approx(6.9877e-4, rel=1e-4)


@given(st.integers(1, 4096), st.integers(1, 20_000), st.integers(1, 1_000_000))
def test_with_the_papers_peak_it_is_equation_3(d_model: int, warmup: int, step: int):
    steps = np.array([float(step)])
    ours = inverse_square_root(steps, peak=transformer_peak(d_model, warmup), warmup=warmup)
    assert ours[0] == pytest.approx(d_model**-0.5 * min(step**-0.5, step * warmup**-1.5))


@pytest.mark.parametrize("name", ["inverse-square-root", "linear", "cosine"])
def test_every_schedule_peaks_at_the_end_of_its_warm_up(name):
    steps = np.arange(1.0, 1001.0)
    rates = learning_rates(name, steps, peak=0.5, warmup=100, total=1000)
    assert steps[rates.argmax()] == 100
    assert rates.max() == pytest.approx(0.5)
    assert rates[49] == pytest.approx(0.25)


def test_half_way_down():
    """Linear and cosine are both half-way between warm-up and end; 1/√4 after four warm-ups."""
    at = {"peak": 1.0, "warmup": 200, "total": 1000}
    assert learning_rates("linear", np.array([600.0]), **at)[0] == pytest.approx(0.5)
    assert learning_rates("cosine", np.array([600.0]), **at)[0] == pytest.approx(0.5)
    assert learning_rates("inverse-square-root", np.array([800.0]), **at)[0] == pytest.approx(0.5)
    assert learning_rates("linear", np.array([1000.0, 1500.0]), **at).tolist() == [0, 0]


@pytest.mark.filterwarnings("ignore:Detected call of `lr_scheduler")
@pytest.mark.parametrize(
    ("name", "make"),
    [("linear", get_linear_schedule_with_warmup), ("cosine", get_cosine_schedule_with_warmup)],
)
def test_as_transformers_has_them(name, make):
    optimiser = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.3)
    schedule = make(optimiser, num_warmup_steps=30, num_training_steps=200)
    theirs = []
    for _ in range(200):
        schedule.step()
        theirs.append(schedule.get_last_lr()[0])
    ours = learning_rates(name, np.arange(1.0, 201.0), peak=0.3, warmup=30, total=200)
    np.testing.assert_allclose(ours, theirs, atol=1e-12)


def test_a_warm_up_longer_than_the_run_is_refused():
    with pytest.raises(ValueError, match="warm-up is 1 to 99 steps of 100, not 100"):
        learning_rates("linear", np.ones(1), peak=1.0, warmup=100, total=100)


def test_recipes_state_what_their_papers_state():
    assert {name: (r.warmup, r.beta2, r.decay) for name, r in RECIPES.items()} == {
        "transformer": (4000, 0.98, 0.0),
        "transformer-big": (4000, 0.98, 0.0),
        "bert": (10_000, 0.999, 0.01),
        "gpt": (2000, 0.999, 0.01),
    }
    assert RECIPES["bert"].peak == 1e-4
    assert RECIPES["gpt"].peak == 2.5e-4
    assert RECIPES["transformer"].epsilon == 1e-9
