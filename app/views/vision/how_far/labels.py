"""What every head does, as one label: local, row, column, sink, broad, or mixed."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.head_labels import HeadLabels, Label, head_labels, labels_frame
from app.style.number_format import three
from app.ui.page import go
from app.views.vision.attention import params as attention
from app.views.vision.how_far.measures import HERE, Measured
from app.views.vision.state import PAGE
from core.explain.attention.attention_distance import LayerReach
from core.explain.attention.head_atlas import PICTURE_LABELS, HeadSummary

COLOURS: Final = {"local": 15, "row": 2, "column": 12, "sink": 6, "broad": 5, "mixed": None}
LEGEND: Final = tuple(Label(name, PICTURE_LABELS[name], COLOURS[name]) for name in PICTURE_LABELS)
LAYER = HERE.whole("layer", 0, 199, 0)
HEAD = HERE.whole("head", 0, 199, 0)
PARAMS: Final = (LAYER, HEAD)


def render(measured: Measured) -> None:
    """The map, and the selected head's numbers."""
    st.markdown("**What every head does**")
    heads = tuple(len(row) for row in measured.by_layer)
    layer = min(LAYER.value, len(heads) - 1)
    selected = (layer, min(HEAD.value, heads[layer] - 1))
    layer, head = head_labels(_figure(measured), key=HERE.key("labels"), selected=selected)
    LAYER.put(layer)
    HEAD.put(head)
    if st.button(
        f"See layer {layer}, head {head} on the picture",
        type="tertiary",
        icon=":material/visibility:",
    ):
        attention.LAYER.put(layer)
        attention.HEAD.put(head)
        attention.FUSION.put("one")
        go(PAGE, "attention")


def frame(measured: Measured) -> bytes:
    """For the offline page."""
    return labels_frame(_figure(measured))


def _figure(measured: Measured) -> HeadLabels:
    names = list(PICTURE_LABELS)
    rows = measured.by_layer
    return HeadLabels(
        legend=LEGEND,
        labels=tuple(tuple(names.index(one.label) for one in row) for row in rows),
        scores=tuple(np.array([one.score for one in row], dtype=np.float32) for row in rows),
        notes=tuple(
            tuple(_note(one, reach) for one in row)
            for row, reach in zip(rows, measured.reach, strict=True)
        ),
        label="What every head does, layers by heads",
        caption=f"Head labels · {measured.caption}",
    )


def _note(one: HeadSummary, reach: LayerReach) -> str:
    masses = ", ".join(f"{name} {mass:.2f}" for name, mass in one.masses.items())
    return (
        f"mass on {masses}; {three(float(reach.distances[one.head]))} px, "
        f"{three(one.entropy)} bits ({one.relative_entropy:.0%} of the largest possible)"
    )
