"""The model's slots against the scene's true boxes: costs, assignment, loss."""

import numpy as np
import streamlit as st

from app.components.box_picture import Box, BoxPicture, box_picture, rounded
from app.style.markdown_escape import plain
from app.ui.answer import answer
from app.ui.export_bar import Export
from app.views.vision.detr import costs, matching
from app.views.vision.detr.params import CLASSES, HERE, LAYER
from app.views.vision.detr.reading import Read, boxes, read, sheet
from core.data.synthetic_scenes import Scene
from core.errors import InputError


def figure(model_id: str) -> Export | None:
    """Picture with both kinds of boxes; matrix; what each slot learns."""
    found = read(model_id)
    if found is None:
        return None
    if found.scene is None:
        st.info(
            "Nobody has drawn this picture’s true boxes, so there is nothing to match the slots "
            "with. Choose a generated scene, or draw the boxes yourself in “Your own boxes”.",
            icon=":material/info:",
        )
        return None
    if not found.knows_scenes:
        st.info(
            f"{plain(model_id)} was not trained on these scenes: its {len(found.answers) - 1} "
            f"classes are not {', '.join(CLASSES)}, so what it says has no true answer to be "
            "matched with. Choose detr-mini, or match boxes of your own in “Your own boxes”.",
            icon=":material/info:",
        )
        return None
    count = len(found.found.layer_boxes)
    LAYER.kept_below(count)
    costs.controls(count)
    layer = LAYER.value
    problem = matching.Problem(
        probabilities=found.found.layer_probabilities[layer],
        predicted=found.found.layer_boxes[layer],
        labels=np.array([found.answers.index(CLASSES[i]) for i in found.scene.labels]),
        boxes=found.scene.boxes,
        classes=found.answers[:-1],
        caption=f"{found.caption} · after decoder layer {layer}",
    )
    try:
        solved = matching.solve(problem)
    except InputError as error:  # more objects than slots
        st.warning(plain(str(error)), icon=":material/info:")
        return None
    answer(matching.answered(solved))
    left, right = st.columns([5, 6], gap="large")
    with left:
        _picture(found, found.scene, layer, solved)
    with right:
        matrix = costs.draw_matrix(solved)
        costs.draw_losses(solved)
    return matching.export(solved, matrix, f"matching-{found.name.replace(' ', '-')}")


def _picture(found: Read, scene: Scene, layer: int, solved: matching.Solved) -> None:
    truth = tuple(
        Box(rounded(shape.box), f"object {index + 1}: {CLASSES[shape.label]}", hue="encoder")
        for index, shape in enumerate(scene.shapes)
    )
    told = tuple(
        Box(box.numbers, box.text, box.hue, dashed=free, faint=free, tip=box.tip)
        for slot, box in enumerate(boxes(found, layer, None))
        for free in (slot not in solved.assignment.slots,)
    )
    figure = sheet(found, "True boxes and the slots' boxes", grid=False)
    box_picture(BoxPicture(figure, (*truth, *told)), key=HERE.key("matched"))
    st.caption("Blue: the truth, exact. Ochre: matched slots; dashed: slots matched with nothing.")
