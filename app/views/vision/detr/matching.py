"""Predictions and objects of one picture, what every pair costs, and who is assigned to whom."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from app.components.heat_map import HeatMap
from app.style.number_format import three
from app.ui.export_bar import Export, Table, offline_map
from app.views.vision.detr.params import NO_OBJECT, RULE, TERMS
from core.explain.objectives.hungarian_matching import (
    Assignment,
    MatchingCosts,
    greedy_assignment,
    matching_costs,
    optimal_assignment,
)


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Predictions and objects of one picture."""

    probabilities: Float[np.ndarray, "slot class"]  # the last: “no object”
    predicted: Float[np.ndarray, "slot 4"]
    labels: Int[np.ndarray, " object"]
    boxes: Float[np.ndarray, "object 4"]
    classes: tuple[str, ...]
    caption: str

    @property
    def slots(self) -> tuple[str, ...]:
        """ "3:star"."""
        best = self.probabilities.argmax(axis=1).tolist()
        return tuple(f"{slot}:{_short(self.said(index))}" for slot, index in enumerate(best))

    @property
    def objects(self) -> tuple[str, ...]:
        return tuple(f"{i + 1}:{self.classes[label]}" for i, label in enumerate(self.labels))

    def claim(self, slot: int) -> str:
        """ "slot 3: star 0.98"."""
        best = int(self.probabilities[slot].argmax())
        return f"slot {slot}: {self.said(best)} {self.probabilities[slot, best]:.2f}"

    def said(self, index: int) -> str:
        return self.classes[index] if index < len(self.classes) else NO_OBJECT


def _short(said: str) -> str:
    return "∅" if said == NO_OBJECT else said


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """A problem with its costs and the assignment that is shown."""

    problem: Problem
    costs: MatchingCosts
    shown: Float[np.ndarray, "slot object"]  # the parts that are switched on
    optimal: Assignment
    greedy: Assignment

    @property
    def assignment(self) -> Assignment:
        return self.optimal if RULE.value == "optimal" else self.greedy


def solve(problem: Problem) -> Solved:
    """Costs and assignments for the parts that are switched on. Raises InputError."""
    costs = matching_costs(problem.probabilities, problem.predicted, problem.labels, problem.boxes)
    shown = costs.sum_of(TERMS.value)
    return Solved(problem, costs, shown, optimal_assignment(shown), greedy_assignment(shown))


def answered(solved: Solved) -> str:
    """Who answers for what, and what it costs in all, in Markdown."""
    problem, slots = solved.problem, solved.assignment.slots
    cost = float(sum(solved.shown[slot, thing] for thing, slot in enumerate(slots)))
    free = len(problem.slots) - len(slots)
    return (
        f"The {RULE.value} assignment gives **{len(slots)}** objects to slots "
        f"{', '.join(map(str, slots))} at a cost of **{three(cost)}**; **{free}** slots learn to "
        f"say “{NO_OBJECT}”."
    )


def export(solved: Solved, figure: HeatMap, name: str) -> Export:
    """Every cost with its parts; boxes and probabilities for NPZ."""
    problem, costs = solved.problem, solved.costs
    return Export(
        name=name,
        caption=figure.caption,
        table=lambda: _table(solved),
        arrays=lambda: {
            "probabilities": problem.probabilities, "predicted": problem.predicted,
            "labels": problem.labels, "boxes": problem.boxes, "cost_class": costs.named,
            "cost_l1": costs.apart, "cost_giou": costs.outside, "shown": solved.shown,
            "optimal": np.array(solved.optimal.slots), "greedy": np.array(solved.greedy.slots),
        },
        offline=offline_map(figure),
    )  # fmt: skip


def _table(solved: Solved) -> Table:
    costs = solved.costs
    header: Sequence[str] = (
        "slot", "object", "class", "L1", "GIoU", "total", "optimal", "greedy",
    )  # fmt: skip
    slots, things = costs.total.shape
    rows = (
        (
            slot, thing + 1, float(costs.named[slot, thing]), float(costs.apart[slot, thing]),
            float(costs.outside[slot, thing]), float(costs.total[slot, thing]),
            int(solved.optimal.slots[thing] == slot), int(solved.greedy.slots[thing] == slot),
        )
        for slot in range(slots)
        for thing in range(things)
    )  # fmt: skip
    return header, rows
