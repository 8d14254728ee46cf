"""The attention page's own sentences: what is hidden, and what is known of the model."""

import numpy as np
import streamlit as st

from app.components.head_view import Choice
from app.services.engine import TextTrace
from app.services.shown_maps import ShownMaps
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.visible_space import visible
from core.catalog import ModelCard
from core.trace import SINK, AttentionKind

MASKS = {
    AttentionKind.ENCODER: "Every token may look at every token: nothing is masked.",
    AttentionKind.DECODER: (
        "A token may look only at itself and at what came before it: the future is masked with −∞ "
        "before the softmax, so it gets exactly 0."
    ),
    AttentionKind.CROSS: (
        "Rows are the decoder's tokens, columns the encoder's: what each target token reads from "
        "the input."
    ),
}


def answered(shown: ShownMaps, selection: Choice) -> str:
    """Where the front map looks: from the chosen cell or token, else its strongest look."""
    weights = shown.maps[selection.front]
    if selection.cell is not None:
        query, key = selection.cell
    else:
        query, key = divmod(int(weights.argmax()), weights.shape[1])
    weight = float(weights[query, key])
    times = weight * float(shown.uniform_keys[query])
    looks, at = (
        plain(visible(label)) for label in (shown.queries.labels[query], shown.keys.labels[key])
    )
    return (
        f"In {shown.names[selection.front]}, **{looks}** looks at **{at}** with "
        f"**{three(weight)}**, {three(times)} times the even share."
    )


def hidden_note(shown: ShownMaps) -> None:
    """What was left out of the figure, with its amount."""
    if shown.removed is None or not shown.hidden:
        return
    mass = shown.removed
    unique = list(dict.fromkeys(shown.hidden))
    names = " ".join(unique[:6]) + (" …" if len(unique) > 6 else "")
    st.text(
        f"Hidden: {names}; they took {mass.mean():.3g} of a row on average, "
        f"{mass.min():.3g} to {mass.max():.3g}."
    )


def sink_note(traced: TextTrace, kind: AttentionKind) -> None:
    """What the column named “sink” is, with what it took."""
    sinks = [layer.sink for layer in traced.trace.layers[kind] if layer.sink is not None]
    if not sinks:
        return
    took = np.stack(sinks)
    st.text(
        f"{SINK}: no token, but a score that every head has learned and that its softmax runs over "
        "as well; nothing is read there. Of all heads' rows on this text it took "
        f"{three(float(took.mean()))} on average, {three(float(took.min()))} to "
        f"{three(float(took.max()))}. Lines and maps show it as the last column; BertViz, below, "
        "shows the tokens alone."
    )


def facts(card: ModelCard, kind: AttentionKind, traced: TextTrace) -> dict[str, str]:
    """For the prose."""
    attention = traced.trace.attention(0, kind=kind)
    queries = attention.queries
    return {
        "mask": MASKS[kind],
        "scaling": "This model writes its softmax out itself: its queries, its keys and what it "
        "scales them by are not seen."
        if queries is None
        else f"In this model d_k = {queries.shape[-1]}, and scores are multiplied by "
        f"{attention.scale:.4g}.",
        "model": f"Model: {plain(card.title)}, {card.size} parameters; {card.task}. "
        f"{card.licence}. {card.paper}",
    }
