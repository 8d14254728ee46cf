"""Figure 1, clickable: what each part computed for this sentence."""

from functools import partial
from typing import Final

import streamlit as st

from app.components.diagram import diagram, diagram_frame
from app.components.selection import Seed
from app.services import translator
from app.style.markdown_escape import plain
from app.ui import progress, projector
from app.ui.answer import answer
from app.ui.export_bar import Export, Table
from app.ui.options import one_of
from app.ui.page import Figure, View
from app.ui.params import Scope
from app.views.transformer import inputs, part_details
from app.views.transformer.figure_one import figure_one, read_id
from app.views.transformer.state import DECODED, HERE, ONE_LAYER, TEXT, TOKEN, asked
from core.catalog import ModelCard
from core.outputs.decoding import Machine, Positions
from core.trace import AttentionKind

PART: Final = Scope("transformer", "machine").text("figure")  # the part of Figure 1
DEFAULT_PART = "dec.cross"


def render() -> Figure | None:
    """The drawing, and the part that was clicked."""
    card = inputs.ask()
    if card is None:
        return None
    built = progress.outcome(translator.machine(asked()), card.id)
    return None if built is None else partial(_figure, built, card)


def _figure(built: Machine, card: ModelCard) -> Export:
    answer(_answered(built))
    # A projector's type needs wider boxes.
    left, right = st.columns([7, 4] if projector.is_on() else [6, 5], gap="large")
    trace = built.decoding.trace
    layers = max(trace.n_layers(AttentionKind.ENCODER), trace.n_layers(AttentionKind.DECODER))
    TOKEN.kept_below(len(built.decoding.labels))
    ONE_LAYER.below(layers)
    with right:
        one_of(
            ONE_LAYER,
            st.segmented_control,
            "Layer",
            range(layers),
            lambda layer: f"layer {layer}",
            required=True,
            label_visibility="collapsed",
        )
    with left:
        layer = ONE_LAYER.value
        figure = figure_one(built, layer, f"{card.title} · “{TEXT.value}”")
        known = {box.id for box in figure.boxes}
        wanted = PART.value if PART.value in known else DEFAULT_PART
        box = diagram(figure, key=HERE.key("figure-one"), selected=wanted) or DEFAULT_PART
        PART.put("" if box == DEFAULT_PART else box)
    with right:
        part_details.show(built, read_id(box), layer, card)
    return Export(
        name="transformer",
        caption=figure.caption,
        table=lambda: _table(built, layer),
        offline=("diagram", lambda: diagram_frame(figure, seed=Seed(box))),
        facts=_facts(built),
    )


def _answered(built: Machine) -> str:
    """What goes in, what comes out, and through how much, in Markdown."""
    decoded, sizes = built.decoding, built.profile
    return (
        f"{len(decoded.trace.tokens)} tokens go in, “**{plain(decoded.text) or '∅'}**” comes out "
        f"in {len(decoded.labels)}: through **{sizes.encoder_layers}** encoder and "
        f"**{sizes.decoder_layers}** decoder layers, with **{sizes.d_model}** numbers a token."
    )


def _facts(built: Machine) -> dict[str, str]:
    sizes = built.profile
    pre_norm = built.decoding.trace.block(0, AttentionKind.DECODER).pre_norm
    here, other = ("Pre-LN", "Post-LN") if pre_norm else ("Post-LN", "Pre-LN")
    marian = (
        "Positions: sines in the first half of each vector and cosines in the second (Marian's "
        "layout). The paper interleaves them, sin, cos, sin, cos …: the same numbers in another "
        "order."
    )
    return {
        "encoder_layers": str(sizes.encoder_layers),
        "decoder_layers": str(sizes.decoder_layers),
        "d_model": str(sizes.d_model),
        "heads": str(sizes.heads),
        "d_head": str(sizes.d_head),
        "d_ff": str(sizes.d_ff),
        "vocabulary": f"{sizes.vocabulary:,}",
        "positions": marian if sizes.positions == Positions.SINUSOIDAL else "",
        "norm": here,
        "other_norm": other,
    }


def _table(built: Machine, layer: int) -> Table:
    header = ("stack", "layer", "sublayer", "position", "token", "x", "f", "x_plus_f", "normed")
    rows = (
        (stack, layer, one.part, i, token, *(repr(float(row[i])) for row in norms))
        for stack, blocks in (built.decoding.trace.blocks or {}).items()
        if layer < len(blocks)
        for one in blocks[layer].sublayers
        for norms in [part_details.norms_of(one)]
        for i, token in enumerate(part_details.rows_of(built, stack).tokens)
    )
    return header, rows


VIEW: Final = View("machine", "The machine", (*DECODED, ONE_LAYER, PART, TOKEN), render)
