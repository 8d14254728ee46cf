"""The reader's own boxes: objects and predictions to drag or to type, matched as they move."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.box_picture import (
    Box,
    BoxPicture,
    Numbers,
    drag_boxes,
    dragged_boxes,
    rounded,
)
from app.components.picture_map import PictureMap
from app.style.markdown_escape import plain
from app.ui.answer import answer
from app.ui.examples import example_chips
from app.ui.export_bar import Export
from app.views.vision.detr import costs, matching, tables
from app.views.vision.detr.params import (
    ANSWERS,
    CLASSES,
    HERE,
    OBJECTS,
    OBJECTS_DEFAULT,
    PAIR,
    PREDICTIONS,
    PREDICTIONS_DEFAULT,
    RULE,
    Row,
)
from core.errors import InputError
from core.explain.objectives.hungarian_matching import checked_boxes

PAPER: Final = np.full((8, 8, 3), 240, dtype=np.uint8)
CAPTION: Final = "Boxes of your own"
RIVALS: Final = (
    ((0.0, 0.3, 0.45, 0.3, 0.3), (0.0, 0.55, 0.5, 0.3, 0.34)),
    ((0.0, 0.9, 0.42, 0.47, 0.3, 0.32), (0.0, 0.6, 0.14, 0.45, 0.26, 0.3)),
)
EXAMPLES: Final = {
    "four guesses, two things": (OBJECTS_DEFAULT, PREDICTIONS_DEFAULT),
    "greedy is dearer": RIVALS,
    "right place, wrong class": (
        ((0.0, 0.3, 0.5, 0.3, 0.3), (3.0, 0.72, 0.5, 0.3, 0.3)),
        ((3.0, 0.95, 0.3, 0.5, 0.3, 0.3), (0.0, 0.95, 0.72, 0.5, 0.3, 0.3)),
    ),
    "no overlap at all": (
        ((2.0, 0.2, 0.25, 0.2, 0.2),),
        ((2.0, 0.8, 0.5, 0.25, 0.2, 0.2), (2.0, 0.8, 0.8, 0.75, 0.2, 0.2)),
    ),
}


def figure() -> Export | None:
    """Picture and tables on the left; costs on the right."""
    _take_drag()
    costs.controls(also=_examples)
    said = answer()
    left, right = st.columns([5, 6], gap="large")
    with left:
        drawing = st.container()
        tables.edit(OBJECTS, "**Objects**: what is there", ("class", *tables.BOX))
        tables.edit(
            PREDICTIONS,
            "**Predictions**: the slots' guesses",
            ("class", "p", *tables.BOX),
            ANSWERS,
        )
        st.caption(
            "x, y: the centre; w, h: width and height; all as shares of the picture. p: "
            "probability of what is said; the other answers share the rest evenly."
        )
    try:
        problem = _problem()
        solved = matching.solve(problem)
    except InputError as error:
        drawing.warning(plain(str(error)), icon=":material/info:")
        return None
    said.markdown(matching.answered(solved))
    with drawing:
        _draw(problem, solved.assignment.slots)
    with right:
        matrix = costs.draw_matrix(solved)
        costs.draw_losses(solved)
    return matching.export(solved, matrix, "matching")


def _examples() -> None:
    example_chips(EXAMPLES, _take, key=HERE.key("example"), folded=True)


def _take(example: tuple[tuple[Row, ...], tuple[Row, ...]]) -> None:
    objects, predictions = example
    OBJECTS.put(objects)
    PREDICTIONS.put(predictions)
    PAIR.reset()
    RULE.reset()


def _take_drag() -> None:
    """What was dragged since the last run goes into the parameters, before anything is drawn."""
    objects, predictions = OBJECTS.value, PREDICTIONS.value
    try:
        stand = _numbers(checked_boxes(tables.boxes_of((*objects, *predictions)), "Box"))
    except InputError:
        return
    now = dragged_boxes(HERE.key("own"), stand)
    if now != stand:
        OBJECTS.put(tables.moved(objects, now[: len(objects)]))
        PREDICTIONS.put(tables.moved(predictions, now[len(objects) :]))


def _problem() -> matching.Problem:
    objects, predictions = OBJECTS.value, PREDICTIONS.value
    return matching.Problem(
        probabilities=tables.probabilities_of(predictions),
        predicted=checked_boxes(tables.boxes_of(predictions), "Prediction"),
        labels=tables.labels_of(objects, "Object"),
        boxes=checked_boxes(tables.boxes_of(objects), "Object"),
        classes=CLASSES,
        caption=CAPTION,
    )


def _draw(problem: matching.Problem, slots: tuple[int, ...]) -> None:
    objects = tuple(
        Box(numbers, f"object {name.replace(':', ' ')}", hue="encoder", movable=True)
        for numbers, name in zip(_numbers(problem.boxes), problem.objects, strict=True)
    )
    predictions = tuple(
        Box(
            numbers,
            problem.claim(slot),
            hue="query",
            dashed=slot not in slots,
            movable=True,
            tip=(_fate(problem, slots, slot),),
        )
        for slot, numbers in enumerate(_numbers(problem.predicted))
    )
    sheet = PictureMap(
        PAPER, 8, 8, label="Your objects and predictions", caption=CAPTION, grid=False
    )
    drag_boxes(BoxPicture(sheet, (*objects, *predictions)), key=HERE.key("own"))
    st.caption(
        "Drag a box, or one of its corners. Blue: objects. Ochre: predictions; dashed: matched "
        "with no object."
    )


def _fate(problem: matching.Problem, slots: tuple[int, ...], slot: int) -> str:
    if slot not in slots:
        return "target: no object"
    return f"answers for object {problem.objects[slots.index(slot)]}"


def _numbers(boxes: np.ndarray) -> tuple[Numbers, ...]:
    return tuple(rounded((box[0], box[1], box[2], box[3])) for box in boxes.tolist())
