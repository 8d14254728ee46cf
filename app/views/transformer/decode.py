"""Token by token: where the newest position looks, and what it could say."""

import numpy as np
import streamlit as st

from app.components.decoder_steps import DecoderSteps, Word, decoder_steps, decoder_steps_frame
from app.components.heat_map import HeatMap, heat_map
from app.services import translator
from app.services.translator import Decoding
from app.style.markdown_escape import plain
from app.ui import progress, projector
from app.views.transformer import choosing, state
from app.views.transformer.exports import Table, export_row
from app.views.transformer.words import about_decoding
from core.catalog import ModelCard
from core.trace import AttentionKind


def render(card: ModelCard) -> None:
    """The decoder's run; below it the mask."""
    decoded = progress.outcome(translator.decode(state.asked()), card.id)
    if decoded is not None:
        _figure(decoded, card)


@st.fragment
def _figure(decoded: Decoding, card: ModelCard) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        layer, head = choosing.layer_and_head(decoded.trace, AttentionKind.CROSS)
        if state.get(state.PREFIX):
            st.button("Greedy again", on_click=lambda: state.put(state.PREFIX, ()))
        with st.popover("Display", icon=":material/tune:", width="content"):
            projector.toggle(state.PAGE)
    figure = _steps(decoded, card, layer, head)
    chosen = decoder_steps(figure, key=f"{state.PAGE}.decoder", step=state.get(state.STEP))
    state.put(state.STEP, chosen.step)
    if chosen.word is not None:
        place, token = chosen.word
        said = (*decoded.label_ids[:place].tolist(), token)
        state.put(state.PREFIX, said)
        state.put(state.STEP, min(place + 1, len(said)))
        st.rerun(scope="app")
    _notes(decoded)
    left, right = st.columns([1, 1], gap="large")
    with left:
        _mask(decoded, layer, head, chosen.step)
    with right:
        about_decoding(decoded)
    export_row(
        name="decoding",
        caption=figure.caption,
        table=lambda: _table(decoded),
        arrays=lambda: {
            "cross_attention": figure.weights,
            "logits": np.asarray(decoded.trace.logits),
            "label_ids": decoded.label_ids,
        },
        offline=("decoder_steps", lambda: decoder_steps_frame(figure, step=chosen.step)),
    )


def _steps(decoded: Decoding, card: ModelCard, layer: int, head: int) -> DecoderSteps:
    trace = decoded.trace
    name = choosing.name_of(layer, head)
    return DecoderSteps(
        source=trace.tokens,
        fed=trace.target_tokens,
        labels=decoded.labels,
        label_ids=tuple(decoded.label_ids.tolist()),
        candidates=tuple(
            tuple(Word(one.id, one.token, one.probability, one.logit) for one in row)
            for row in decoded.candidates
        ),
        weights=translator.maps(trace, AttentionKind.CROSS, layer, head),
        heads=name,
        label="Decoding step by step",
        caption=f"{card.title}, cross-attention of {name} · “{state.get(state.TEXT)}”",
    )


def _notes(decoded: Decoding) -> None:
    st.markdown(f"**{plain(decoded.text) or '∅'}**")
    if not decoded.ended:
        st.caption(
            f"Cut off after {len(decoded.labels)} tokens, the input's length + 50 "
            "(Vaswani et al. 2017, section 6.1): the model did not come to its end."
        )
    if state.get(state.PREFIX):
        st.caption(
            f"The first {len(state.get(state.PREFIX))} tokens are your choice, the rest is greedy."
        )


def _mask(decoded: Decoding, layer: int, head: int, step: int) -> None:
    trace = decoded.trace
    weights = translator.maps(trace, AttentionKind.DECODER, layer, head)
    hidden = ~trace.attention(max(layer, 0), kind=AttentionKind.DECODER).allowed()
    heat_map(
        HeatMap(
            values=weights,
            rows=trace.target_tokens,
            columns=trace.target_tokens,
            label="Masked self-attention of the decoder",
            caption=f"Masked decoder self-attention, {choosing.name_of(layer, head)}",
            title="The mask: masked self-attention of the decoder",
            row_title="position that looks",
            column_title="looked at",
            scale="sequential",
            hue="decoder",
            hidden=hidden,
            height=360,
        ),
        key=f"{state.PAGE}.mask",
        selected=(min(step, len(weights) - 1), 0),
    )


def _table(decoded: Decoding) -> Table:
    header = ("position", "fed", "rank", "token", "probability", "logit", "said")
    rows = (
        (i, fed, rank + 1, one.token, repr(one.probability), repr(one.logit), one.token == said)
        for i, (fed, said, row) in enumerate(
            zip(decoded.trace.target_tokens, decoded.labels, decoded.candidates, strict=True)
        )
        for rank, one in enumerate(row)
    )
    return header, rows
