"""What every head does, as one label: local, row, column, sink, broad, or mixed."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.head_labels import HeadLabels, Label, head_labels, labels_frame
from app.style.number_format import three
from app.views.vision import state
from app.views.vision.how_far.measures import Measured
from core.explain.attention.attention_distance import LayerReach
from core.explain.attention.head_atlas import PICTURE_LABELS, HeadSummary

COLOURS: Final = {"local": 15, "row": 2, "column": 12, "sink": 6, "broad": 5, "mixed": None}
LEGEND: Final = tuple(Label(name, PICTURE_LABELS[name], COLOURS[name]) for name in PICTURE_LABELS)
ATTENTION: Final = "attention"  # the view that shows one head on the picture


def render(measured: Measured) -> None:
    """The map, and the selected head's numbers."""
    st.markdown("**What every head does**")
    heads = tuple(len(row) for row in measured.by_layer)
    layer = min(state.get(state.LAYER), len(heads) - 1)
    selected = (layer, min(state.get(state.HEAD), heads[layer] - 1))
    layer, head = head_labels(_figure(measured), key=f"{state.PAGE}.labels", selected=selected)
    state.put(state.LAYER, layer)
    state.put(state.HEAD, head)
    st.button(
        f"See layer {layer}, head {head} on the picture",
        on_click=_open_attention,
        type="tertiary",
        icon=":material/visibility:",
    )


def frame(measured: Measured) -> bytes:
    """For the offline page."""
    return labels_frame(_figure(measured))


def _open_attention() -> None:
    st.session_state[f"{state.PAGE}.view"] = ATTENTION


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
