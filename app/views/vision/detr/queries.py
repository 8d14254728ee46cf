"""Object queries: what each slot says, where it looks, and how slots look at one another."""

import numpy as np
import streamlit as st
from jaxtyping import Float32

from app.components.box_picture import BoxPicture, box_picture, selected_box
from app.components.candidates import Candidate, candidates
from app.components.heat_map import HeatMap, heat_map, heat_map_frame
from app.components.picture_map import picture_row
from app.components.selection import clicked_index
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export, Table
from app.views.vision.detr.params import HEAD, HERE, LAYER, NO_OBJECT, SLOT
from app.views.vision.detr.reading import (
    Read,
    boxes,
    head_controls,
    head_name,
    read,
    sheet,
    weights_of,
)
from core.explain.attribution.localization import centres_inside
from core.trace import AttentionKind

SMALL = 104.0  # px of a small multiple
MOST_ANSWERS = 8  # of COCO's 92, the likeliest


def figure(model_id: str) -> Export | None:
    """Boxes on the left, the chosen slot's look on the right; below, all heads and all slots."""
    found = read(model_id)
    if found is None:
        return None
    slot = _slot(found)
    _take_head(found)
    said = answer()
    with controls():
        layer, head = head_controls(found, AttentionKind.CROSS, LAYER, HEAD)
    left, right = st.columns(2, gap="large")
    with right:
        caption = _look(found, slot, layer, head)
    with left:
        _boxes(found, slot, layer)
        _chances(found, slot, layer)
    said.markdown(_answered(found, slot, layer, head))
    st.subheader("Every head of this slot")
    _all_heads(found, slot, layer, head)
    st.subheader("Slots look at one another")
    own = _between_slots(found, slot, layer, head)
    return Export(
        name=f"object-query-{slot}",
        caption=caption,
        table=lambda: _table(found, slot),
        arrays=lambda: {
            "boxes": found.found.layer_boxes,
            "probabilities": found.found.layer_probabilities,
            **{
                f"{kind}_{index}": attention.weights
                for kind in (AttentionKind.CROSS, AttentionKind.DECODER)
                for index, attention in enumerate(found.trace.layers[kind])
            },
        },
        offline=("heat_map", lambda: heat_map_frame(own)),
    )


def _slot(found: Read) -> int:
    """The chosen slot, a click of this run included; else the one that is surest of an object."""
    count = len(found.found.boxes)
    surest = int(found.found.probabilities[:, :-1].max(axis=1).argmax())
    slot = selected_box(HERE.key("boxes"), SLOT.value if 0 <= SLOT.value < count else surest, count)
    SLOT.put(-1 if slot is None or slot == surest else slot)
    return surest if slot is None else slot


