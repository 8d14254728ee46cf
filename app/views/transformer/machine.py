"""Figure 1, clickable: what each part computed for this sentence."""

import streamlit as st

from app.components.diagram import diagram, diagram_frame
from app.services import translator
from app.services.translator import Machine, Positions
from app.ui import progress, projector
from app.views.transformer import part_details, state
from app.views.transformer.exports import Table, export_row
from app.views.transformer.figure_one import figure_one, read_id
from app.views.transformer.words import VASWANI
from core.catalog import ModelCard
from core.trace import AttentionKind

DEFAULT_PART = "dec.cross"


def render(card: ModelCard) -> None:
    """The drawing, and the part that was clicked."""
    built = progress.outcome(translator.machine(state.asked()), card.id)
    if built is not None:
        _figure(built, card)


@st.fragment
def _figure(built: Machine, card: ModelCard) -> None:
    left, right = st.columns([6, 5], gap="large")
    trace = built.decoding.trace
    layers = max(trace.n_layers(AttentionKind.ENCODER), trace.n_layers(AttentionKind.DECODER))
    if state.get(state.WHICH) >= layers:
        state.put(state.WHICH, 0)
    with right, st.container(horizontal=True, vertical_alignment="center"):
        st.segmented_control(
            "Layer",
            range(layers),
            format_func=lambda layer: f"layer {layer}",
            key=state.key(state.WHICH),
            required=True,
            label_visibility="collapsed",
        )
        with st.popover("Display", icon=":material/tune:", width="content"):
            projector.toggle(state.PAGE)
    with left:
        layer = state.get(state.WHICH)
        figure = figure_one(built, layer, f"{card.title} · “{state.get(state.TEXT)}”")
        known = {box.id for box in figure.boxes}
        wanted = state.get(state.PART) if state.get(state.PART) in known else DEFAULT_PART
        box = diagram(figure, key=f"{state.PAGE}.figure-one", selected=wanted) or DEFAULT_PART
        state.put(state.PART, "" if box == DEFAULT_PART else box)
    with right:
        part_details.show(built, read_id(box), layer, card)
    _about(built)
    export_row(
        name="transformer",
        caption=figure.caption,
        table=lambda: _table(built, layer),
        offline=("diagram", lambda: diagram_frame(figure, selected=box)),
    )


def _about(built: Machine) -> None:
    sizes = built.profile
    pre_norm = built.decoding.trace.block(0, AttentionKind.DECODER).pre_norm
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(
            f"Figure 1 of {VASWANI}, drawn with this model's shapes as (positions, width): "
            f"{sizes.encoder_layers} encoder and {sizes.decoder_layers} decoder layers, d_model = "
            f"{sizes.d_model}, {sizes.heads} heads of width d_k = {sizes.d_head}, d_ff = "
            f"{sizes.d_ff}, {sizes.vocabulary:,} tokens. The paper's base model: 6 layers, 512, 8 "
            "heads of 64, 2,048, about 37,000 tokens."
        )
        if sizes.positions == Positions.SINUSOIDAL:
            st.markdown(
                "Positions: sines in the first half of each vector and cosines in the second "
                "(Marian's layout). The paper interleaves them, sin, cos, sin, cos …: the same "
                "numbers in another order."
            )
    with right:
        here, other = ("Pre-LN", "Post-LN") if pre_norm else ("Post-LN", "Pre-LN")
        st.latex(
            r"\begin{aligned}\text{Post-LN: }&x_{l+1}=\mathrm{LN}(x_l+f(x_l))\\"
            r"\text{Pre-LN: }&x_{l+1}=x_l+f(\mathrm{LN}(x_l))\end{aligned}"
        )
        st.markdown(
            f"**{here} here.** {other} is the other way to put the norm. Post-LN (the paper, BERT, "
            "Marian, BART) norms the sum, so every sublayer hands on vectors of one scale, but "
            "gradients shrink on their way down and training needs warm-up. Pre-LN (GPT-2, T5, "
            "Llama) leaves the stream x alone and norms only what a sublayer reads: it trains "
            "without warm-up, its stream grows from layer to layer, and a last norm stands before "
            "the output ([Xiong et al. 2020](https://arxiv.org/abs/2002.04745))."
        )


def _table(built: Machine, layer: int) -> Table:
    header = ("stack", "layer", "sublayer", "position", "token", "x", "f", "x_plus_f", "normed")
    rows = (
        (stack, layer, one.part, i, token, *(repr(float(row[i])) for row in norms))
        for stack, blocks in (built.decoding.trace.blocks or {}).items()
        if layer < len(blocks)
        for one in blocks[layer].sublayers
        for norms in [part_details.norms_of(one)]
        for i, token in enumerate(part_details.tokens_of(built, stack))
    )
    return header, rows
