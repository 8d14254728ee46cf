"""The encoder: where one place looks, or who looks at it."""

import numpy as np
import streamlit as st
from jaxtyping import Float32

from app.components.heat_map import HeatMap
from app.components.picture_map import picture_map, picture_row, selected_patch
from app.components.selection import clicked_index
from app.style.number_format import three
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export, matrix_table, offline_map
from app.views.vision.detr.params import (
    DIRECTION,
    ENCODER,
    ENCODER_HEAD,
    ENCODER_LAYER,
    PLACE,
)
from app.views.vision.detr.reading import Read, head_controls, head_name, read, sheet, weights_of
from core.trace import AttentionKind, AttentionLayer

SMALL = 104.0  # px of a small multiple


def figure(model_id: str) -> Export | None:
    """The place on the left, its map on the right, every head below."""
    found = read(model_id)
    if found is None:
        return None
    place = _place(found)
    _take_head(found)
    said = answer()
    with controls():
        layer, head = head_controls(found, AttentionKind.ENCODER, ENCODER_LAYER, ENCODER_HEAD)
        DIRECTION.segmented("Direction", quiet=True)
    left, right = st.columns(2, gap="large")
    with right:
        weights = weights_of(found.trace.attention(layer, kind=AttentionKind.ENCODER), head)
        drawn = _draw_map(found, weights, place, layer, head)
    said.markdown(_answered(found, weights, place, layer, head))
    with left:
        _choose_place(found, place)
    st.subheader("Every head of this place")
    _all_heads(found, place, layer, head)
    return Export(
        name="encoder-self-attention",
        caption=drawn.caption,
        table=lambda: matrix_table(weights, names=("query", "key", "weight")),
        arrays=lambda: {
            f"encoder_{index}": attention.weights
            for index, attention in enumerate(found.trace.layers[AttentionKind.ENCODER])
        },
        offline=offline_map(drawn),
    )


def _place(found: Read) -> int:
    """The chosen place, a click of this run included."""
    count = found.grid[0] * found.grid[1]
    wanted = min(PLACE.value, count - 1)
    place = selected_patch(ENCODER.key("place"), wanted, count)
    PLACE.put(wanted if place is None else place)
    return PLACE.value


def _take_head(found: Read) -> None:
    heads = found.trace.n_heads(AttentionKind.ENCODER)
    count = heads * found.trace.n_layers(AttentionKind.ENCODER)
    index = clicked_index(ENCODER.key("heads"), count)
    if index is not None:
        ENCODER_LAYER.put(index // heads)
        ENCODER_HEAD.put(index % heads)


def _choose_place(found: Read, place: int) -> None:
    picture_map(
        sheet(found, "What is seen, and its places"),
        key=ENCODER.key("place"),
        selected=place,
    )
    row, column = divmod(place, found.grid[1])
    st.caption(
        f"Row {row}, column {column} of {found.grid[0]} × {found.grid[1]} places. Click "
        "another. A place knows more than its square: each convolution has looked around it."
    )


def _answered(found: Read, weights: np.ndarray, place: int, layer: int, head: int) -> str:
    """The largest weight of the chosen place, in Markdown."""
    to = DIRECTION.value == "to"
    values = weights[:, place] if to else weights[place]
    (row, column), (far, along) = (
        divmod(at, found.grid[1]) for at in (place, int(values.argmax()))
    )
    verb = "is looked at most from" if to else "looks most at"
    largest = float(values.max())
    return (
        f"In {head_name(layer, head)}, row {row}, column {column} {verb} row {far}, column "
        f"{along}: **{three(largest)}**, **{three(largest * values.size)}** times the even share."
    )


def _draw_map(found: Read, weights: np.ndarray, place: int, layer: int, head: int) -> HeatMap:
    to = DIRECTION.value == "to"
    values = (weights[:, place] if to else weights[place]).reshape(found.grid)
    title = f"{DIRECTION.names[DIRECTION.value].capitalize()}: {head_name(layer, head)}"
    here = np.zeros(found.grid, dtype=bool)
    here.flat[place] = True
    figure = sheet(
        found, title, np.ascontiguousarray(values), title=title, hue="encoder", outlined=here
    )
    picture_map(figure, key=ENCODER.key("map"), clickable=False)
    total = float(values.sum())
    st.caption(
        f"Sum {three(total)}: "
        + (
            "a column; above 1, the place is looked at more than average."
            if to
            else f"a row, over {values.size} places (uniform: {three(1 / values.size)})."
        )
        + f" Largest {three(float(values.max()))}."
    )
    names = tuple(str(index) for index in range(values.size))
    return HeatMap(
        weights, names, names, label=title, caption=figure.caption, title="Encoder self-attention",
        row_title="query", column_title="key", scale="sequential",
    )  # fmt: skip


def _map_of(attention: AttentionLayer, head: int, place: int) -> Float32[np.ndarray, " place"]:
    """Where a place looks, or who looks at it."""
    weights = weights_of(attention, head)
    return np.ascontiguousarray(weights[:, place] if DIRECTION.value == "to" else weights[place])


def _all_heads(found: Read, place: int, layer: int, head: int) -> None:
    heads = found.trace.n_heads(AttentionKind.ENCODER)
    figures = tuple(
        sheet(
            found,
            f"Layer {index}, head {one}",
            _map_of(attention, one, place).reshape(found.grid),
            title=f"{index} · {one}",
            hue="encoder",
            width=SMALL,
            grid=False,
        )
        for index, attention in enumerate(found.trace.layers[AttentionKind.ENCODER])
        for one in range(heads)
    )
    picture_row(
        figures,
        key=ENCODER.key("heads"),
        label="Encoder self-attention of this place in every layer and head",
        caption=found.caption,
        lit=None if head < 0 else layer * heads + head,
    )
    st.caption("Layer · head; each map has its own scale. Click one.")
