"""Where the last token looked to choose the next: every layer, then one layer's heads."""

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.visible_space import visible
from app.views.gpt.state import HERE, LAYER, MODEL, NAMES
from core.outputs.decoder import NextStep
from core.trace import ROW_SUM_TOLERANCE, AttentionKind


def show(step: NextStep, caption: str) -> None:
    """The mean over heads, layer by layer; a click on a row shows that layer's heads."""
    layers = step.attention.shape[0]
    layer = LAYER.below(layers) % layers
    tokens, ids = step.encoding.tokens, tuple(step.encoding.ids.tolist())
    st.markdown(
        f"**Where {plain(visible(tokens[-1]))} looks** to choose: mean over heads, layer by layer"
    )
    chosen = heat_map(
        HeatMap(
            values=step.attention.mean(axis=1),
            rows=tuple(map(str, range(layers))),
            columns=tokens,
            row_title="layer",
            label=f"Attention of the last token {tokens[-1]}, layers by tokens",
            caption=caption,
            scale="sequential",
            hue="decoder",
            cell=(48, 22),
            row_notes=("a click shows its heads",) * layers,
            column_ids=ids,
        ),
        key=HERE.key("layers"),
        selected=(layer, min(len(tokens) - 1, 0)),
    )
    if chosen is not None and chosen[0] != layer:
        LAYER.put(chosen[0])
        layer = chosen[0]
    left = 1 - step.attention.sum(axis=-1)
    if left.max() > ROW_SUM_TOLERANCE:
        st.caption(
            f"On average {three(float(left.mean()))} of a head's look goes to a learned sink, "
            "which is no token: the Attention page shows it as a column."
        )
    heads = step.attention[layer]
    names = NAMES.names(MODEL.value, AttentionKind.DECODER)
    st.markdown(f"**Layer {layer}**, head by head")
    heat_map(
        HeatMap(
            values=np.ascontiguousarray(heads),
            rows=tuple(map(str, range(len(heads)))),
            row_notes=() if names is None else names.notes[layer],
            columns=tokens,
            column_ids=ids,
            row_title="head",
            label=f"Attention of the last token in layer {layer}, heads by tokens",
            caption=caption,
            scale="sequential",
            hue="decoder",
            limit=1.0,
            cell=(48, 22),
        ),
        key=HERE.key("heads"),
    )
