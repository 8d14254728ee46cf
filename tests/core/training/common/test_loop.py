"""The loop: until the time is over, from where it stopped, with a snapshot at every moment."""

import os
import signal
from pathlib import Path

import pytest
import torch

from core.training.common.checkpoint import load_checkpoint
from core.training.common.loop import (
    CURVE_POINTS,
    SNAPSHOT_FRACTIONS,
    History,
    loss_curve,
    train,
)
from core.training.common.schedule import Clock


class Counting:
    """A recipe whose state is how often it stepped, and whose loss is one over that."""

    def __init__(self, stop_at: int = -1) -> None:
        self.steps = 0
        self.stop_at = stop_at
        self.fractions: list[float] = []

    def step(self, fraction: float) -> float:
        self.steps += 1
        self.fractions.append(fraction)
        if self.steps == self.stop_at:
            os.kill(os.getpid(), signal.SIGTERM)
        return 1.0 / self.steps

    def state(self) -> dict[str, object]:
        return {"steps": self.steps}

    def restore(self, state: dict[str, object]) -> None:
        steps = state["steps"]
        assert isinstance(steps, int)
        self.steps = steps

    def snapshot(self) -> dict[str, torch.Tensor]:
        return {"steps": torch.tensor(self.steps)}


MINUTES = 0.2 / 60


def test_it_trains_until_the_time_is_over(tmp_path: Path) -> None:
    recipe = Counting()
    history = train(recipe, minutes=MINUTES, checkpoint=tmp_path / "c.pt")
    assert history.clock.is_over
    assert history.steps == recipe.steps > 0
    assert recipe.fractions == sorted(recipe.fractions)
    assert load_checkpoint(tmp_path / "c.pt") is not None


def test_there_is_a_snapshot_of_every_moment_from_before_the_first_step(tmp_path: Path) -> None:
    history = train(Counting(), minutes=MINUTES, checkpoint=tmp_path / "c.pt")
    assert len(history.snapshots) == len(SNAPSHOT_FRACTIONS)
    assert [int(moment["steps"]) for moment in history.snapshots] == history.taken_at
    assert (history.taken_at[0], history.taken_at[-1]) == (0, history.steps)


def test_a_signal_stops_it_after_the_step_and_it_goes_on_from_there(tmp_path: Path) -> None:
    stopped = train(Counting(stop_at=5), minutes=MINUTES, checkpoint=tmp_path / "c.pt")
    assert not stopped.clock.is_over
    assert stopped.steps == 5
    again = Counting()
    history = train(again, minutes=MINUTES, checkpoint=tmp_path / "c.pt")
    assert history.clock.is_over
    assert again.fractions[0] == pytest.approx(stopped.clock.fraction)
    assert history.losses[:5] == stopped.losses
    assert history.losses[5] == pytest.approx(1 / 6)


def test_a_finished_training_is_not_trained_on(tmp_path: Path) -> None:
    first = train(Counting(), minutes=MINUTES, checkpoint=tmp_path / "c.pt")
    recipe = Counting()
    history = train(recipe, minutes=MINUTES, checkpoint=tmp_path / "c.pt")
    assert recipe.fractions == []
    assert history.steps == first.steps


def test_a_done_training_goes_on_when_given_more_time(tmp_path: Path) -> None:
    first = train(Counting(), minutes=MINUTES, checkpoint=tmp_path / "c.pt")
    recipe = Counting()
    history = train(recipe, minutes=2 * MINUTES, checkpoint=tmp_path / "c.pt")
    assert recipe.fractions[0] == pytest.approx(0.5, abs=0.1)
    assert history.fractions == sorted(history.fractions)
    assert history.steps == recipe.steps > first.steps
    assert len(history.snapshots) == len(SNAPSHOT_FRACTIONS)
    assert (history.taken_at[0], history.taken_at[-1]) == (0, history.steps)


def test_a_part_of_a_longer_training_keeps_the_moments_nearest_to_the_longer_ones() -> None:
    moments = [{"at": torch.tensor(step)} for step in (0, 1, 2, 3, 4)]
    whole = History(
        Clock(60.0, 60.0), [0.0, 0.2, 0.4, 0.8], [4.0, 3.0, 2.0, 1.0], moments, [*range(5)]
    )
    part = whole.as_part_of(2.0)
    assert part.clock == Clock(120.0, 60.0)
    assert part.fractions == [0.0, 0.1, 0.2, 0.4]
    assert part.losses == whole.losses
    # Due by the half: 0, 0.01, 0.025, 0.06, 0.15, 0.4; kept were 0, 0.1, 0.2, 0.4, 0.5.
    assert part.taken_at == [0, 0, 0, 1, 1, 3]
    assert [int(moment["at"]) for moment in part.snapshots] == part.taken_at
    assert whole.as_part_of(1.0) is whole


def test_the_loss_curve_is_the_mean_of_equal_parts(tmp_path: Path) -> None:
    history = train(Counting(), minutes=MINUTES, checkpoint=tmp_path / "c.pt")
    curve = loss_curve(history)
    assert 1 < len(curve) <= CURVE_POINTS
    width = -(-history.steps // CURVE_POINTS)
    assert curve[0][1] == pytest.approx(sum(history.losses[:width]) / width, abs=1e-4)
