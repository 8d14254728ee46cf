"""What the models of pictures kept: one painting, one scene's boxes, at every moment."""

import numpy as np
import streamlit as st

from app.components.box_picture import Box, BoxPicture, box_picture, rounded
from app.components.picture_map import PictureMap, picture_row
from app.components.selection import clicked_index
from app.services import detector
from app.style.number_format import three
from app.ui.answer import answer
from app.ui.snapshot_slider import END, moment_slider
from app.views.training.state import HERE, MOMENT
from app.views.training.words import metric_name, moment_name
from core.catalog import ModelCard
from core.data.snapshots import Course, Moments
from core.data.synthetic_scenes import SHAPES

SMALL = 232.0  # px of a painting
SIDE = 448  # pixels of a scene
NOTHING = "no object"


def paintings(card: ModelCard, course: Course, painted: Moments) -> int:
    """The fixed picture as painted at every moment, side by side; a click chooses one."""
    key = HERE.key("paintings")
    steps = painted.steps.tolist()
    last = len(steps) - 1
    clicked = clicked_index(key, len(steps))
    if clicked is not None:
        MOMENT.put(END if clicked == last else clicked)
    asked = MOMENT.value
    moment = asked if 0 <= asked < last else last
    errors = course.metrics.values[:, 0]
    answer(
        f"At {moment_name(steps[moment])} the {metric_name(course.metric_names[0])} is "
        f"**{three(float(errors[moment]))}**, at {moment_name(steps[0])} it was "
        f"**{three(float(errors[0]))}**."
    )
    picture_row(
        [
            PictureMap(
                picture=painted.values[index].astype(np.uint8),
                rows=1,
                columns=1,
                label=f"The picture as painted at step {step:,}",
                title=moment_name(step),
                width=SMALL,
                grid=False,
            )
            for index, step in enumerate(steps)
        ],
        key=key,
        label=f"One picture as {card.title} painted it at every moment of its training",
        caption=f"{card.title}, three patches of four hidden, visible patches pasted",
        lit=moment,
    )
    st.caption(
        "Three patches of four are hidden; the visible ones are pasted over the painting. Click "
        "one to mark its moment in the curves below."
    )
    return moment


def scene(card: ModelCard, course: Course, boxes: Moments, chances: Moments) -> int:
    """One unseen scene with every slot's box at a moment."""
    seed = int(course.texts["scene"][0])
    at = moment_slider("Moment of the training", boxes, MOMENT)
    moment = at % len(boxes.steps)
    drawn = _boxes(boxes.values[moment], chances.values[moment])
    claims = sum(not box.dashed for box in drawn)
    there = detector.scene(seed).shapes
    answer(
        f"At {moment_name(int(boxes.steps[moment]))} **{claims}** of {len(drawn)} slots claim an "
        f"object, where **{len(there)}** are; {metric_name(course.metric_names[0])} "
        f"**{three(float(course.metrics.values[moment, 0]))}**."
    )
    left, right = st.columns([5, 4], gap="large")
    with left:
        step = int(boxes.steps[moment])
        sheet = PictureMap(
            detector.picture(seed, SIDE),
            1,
            1,
            label=f"Boxes of all slots at step {step:,}",
            caption=f"{card.title}, scene {seed}, step {step:,}",
            width=SIDE,
            grid=False,
        )
        box_picture(BoxPicture(sheet, drawn), key=HERE.key("scene"))
    with right:
        st.markdown(
            "Each slot starts around a reference point of its own. "
            "The matching gives every object to one slot; the others learn to say “no object” "
            "(dashed), and the slots share out the picture. "
            "([Carion et al. 2020](https://arxiv.org/abs/2005.12872))"
        )
    return moment


def _boxes(numbers: np.ndarray, chances: np.ndarray) -> tuple[Box, ...]:
    made: list[Box] = []
    for slot, (box, chance) in enumerate(zip(numbers.tolist(), chances, strict=True)):
        best = int(chance.argmax())
        empty = best >= len(SHAPES)
        said = NOTHING if empty else SHAPES[best]
        x, y, width, height = (min(1.0, max(0.0, number)) for number in box)
        made.append(
            Box(
                rounded((x, y, width, height)),
                f"slot {slot}: {said} {float(chance[best]):.2f}",
                hue="query",
                dashed=empty,
                faint=empty,
            )
        )
    return tuple(made)
