"""DETR's matching: which prediction answers for which object, and what the others learn.

Carion et al. 2020, "End-to-End Object Detection with Transformers", section 3.1, equations 1
and 2, https://arxiv.org/abs/2005.12872. Boxes are (centre x, centre y, width, height) as shares of
the picture. A *slot* is one prediction (one object query); there are more slots than objects, and
a slot without an object should say “no object”, the last class.
"""

# scipy.optimize comes without types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float, Float64, Int

from core.errors import InputError

L1_WEIGHT = 5.0  # λ_L1 and λ_iou of the paper's appendix A.4
GIOU_WEIGHT = 2.0
NO_OBJECT_WEIGHT = 0.1  # of the class loss of a slot without an object, section 3.1
LEAST_PROBABILITY = 1e-12  # before the logarithm
CostPart = Literal["class", "L1", "GIoU"]
BOX_NUMBERS = ("centre x", "centre y", "width", "height")


@dataclass(frozen=True, slots=True, eq=False)
class MatchingCosts:
    """The parts of L_match, weights applied; a dearer pair has a larger number."""

    named: Float64[np.ndarray, "slot object"]  # −p(class of the object)
    apart: Float64[np.ndarray, "slot object"]  # λ_L1 · ‖b − b̂‖₁
    outside: Float64[np.ndarray, "slot object"]  # λ_iou · (1 − GIoU)

    @property
    def total(self) -> Float64[np.ndarray, "slot object"]:
        return self.named + self.apart + self.outside

    def sum_of(self, parts: Collection[CostPart]) -> Float64[np.ndarray, "slot object"]:
        """Only these parts; of none, zeros."""
        every: dict[CostPart, np.ndarray] = {
            "class": self.named, "L1": self.apart, "GIoU": self.outside,
        }  # fmt: skip
        return sum((every[part] for part in parts), np.zeros_like(self.named))


@dataclass(frozen=True, slots=True)
class Assignment:
    """One slot for every object, no slot twice."""

    slots: tuple[int, ...]  # of object 0, 1, …
    cost: float  # summed over the pairs

    def object_of(self, slot: int) -> int | None:
        """None for a slot that is left over: its target is “no object”."""
        return self.slots.index(slot) if slot in self.slots else None


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two boxes' areas, as shares of the picture."""

    intersection: float
    union: float
    hull: float  # the smallest box around both

    @property
    def iou(self) -> float:
        return self.intersection / self.union

    @property
    def giou(self) -> float:
        """IoU − the hull's empty share: from −1 (far apart) to 1 (equal)."""
        return self.iou - (self.hull - self.union) / self.hull


@dataclass(frozen=True, slots=True)
class SlotLoss:
    """What one slot adds to the Hungarian loss; the box counts only where there is an object."""

    target: int | None  # the object, or None: “no object”
    named: float  # −log p(target class), × 0.1 for “no object”
    apart: float  # λ_L1 · ‖b − b̂‖₁
    outside: float  # λ_iou · (1 − GIoU)

    @property
    def total(self) -> float:
        return self.named + self.apart + self.outside


def checked_boxes(
    boxes: Sequence[Sequence[float]] | Float[np.ndarray, "box 4"], name: str
) -> Float64[np.ndarray, "box 4"]:
    """The boxes as numbers. Raises InputError that says which box is wrong, and how."""
    found = np.asarray(boxes, dtype=np.float64).reshape(-1, 4)
    for index, box in enumerate(found):
        for number, what in zip(box.tolist(), BOX_NUMBERS, strict=True):
            least = "more than 0, up to 1" if what in ("width", "height") else "from 0 to 1"
            if not (0 <= number <= 1 and (number > 0 or what in ("centre x", "centre y"))):
                came = "empty" if np.isnan(number) else f"{number:g}"
                raise InputError(
                    f"{name} {index + 1}: {what} is {came}; give a share of the picture, {least}."
                )
    return found


def box_distance(one: Sequence[float], other: Sequence[float]) -> float:
    """‖b − b̂‖₁, before its weight."""
    return float(np.abs(np.subtract(one, other, dtype=np.float64)).sum())


def spread_probabilities(
    labels: Int[np.ndarray, " slot"], chances: Float[np.ndarray, " slot"], n_classes: int
) -> Float64[np.ndarray, "slot class"]:
    """Each slot's chance on its own class; the others share the rest evenly."""
    rest = (1 - np.asarray(chances, dtype=np.float64)) / (n_classes - 1)
    table = np.repeat(rest[:, None], n_classes, axis=1)
    table[np.arange(len(labels)), labels] = chances
    return table


def overlap(one: Sequence[float], other: Sequence[float]) -> Overlap:
    """Areas of two boxes' intersection, union and hull."""
    first, second = checked_boxes([one], "Box"), checked_boxes([other], "Box")
    shared, union, hull = _areas(first, second)
    return Overlap(float(shared[0, 0]), float(union[0, 0]), float(hull[0, 0]))


def generalised_iou(
    predicted: Float[np.ndarray, "slot 4"], boxes: Float[np.ndarray, "object 4"]
) -> Float64[np.ndarray, "slot object"]:
    """IoU − (hull − union) / hull of every pair.

    Rezatofighi et al. 2019, algorithm 1, https://arxiv.org/abs/1902.09630. It still falls when
    boxes that don't touch move further apart, where IoU is zero everywhere.
    """
    shared, union, hull = _areas(
        np.asarray(predicted, dtype=np.float64), np.asarray(boxes, dtype=np.float64)
    )
    return shared / union - (hull - union) / hull


