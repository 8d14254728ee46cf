"""The loop every recipe runs in: steps, checkpoints, snapshots, progress, until time is over.

A recipe knows how to make one step and how to tell and take back its state;
the loop knows the time. The state is the model's, the optimisers' and the random
generator's, so a resumed training goes on as if it had not been stopped.
"""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast, runtime_checkable

import numpy as np
import torch
from tqdm import tqdm

from core.training.common.checkpoint import load_checkpoint, save_checkpoint
from core.training.common.schedule import Clock
from core.training.common.stopping import stop_on_signals

CHECKPOINT_EVERY = 300.0  # seconds
SNAPSHOT_FRACTIONS = (0.0, 0.01, 0.025, 0.06, 0.15, 0.4, 0.7, 1.0)  # of the training
CURVE_POINTS = 400  # of the loss curve, each the mean of the steps around it
SMOOTHING = 0.98  # of the loss that the progress bar shows


@runtime_checkable
class Recipe(Protocol):
    """What the loop asks of a recipe."""

    def step(self, fraction: float) -> float:
        """Train one batch, at this fraction of the training; return its loss."""
        ...

    def state(self) -> dict[str, object]: ...

    def restore(self, state: dict[str, object]) -> None: ...

    def snapshot(self) -> dict[str, torch.Tensor]:
        """What is small and telling now."""
        ...


@dataclass(slots=True)
class History:
    """What came of the training so far; kept in the checkpoint."""

    clock: Clock
    fractions: list[float]  # of each step
    losses: list[float]  # of each step
    snapshots: list[dict[str, torch.Tensor]]
    taken_at: list[int]  # the step before which each snapshot was taken

    @property
    def steps(self) -> int:
        return len(self.losses)

    def as_part_of(self, minutes: float) -> "History":
        """The same steps as the beginning of a training of so many minutes.

        Of its moments, those nearest to where that training would have kept one.
        """
        clock = Clock(minutes * 60, self.clock.seconds)
        if clock == self.clock:
            return self
        scale = self.clock.budget / clock.budget
        fractions = [min(1.0, scale * fraction) for fraction in self.fractions]
        at = np.array([*fractions, clock.fraction])[self.taken_at]
        taken = [
            int(np.abs(at - fraction).argmin())
            for fraction in SNAPSHOT_FRACTIONS
            if fraction <= clock.fraction
        ]
        return History(
            clock,
            fractions,
            self.losses,
            [self.snapshots[moment] for moment in taken],
            [self.taken_at[moment] for moment in taken],
        )


def train(recipe: Recipe, *, minutes: float, checkpoint: Path) -> History:
    """Train for so many minutes in all, those of an earlier run included, stopped or done.

    Returns early, with a checkpoint, if a signal asks for it: then the clock isn't over.
    """
    history = _resume(recipe, minutes, checkpoint)
    saved_at = time.monotonic()
    smooth = history.losses[-1] if history.losses else None
    with (
        stop_on_signals() as stop,
        tqdm(
            total=minutes * 60,
            initial=min(history.clock.seconds, minutes * 60),
            mininterval=1.0,
            bar_format="{percentage:3.0f}%|{bar:30}| {n:.0f}/{total:.0f} s, "
            "left {remaining}{postfix}",
        ) as bar,
    ):
        while not (history.clock.is_over or stop.requested):
            _snapshot_if_due(recipe, history)
            began = time.monotonic()
            loss = recipe.step(history.clock.fraction)
            history.fractions.append(history.clock.fraction)
            history.losses.append(loss)
            smooth = loss if smooth is None else SMOOTHING * smooth + (1 - SMOOTHING) * loss
            history.clock = history.clock.after(time.monotonic() - began)
            bar.set_postfix_str(f"step {history.steps}, loss {smooth:.3f}", refresh=False)
            bar.update(min(history.clock.seconds, minutes * 60) - bar.n)
            if time.monotonic() - saved_at > CHECKPOINT_EVERY:
                save_training(recipe, history, checkpoint)
                saved_at = time.monotonic()
    if history.clock.is_over:
        _snapshot_if_due(recipe, history)
    save_training(recipe, history, checkpoint)
    return history


def loss_curve(history: History) -> list[tuple[float, float]]:
    """(fraction of the training, mean loss) at no more than CURVE_POINTS places."""
    width = max(1, -(-history.steps // CURVE_POINTS))
    return [
        (
            round(history.fractions[start], 5),
            round(sum(part) / len(part), 4),
        )
        for start in range(0, history.steps, width)
        if (part := history.losses[start : start + width])
    ]


def _snapshot_if_due(recipe: Recipe, history: History) -> None:
    taken = len(history.snapshots)
    if taken < len(SNAPSHOT_FRACTIONS) and history.clock.fraction >= SNAPSHOT_FRACTIONS[taken]:
        history.snapshots.append(recipe.snapshot())
        history.taken_at.append(history.steps)


def save_training(recipe: Recipe, history: History, checkpoint: Path) -> None:
    """Write what `train` goes on from."""
    save_checkpoint(
        checkpoint,
        {
            "recipe": recipe.state(),
            "seconds": history.clock.seconds,
            "budget": history.clock.budget,
            "fractions": history.fractions,
            "losses": history.losses,
            "snapshots": history.snapshots,
            "taken_at": history.taken_at,
        },
    )


def _resume(recipe: Recipe, minutes: float, checkpoint: Path) -> History:
    saved = load_checkpoint(checkpoint)
    if saved is None:
        return History(Clock(minutes * 60), [], [], [], [])
    recipe.restore(cast("dict[str, object]", saved["recipe"]))
    history = History(
        Clock(cast("float", saved["budget"]), cast("float", saved["seconds"])),
        cast("list[float]", saved["fractions"]),
        cast("list[float]", saved["losses"]),
        cast("list[dict[str, torch.Tensor]]", saved["snapshots"]),
        cast("list[int]", saved["taken_at"]),
    )
    return history.as_part_of(minutes)
