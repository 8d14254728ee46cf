"""How does a Transformer translate? Figure 1 with real shapes, decoding, beam search, alignment."""

import streamlit as st

from app.ui import params
from app.views.transformer import (
    alignment,
    beam,
    decode,
    forcing,
    heads,
    inputs,
    machine,
    state,
)

LEADS = {
    "decode": (
        "One token at a time: each looks back at what is said and across at the source. Click "
        "another word to hear how the sentence goes on then."
    ),
    "beams": (
        "Greedy decoding can't take a word back. Beam search keeps several hypotheses alive and "
        "decides at the end."
    ),
    "machine": (
        "The Transformer as its paper draws it, with this model's shapes. Click a part to see what "
        "it computed for this sentence."
    ),
    "heads": "One attention head on real numbers, from its input to what the layer passes on.",
    "alignment": (
        "Which English token did each German one look at? A classic reading of cross-attention, "
        "and where it goes wrong."
    ),
    "forcing": (
        "In training the decoder is fed the right translation and pays for every token it would "
        "not have said. Give it yours."
    ),
}
BODIES = {
    "decode": decode.render,
    "beams": beam.render,
    "machine": machine.render,
    "heads": heads.render,
    "alignment": alignment.render,
    "forcing": forcing.render,
}


def render() -> None:
    """Title, the views, and the chosen one."""
    if params.seed(state.PAGE, state.PARAMS):
        inputs.seed_model()
    st.title("How does a Transformer translate?")
    st.space("xxsmall")
    st.segmented_control(
        "View",
        list(state.VIEWS),
        format_func=state.VIEWS.__getitem__,
        key=state.key(state.VIEW),
        required=True,
        label_visibility="collapsed",
    )
    view = state.get(state.VIEW)
    with st.container(key="lead"):
        st.markdown(LEADS[view])
    card = inputs.ask(target=view == "forcing")
    if card is not None:
        BODIES[view](card)