def matching_costs(
    probabilities: Float[np.ndarray, "slot class"],
    predicted: Float[np.ndarray, "slot 4"],
    labels: Int[np.ndarray, " object"],
    boxes: Float[np.ndarray, "object 4"],
) -> MatchingCosts:
    """L_match = −p(c) + 5·‖b − b̂‖₁ + 2·(1 − GIoU) of every slot with every object.

    The probability itself, not its logarithm, so that the parts are of one size (section 3.1).
    The last class is “no object”. Raises InputError for boxes or labels that can't be.
    """
    guesses = checked_boxes(predicted, "Prediction")
    things = checked_boxes(boxes, "Object")
    chances = _checked_probabilities(probabilities, len(guesses))
    named = np.asarray(labels, dtype=np.int64).reshape(-1)
    if len(named) != len(things):
        raise ValueError(f"{len(named)} labels for {len(things)} boxes")
    if named.size and not 0 <= named.min() <= named.max() < chances.shape[1] - 1:
        raise InputError(
            f"An object's class is {named.max()}; classes count from 0 to {chances.shape[1] - 2}."
        )
    return MatchingCosts(
        named=-chances[:, named],
        apart=L1_WEIGHT * np.abs(guesses[:, None] - things[None]).sum(-1),
        outside=GIOU_WEIGHT * (1 - generalised_iou(guesses, things)),
    )


def optimal_assignment(costs: Float[np.ndarray, "slot object"]) -> Assignment:
    """The cheapest way to give every object a slot of its own: equation 1.

    Raises InputError if there are more objects than slots.
    """
    from scipy.optimize import linear_sum_assignment  # half a second, for this alone

    _refuse_crowd(costs)
    slots, objects = linear_sum_assignment(costs)
    chosen = slots[np.argsort(objects)]
    return _assignment(costs, chosen.tolist())


def greedy_assignment(costs: Float[np.ndarray, "slot object"]) -> Assignment:
    """For contrast: the cheapest pair first, then the cheapest of what is left. Never cheaper."""
    _refuse_crowd(costs)
    left = np.array(costs, dtype=np.float64)
    chosen = [0] * left.shape[1]
    for _ in range(left.shape[1]):
        slot, thing = divmod(int(left.argmin()), left.shape[1])
        chosen[thing] = slot
        left[slot], left[:, thing] = np.inf, np.inf
    return _assignment(costs, chosen)


def hungarian_loss(
    probabilities: Float[np.ndarray, "slot class"],
    costs: MatchingCosts,
    labels: Int[np.ndarray, " object"],
    assignment: Assignment,
) -> tuple[SlotLoss, ...]:
    """What every slot adds to equation 2: −log p(class), and the box's parts where it has one."""
    chances = np.log(np.maximum(np.asarray(probabilities, dtype=np.float64), LEAST_PROBABILITY))
    losses: list[SlotLoss] = []
    for slot, log_p in enumerate(chances):
        thing = assignment.object_of(slot)
        if thing is None:
            losses.append(SlotLoss(None, -NO_OBJECT_WEIGHT * float(log_p[-1]), 0.0, 0.0))
            continue
        box = float(costs.apart[slot, thing]), float(costs.outside[slot, thing])
        losses.append(SlotLoss(thing, -float(log_p[labels[thing]]), *box))
    return tuple(losses)


def _areas(
    predicted: Float64[np.ndarray, "slot 4"], boxes: Float64[np.ndarray, "object 4"]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Areas of intersection, union and hull, each (slot, object)."""
    low, high = _corners(predicted[:, None])
    low_2, high_2 = _corners(boxes[None])
    sides = np.minimum(high, high_2) - np.maximum(low, low_2)
    shared = np.maximum(sides, 0).prod(-1)
    union = (high - low).prod(-1) + (high_2 - low_2).prod(-1) - shared
    hull = (np.maximum(high, high_2) - np.minimum(low, low_2)).prod(-1)
    return shared, union, hull


def _corners(boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return boxes[..., :2] - boxes[..., 2:] / 2, boxes[..., :2] + boxes[..., 2:] / 2


def _assignment(costs: np.ndarray, slots: list[int]) -> Assignment:
    return Assignment(tuple(slots), float(sum(costs[slot, i] for i, slot in enumerate(slots))))


def _refuse_crowd(costs: np.ndarray) -> None:
    slots, objects = costs.shape
    if objects > slots:
        raise InputError(
            f"There are {objects} objects and {slots} predictions: every object needs a prediction "
            f"of its own. Take away {objects - slots}, or add predictions."
        )


def _checked_probabilities(
    probabilities: Float[np.ndarray, "slot class"], slots: int
) -> Float64[np.ndarray, "slot class"]:
    chances = np.asarray(probabilities, dtype=np.float64)
    if len(chances) != slots:
        raise ValueError(f"{len(chances)} rows of probabilities for {slots} boxes")
    if not np.isfinite(chances).all() or (chances < 0).any() or (chances > 1).any():
        raise InputError("Probabilities are numbers from 0 to 1.")
    return chances
