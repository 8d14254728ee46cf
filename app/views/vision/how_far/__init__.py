"""How far do heads look? Distances, entropies, labels of every head; what positions learned."""

from functools import partial
from typing import Final

import streamlit as st

from app.style.markdown_escape import plain
from app.ui import head_names, progress
from app.ui.answer import answer
from app.ui.export_bar import Export
from app.ui.page import Drawn, View
from app.views.vision.how_far import labels, measures, places, reach
from app.views.vision.inputs import Chosen, choose, display_of_heads
from app.views.vision.state import NAMES, SHARED
from core.errors import InputError
from core.trace import AttentionKind


def render() -> Drawn:
    """Input, then what follows from it."""
    chosen = choose()
    return None if chosen is None else partial(_figure, chosen)


def _figure(chosen: Chosen) -> Export | None:
    """Distances by layer and the heads' labels side by side; position tiles."""
    export = None
    with st.container():  # a progress line in it moves nothing below
        trace = progress.outcome(measures.first(chosen), chosen.card.id)
    if trace is None:
        st.caption("Choose another model above.")
    else:
        try:
            measured = measures.measure(chosen)
        except InputError as error:
            st.warning(plain(str(error)), icon=":material/info:")
        else:
            if measured is not None:
                export = _heads(chosen, measured)
    similar = places.render(chosen)
    return export or similar


def _heads(chosen: Chosen, measured: measures.Measured) -> Export:
    answer(reach.answered(chosen, measured))
    layers = NAMES.layers(chosen.card.id, AttentionKind.ENCODER)
    left, right = st.columns([1, 1], gap="large")
    with left:
        reach.render(measured)
    with right:
        labels.render(measured, layers)
    return Export(
        "how-far",
        measured.caption,
        lambda: measures.table(measured, layers),
        lambda: measures.arrays(measured) | ({} if layers is None else head_names.arrays(layers)),
        offline=("head_grid", lambda: labels.frame(measured, layers)),
    )


VIEW: Final = View(
    "how-far",
    "How far",
    (*SHARED, measures.PICTURES, *reach.PARAMS, *labels.PARAMS, *places.PARAMS, *NAMES.params),
    render,
    display_of_heads,
)
