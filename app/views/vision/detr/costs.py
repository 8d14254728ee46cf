"""The costs of every pair, the assignment, and what each slot then learns: drawn from numbers."""

from collections.abc import Callable
from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map
from app.style.number_format import three
from app.style.worked import Step, follow, step, term
from app.ui.controls import controls as row
from app.ui.options import one_of, some_of
from app.views.vision.detr.matching import Solved
from app.views.vision.detr.params import ALL_TERMS, HERE, LAYER, PAIR, RULE, TERMS
from core.explain.objectives.hungarian_matching import (
    GIOU_WEIGHT,
    L1_WEIGHT,
    box_distance,
    hungarian_loss,
    overlap,
)

CELL: Final = (92.0, 32.0)  # px
LOSS_COLUMNS: Final = ("class", "L1", "GIoU", "sum")


def controls(layers: int = 0, also: Callable[[], None] = lambda: None) -> None:
    """After which of a model's decoder layers, which parts count, who assigns, and `also`."""
    with row():
        if layers:
            one_of(
                LAYER,
                st.segmented_control,
                "After decoder layer",
                range(layers),
                required=True,
                width="content",
            )
        some_of(
            TERMS,
            st.pills,
            "Parts of the cost",
            ALL_TERMS,
            in_order=True,
            needed=True,
            selection_mode="multi",
            width="content",
        )
        RULE.segmented("Assignment", width="content")
        also()


def matrix(solved: Solved) -> HeatMap:
    """Rows are slots, columns objects; the assigned pairs have a frame."""
    problem = solved.problem
    chosen = np.zeros(solved.shown.shape, dtype=bool)
    for thing, slot in enumerate(solved.assignment.slots):
        chosen[slot, thing] = True
    parts = " + ".join(TERMS.value)
    low = float(min(0.0, solved.shown.min()))
    return HeatMap(
        solved.shown.astype(np.float32),
        problem.slots,
        problem.objects,
        label="Matching cost of every prediction with every object",
        title=f"Matching cost ({parts})",
        caption=f"{problem.caption} · cost: {parts} · {RULE.names[RULE.value]}",
        row_title="slot : says",
        column_title="object : class",
        row_notes=tuple(map(problem.claim, range(len(problem.slots)))),
        scale="sequential",
        hue="cross",
        floor=low,
        limit=float(max(solved.shown.max(), low + 1e-6)),
        numbers=True,
        outlined=chosen,
        cell=CELL,
    )


def draw_matrix(solved: Solved) -> HeatMap:
    """The matrix, its sum, and the selected pair's arithmetic."""
    figure = matrix(solved)
    pair = PAIR.value
    if pair and not (pair[0] < figure.values.shape[0] and pair[1] < figure.values.shape[1]):
        pair = None
    chosen = heat_map(figure, key=HERE.key("costs"), selected=pair)
    PAIR.put(chosen)
    _sums(solved)
    if chosen is not None:
        _worked(solved, *chosen)
    else:
        st.caption("Click a cell for its arithmetic. Framed cells are the assignment.")
    return figure


def _sums(solved: Solved) -> None:
    best, greedy = solved.optimal.cost, solved.greedy.cost
    same = "the same pairs" if solved.optimal.slots == solved.greedy.slots else "other pairs"
    (dear, cheap), more = step([greedy, best], greedy - best, lambda a, b: a - b)
    st.markdown(
        f"Sum of the framed pairs: **{three(solved.assignment.cost)}**. "
        f"Optimal {cheap}, greedy {dear}: {same}"
        + (f", {more} dearer." if greedy - best > 1e-9 else ".")
    )


def _worked(solved: Solved, slot: int, thing: int) -> None:
    """One cost, term by term, with the areas that GIoU is made of."""
    problem, costs = solved.problem, solved.costs
    label = int(problem.labels[thing])
    areas = overlap(problem.predicted[slot].tolist(), problem.boxes[thing].tolist())
    apart = box_distance(problem.predicted[slot].tolist(), problem.boxes[thing].tolist())
    said = follow(
        {
            "p": float(problem.probabilities[slot, label]),
            "apart": apart,
            "shared": areas.intersection,
            "union": areas.union,
            "hull": areas.hull,
            "iou": areas.iou,
            "giou": areas.giou,
            "cost": float(costs.total[slot, thing]),
        },
        [
            Step("iou", ("shared", "union"), lambda part, whole: part / whole if whole else 0.0),
            Step(
                "giou", ("iou", "hull", "union"), lambda iou, h, u: iou - (h - u) / h if h else iou
            ),
            Step("cost", ("p", "apart", "giou"), _cost),
        ],
    )
    st.markdown(
        f"**Slot {slot} with {problem.objects[thing]}**: −p({problem.classes[label]}) "
        f"+ {L1_WEIGHT:g} · ‖b − b̂‖₁ + {GIOU_WEIGHT:g} · (1 − GIoU) "
        f"= −{said['p']} + {L1_WEIGHT:g} · {said['apart']} "
        f"+ {GIOU_WEIGHT:g} · (1 − {term(said['giou'])}) = **{said['cost']}**"
    )
    st.caption(
        f"Shared area {said['shared']}, union {said['union']}, smallest box around both "
        f"{said['hull']}: IoU {said['iou']}; GIoU = IoU − (hull − union) / hull = {said['giou']}."
    )


def _cost(probability: float, apart: float, giou: float) -> float:
    return -probability + L1_WEIGHT * apart + GIOU_WEIGHT * (1 - giou)


def draw_losses(solved: Solved) -> None:
    """What every slot learns from this assignment: equation 2."""
    problem = solved.problem
    losses = hungarian_loss(problem.probabilities, solved.costs, problem.labels, solved.assignment)
    values = np.array(
        [[loss.named, loss.apart, loss.outside, loss.total] for loss in losses], dtype=np.float32
    )
    empty = np.array([[False, loss.target is None, loss.target is None, False] for loss in losses])
    targets = tuple(
        f"{slot}→" + ("∅" if loss.target is None else problem.objects[loss.target])
        for slot, loss in enumerate(losses)
    )
    heat_map(
        HeatMap(
            values,
            targets,
            LOSS_COLUMNS,
            label="What each slot adds to the loss",
            title="Then, what each slot learns",
            caption=f"{problem.caption} · Hungarian loss by slot",
            row_title="slot → its target",
            scale="sequential",
            hue="decoder",
            numbers=True,
            hidden=empty,
            cell=CELL,
        ),
        key=HERE.key("losses"),
    )
    unmatched = sum(loss.target is None for loss in losses)
    st.caption(
        f"{unmatched} of {len(losses)} slots got no object. Their target is the class “no object”, "
        "its loss counts a tenth, and their boxes learn nothing (hatched)."
    )
