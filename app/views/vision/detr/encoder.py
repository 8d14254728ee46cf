"""The encoder: where one place of the scene looks, or who looks at it."""

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap
from app.components.mount import picked_before, reported
from app.components.picture_map import picture_map, picture_row
from app.style.number_format import three
from app.ui.export_bar import Export, matrix_table, offline_map
from app.views.vision import state
from app.views.vision.detr import params, words
from app.views.vision.detr.params import ENCODER_HEAD, ENCODER_LAYER, PLACE, TO
from app.views.vision.detr.reading import Read, head_controls, head_name, read, sheet, weights_of
from core.trace import AttentionKind

DIRECTIONS = {False: "where it looks", True: "who looks at it"}
SMALL = 104.0  # px of a small multiple


def render(model_id: str) -> Export | None:
    """The place on the left, its map on the right, every head below."""
    found = read(model_id)
    if found is None:
        return None
    place = _place(found)
    _take_head(found)
    left, right = st.columns(2, gap="large")
    with right:
        layer, head = head_controls(found, AttentionKind.ENCODER, ENCODER_LAYER, ENCODER_HEAD)
        st.segmented_control(
            "Direction",
            list(DIRECTIONS),
            format_func=DIRECTIONS.__getitem__,
            key=state.key(TO),
            required=True,
            label_visibility="collapsed",
        )
        weights = weights_of(found.trace.attention(layer, kind=AttentionKind.ENCODER), head)
        figure = _draw_map(found, weights, place, layer, head)
    with left:
        _choose_place(found, place)
    st.subheader("Every head of this place")
    _all_heads(found, place, layer, head)
    words.about_attention()
    return Export(
        name="encoder-self-attention",
        caption=figure.caption,
        table=lambda: matrix_table(weights, names=("query", "key", "weight")),
        arrays=lambda: {
            f"encoder_{index}": attention.weights
            for index, attention in enumerate(found.trace.layers[AttentionKind.ENCODER])
        },
        offline=offline_map(figure),
    )


def _place(found: Read) -> int:
    """The chosen place, a click of this run included."""
    count = int(np.prod(found.grid))
    key = f"{params.key('place')}.heard"
    report = reported(params.key("place"), "patch")
    if report is not None and report != st.session_state.get(key):
        st.session_state[key] = report
        value = report.get("value") if isinstance(report, dict) else None
        if type(value) is int and 0 <= value < count:
            state.put(PLACE, value)
    state.put(PLACE, min(state.get(PLACE), count - 1))
    return state.get(PLACE)


def _take_head(found: Read) -> None:
    heads = found.trace.n_heads(AttentionKind.ENCODER)
    count = heads * found.trace.n_layers(AttentionKind.ENCODER)
    index = picked_before(params.key("encoder-heads"), count)
    if index is not None:
        state.put(ENCODER_LAYER, index // heads)
        state.put(ENCODER_HEAD, index % heads)


def _choose_place(found: Read, place: int) -> None:
    picture_map(
        sheet(found, "The scene and its places"),
        key=params.key("place"),
        selected=place,
    )
    row, column = divmod(place, found.grid[1])
    st.caption(
        f"Row {row + 1}, column {column + 1} of {found.grid[0]} × {found.grid[1]} places. Click "
        "another. A place knows more than its square: each convolution has looked around it."
    )


def _draw_map(found: Read, weights: np.ndarray, place: int, layer: int, head: int) -> HeatMap:
    to = state.get(TO)
    values = (weights[:, place] if to else weights[place]).reshape(found.grid)
    title = f"{DIRECTIONS[to].capitalize()}: {head_name(layer, head)}"
    here = np.zeros(found.grid, dtype=bool)
    here.flat[place] = True
    figure = sheet(
        found, title, np.ascontiguousarray(values), title=title, hue="encoder", outlined=here
    )
    picture_map(figure, key=params.key("encoder-map"), clickable=False)
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


def _all_heads(found: Read, place: int, layer: int, head: int) -> None:
    heads = found.trace.n_heads(AttentionKind.ENCODER)
    figures = tuple(
        sheet(
            found,
            f"Layer {index}, head {one}",
            np.ascontiguousarray(
                (
                    attention.weights[one, :, place]
                    if state.get(TO)
                    else attention.weights[one, place]
                ).reshape(found.grid)
            ),
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
        key=params.key("encoder-heads"),
        label="Encoder self-attention of this place in every layer and head",
        caption=found.caption,
        lit=None if head < 0 else layer * heads + head,
    )
    st.caption("Layer · head; each map has its own scale. Click one.")
