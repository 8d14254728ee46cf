"""Time and learning rate."""

import pytest

from core.training.common.schedule import Clock, inverse_square_root, learning_rate


@pytest.mark.parametrize(
    ("fraction", "expected"), [(0.0, 0.0), (0.05, 0.5), (0.1, 1.0), (0.55, 0.5), (1.0, 0.0)]
)
def test_learning_rate_rises_and_falls_in_straight_lines(fraction: float, expected: float) -> None:
    assert learning_rate(fraction, peak=1.0, warmup=0.1) == pytest.approx(expected)


def test_a_pause_does_not_count_as_training() -> None:
    clock = Clock(100.0).after(1.0).after(3_600.0)
    assert clock.seconds == 31.0
    assert clock.fraction == pytest.approx(0.31)


def test_a_smaller_budget_brings_the_end_nearer() -> None:
    assert Clock(budget=50.0, seconds=60.0).is_over
    assert Clock(budget=50.0, seconds=60.0).fraction == 1.0


@pytest.mark.parametrize(
    ("fraction", "factor"),
    [(0.0, 0.0), (0.05, 0.5), (0.1, 1.0), (0.4, 0.5), (0.9, 0.5 * 1 / 3), (1.0, 0.0)],
)
def test_the_inverse_square_root_warms_up_falls_and_ends_at_zero(
    fraction: float, factor: float
) -> None:
    rate = inverse_square_root(fraction, peak=2.0, warmup=0.1, cooldown=0.2)
    assert rate == pytest.approx(2.0 * factor)
