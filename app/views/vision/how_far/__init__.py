"""How far do heads look? Distances, entropies, labels of every head; what positions learned."""

import streamlit as st

from app.style.markdown_escape import plain
from app.ui import progress
from app.ui.export_bar import Export
from app.views.vision import inputs
from app.views.vision.how_far import labels, measures, places, reach
from app.views.vision.how_far.words import about
from core.errors import InputError

LEAD = (
    "A convolution sees its neighbourhood; attention may see the whole picture from the first "
    "layer on. How far does each head look, and how did the model learn where patches lie?"
)
PARAMS = (measures.OVER, *reach.PARAMS, *places.PARAMS)


def render() -> Export | None:
    """Input; distances by layer and the heads' labels side by side; position tiles."""
    chosen = inputs.choose()
    if chosen is None:
        return None
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
    about()
    return export or similar


def _heads(chosen: inputs.Chosen, measured: measures.Measured) -> Export:
    left, right = st.columns([1, 1], gap="large")
    with left:
        reach.render(chosen, measured)
    with right:
        labels.render(measured)
    return Export(
        "how-far",
        measured.caption,
        lambda: measures.table(measured),
        lambda: measures.arrays(measured),
        offline=("head_labels", lambda: labels.frame(measured)),
    )