def _take_head(found: Read) -> None:
    """A click on a small multiple chooses layer and head, before anything is drawn."""
    heads = found.trace.n_heads(AttentionKind.CROSS)
    index = clicked_index(HERE.key("heads"), heads * found.trace.n_layers(AttentionKind.CROSS))
    if index is not None:
        LAYER.put(index // heads)
        HEAD.put(index % heads)


def _boxes(found: Read, slot: int, layer: int) -> None:
    plain = sheet(found, f"Boxes of all slots after decoder layer {layer}", grid=False)
    box_picture(BoxPicture(plain, boxes(found, layer, slot)), key=HERE.key("boxes"), selected=slot)
    said = [found.said(index, layer)[0] for index in range(len(found.found.boxes))]
    claims = sum(answer != NO_OBJECT for answer in said)
    there = "" if found.scene is None else f", and {len(found.scene.shapes)} are there"
    st.caption(
        f"After decoder layer {layer}: {claims} of {len(said)} slots claim an object{there}. "
        "Dashed: “no object”. Click a box."
    )


def _chances(found: Read, slot: int, layer: int) -> None:
    chances = found.found.layer_probabilities[layer, slot]
    order: list[int] = np.argsort(-chances).tolist()
    candidates(
        tuple(
            Candidate(
                "∅" if found.answers[i] == NO_OBJECT else found.answers[i],
                float(chances[i]),
                tip=(found.answers[i],),
                lit=i == order[0],
            )
            for i in order[:MOST_ANSWERS]
        ),
        label=f"What slot {slot} says after decoder layer {layer}",
        key=HERE.key("answer"),
        clickable=False,
        hue="query",
        caption=found.caption,
    )


def _look(found: Read, slot: int, layer: int, head: int) -> str:
    """Cross-attention over the picture, with the slot's own box."""
    attention = found.trace.attention(layer, kind=AttentionKind.CROSS)
    row = weights_of(attention, head)[slot].reshape(found.grid)
    title = f"Where slot {slot} looks: {head_name(layer, head)}"
    figure = sheet(found, title, row, title=title, grid=False)
    own = boxes(found, layer, slot)[slot]
    box_picture(BoxPicture(figure, (own,)), key=HERE.key("look"))
    st.caption(
        f"The weights sum to 1 over {row.size} places (uniform: {three(1 / row.size)}); largest "
        f"{three(float(row.max()))}."
    )
    return figure.caption


def _answered(found: Read, slot: int, layer: int, head: int) -> str:
    """What the slot says, and how much of its look is in its own box, in Markdown."""
    claim, chance = found.said(slot, layer)
    row = weights_of(found.trace.attention(layer, kind=AttentionKind.CROSS), head)[slot]
    own = centres_inside(found.found.layer_boxes[layer, slot].tolist(), *found.grid)
    inside = float(row.reshape(found.grid)[own].sum())
    return (
        f"After {head_name(layer, head).split(',')[0]} slot {slot} says **{plain(claim)}** with "
        f"**{three(chance)}**; **{three(100 * inside)} %** of its look is inside its own box."
    )


def _all_heads(found: Read, slot: int, layer: int, head: int) -> None:
    heads = found.trace.n_heads(AttentionKind.CROSS)
    figures = tuple(
        sheet(
            found,
            f"Slot {slot}, layer {index}, head {one}",
            attention.weights[one, slot].reshape(found.grid),
            title=f"{index} · {one}",
            width=SMALL,
            grid=False,
        )
        for index, attention in enumerate(found.trace.layers[AttentionKind.CROSS])
        for one in range(heads)
    )
    picture_row(
        figures,
        key=HERE.key("heads"),
        label=f"Cross-attention of slot {slot} in every layer and head",
        caption=found.caption,
        lit=None if head < 0 else layer * heads + head,
    )
    st.caption("Layer · head; each map has its own scale. Click one.")


def _between_slots(found: Read, slot: int, layer: int, head: int) -> HeatMap:
    attention = found.trace.attention(layer, kind=AttentionKind.DECODER)
    weights: Float32[np.ndarray, "query key"] = weights_of(attention, head)
    said = tuple(_short(found, index, layer) for index in range(len(weights)))
    outlined = np.zeros(weights.shape, dtype=bool)
    outlined[slot] = True
    figure = HeatMap(
        weights,
        said,
        said,
        label="Self-attention between the object queries",
        title=f"Decoder self-attention, {head_name(layer, head)}",
        caption=f"{found.caption} · decoder self-attention, {head_name(layer, head)}",
        row_title="query",
        column_title="key",
        scale="sequential",
        hue="decoder",
        numbers=True,
        cell=(56.0, 28.0),
        outlined=outlined,
    )
    heat_map(figure, key=HERE.key("between"))
    st.caption(
        f"Rows look at columns and sum to 1; framed: slot {slot}. Here slots can learn of rivals "
        "for one object, which the loss punishes: one reason why repetitions are rare."
    )
    return figure


def _short(found: Read, slot: int, layer: int) -> str:
    said, _ = found.said(slot, layer)
    return f"{slot}:{'∅' if said == NO_OBJECT else said}"


def _table(found: Read, slot: int) -> Table:
    rows, columns = found.grid
    lines = (
        (index, one, place // columns, place % columns, float(weight))
        for index, attention in enumerate(found.trace.layers[AttentionKind.CROSS])
        for one, row in enumerate(attention.weights[:, slot])
        for place, weight in enumerate(row[: rows * columns])
    )
    return ("layer", "head", "row", "column", "weight"), lines
