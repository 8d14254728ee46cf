"""Label smoothing against torch, and its two readings."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.blocks.label_smoothing import (
    best_gap,
    cross_entropy,
    lead,
    loss_by_lead,
    smoothed_loss,
    smoothed_target,
)


def test_a_target_worked_by_hand():
    np.testing.assert_allclose(smoothed_target(4, 0, 0.2), [0.85, 0.05, 0.05, 0.05])
    np.testing.assert_allclose(smoothed_target(3, 2, 0.0), [0, 0, 1])
    np.testing.assert_allclose(smoothed_target(4, 1, 1.0), [0.25] * 4)


@given(
    st.lists(st.floats(-30, 30), min_size=2, max_size=40),
    st.floats(0, 1),
    st.integers(0, 1000),
)
def test_the_loss_is_torchs(logits: list[float], epsilon: float, place: int):
    right = place % len(logits)
    given_logits = np.array(logits)
    theirs = torch.nn.functional.cross_entropy(
        torch.tensor(given_logits)[None], torch.tensor([right]), label_smoothing=epsilon
    )
    loss = smoothed_loss(given_logits, right, epsilon)
    assert loss.total == pytest.approx(float(theirs), abs=1e-9)
    assert loss.total == pytest.approx((1 - epsilon) * loss.right + epsilon * loss.uniform)
    assert loss.total >= loss.floor - 1e-9


def test_the_loss_reaches_its_floor_at_the_best_gap_and_nowhere_else():
    gaps = best_gap(10, 0.1) + np.array([-0.5, 0.0, 0.5])
    losses = loss_by_lead(np.zeros(10), 3, 0.1, gaps)
    assert losses[1] == pytest.approx(smoothed_loss(np.zeros(10), 3, 0.1).floor)
    assert losses[0] > losses[1] < losses[2]


def test_without_smoothing_there_is_no_best_gap():
    assert best_gap(10, 0.0) == float("inf")
    assert best_gap(2, 0.2) == pytest.approx(np.log(9))


@given(st.lists(st.floats(-30, 30), min_size=2, max_size=40), st.floats(0, 1), st.floats(-30, 30))
def test_the_loss_by_lead_is_that_of_the_moved_logits(
    logits: list[float], share: float, gap: float
):
    moved = np.array(logits)
    moved[0] = moved[1:].max() + gap
    found = loss_by_lead(np.array(logits), 0, share, np.array([gap]))
    assert found[0] == pytest.approx(smoothed_loss(moved, 0, share).total, abs=1e-9)


def test_what_is_no_class_or_share_is_refused():
    with pytest.raises(ValueError, match="right class is 0 to 3, not 4"):
        smoothed_target(4, 4, 0.1)
    with pytest.raises(ValueError, match="ε is 0 to 1"):
        smoothed_target(4, 0, 1.1)


def test_the_loss_by_lead_is_lowest_at_the_best_gap_of_equal_others():
    logits = np.array([3.0, 0.0, 0.0, 0.0])
    assert lead(logits, 0) == 3
    assert lead(logits, 1) == -3
    gaps = np.linspace(0, 8, 801)
    losses = loss_by_lead(logits, 0, 0.1, gaps)
    assert gaps[losses.argmin()] == pytest.approx(best_gap(4, 0.1), abs=0.01)
    now = smoothed_loss(logits, 0, 0.1).total
    assert loss_by_lead(logits, 0, 0.1, np.array([3.0]))[0] == pytest.approx(now)


def test_one_answers_cross_entropy():
    assert cross_entropy(0.5) == pytest.approx(np.log(2))
    assert cross_entropy(0.0) == pytest.approx(12 * np.log(10))  # not infinite
    assert smoothed_loss(np.zeros(4), 0, 0.1).probability == pytest.approx(0.25)
