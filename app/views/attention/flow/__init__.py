"""Which way did it go? The shares that tokens take of each other, as paths over the layers."""

from collections.abc import Callable
from functools import partial
from typing import Final

import streamlit as st

from app.components.selection import Seed
from app.components.token_flow import selected_node, token_flow, token_flow_frame
from app.services import context_mixing, engine, text_maps
from app.services.context_mixing import ONE_STACK
from app.services.engine import TextTrace
from app.style.markdown_escape import plain
from app.ui.answer import answer
from app.ui.chosen_words import InText, Places
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.page import Figure, View
from app.ui.param_values import span
from app.ui.progress import READER_ERRORS, waited
from app.views.attention import state
from app.views.attention.flow import params
from app.views.attention.flow.shown import ShownFlow
from app.views.attention.inputs import Read, followed, read_sentence
from app.views.attention.kind import pick_kind
from core.catalog import ModelCard
from core.explain.flow.token_flow import Node, TokenFlow
from core.trace import AttentionKind, Encoding

MOST_TOKENS: Final = 96  # a flow holds layers × tokens² shares


def render() -> Figure | None:
    """The same sentence as under every head."""
    read = read_sentence()
    return None if read is None else partial(_figure, read)


def _figure(read: Read) -> Export | None:
    """Controls, the flow, the node that is followed in it."""
    traced, card = read.traced, read.card
    kind = pick_kind([kind for kind in traced.trace.kinds if kind != AttentionKind.CROSS])
    encoding = text_maps.encodings(traced.trace, kind)[0]
    if len(encoding) > MOST_TOKENS:
        st.info(
            f"The text has {len(encoding)} tokens; up to {MOST_TOKENS} are shown here, since every "
            "layer has an edge between every two. Shorten it."
        )
        return None
    said = answer()
    by = _controls(card)
    place = st.empty()
    try:
        flow = _flow(card, traced, kind, by, lambda: place.caption("Working out the shares …"))
    except READER_ERRORS as error:
        place.warning(plain(str(error)), icon=":material/info:")
        return None
    place.empty()
    shape = len(flow.kept) + 1, len(encoding)
    node = _node(encoding, kind, shape)
    shown = ShownFlow(card, traced, kind, encoding, flow, by, node)
    said.markdown(shown.answered())
    figure = shown.figure()
    token_flow(figure, node, key=params.FIGURE)
    st.caption(shown.note())
    return Export(
        "token-flow",
        shown.caption,
        shown.table,
        shown.arrays,
        offline=("token_flow", lambda: token_flow_frame(figure, Seed(node))),
        facts={"model": f"Model: {plain(card.title)}. {plain(card.paper)}"},
    )


def _controls(card: ModelCard) -> params.By:
    """How shares are measured, what is shown of them; of two stacks, attention is known alone."""
    one_stack = card.family in ONE_STACK
    with controls():
        if one_stack:
            params.BY.segmented("By", help=BY_HELP)
        by = params.BY.value if one_stack else "attention"
        params.SHOW.segmented("What flows")
        params.LEAST.slider("Shares from", step=0.01, width=180)
        if by != "proximity":
            params.RESIDUAL.slider("Residual", step=0.05, width=200, help=RESIDUAL_HELP)
    return by


BY_HELP: Final = (
    "Proximity: how much nearer a token brings one to what the layer makes, the residual beside it "
    "(Ferrando et al. 2022). ‖αf(x)‖ and attention: beside a residual of a fixed weight."
)
RESIDUAL_HELP: Final = (
    "The share that passes attention by, the same everywhere. Proximity measures it at every token."
)


def _flow(
    card: ModelCard,
    traced: TextTrace,
    kind: AttentionKind,
    by: params.By,
    say: Callable[[], object],
) -> TokenFlow:
    given = traced.request.arguments.get("pair")
    pair = None if given is None else str(given)
    if by == "attention":
        return context_mixing.flow_of_attention(traced, kind, params.RESIDUAL.value)
    if by == "proximity":
        return waited(engine.submit(context_mixing.flow_request(card, state.TEXT.value, pair)), say)
    request = context_mixing.mixing_request(card, state.TEXT.value, pair, "written")
    amounts = waited(engine.submit(request), say)
    return context_mixing.flow_of_written(request, amounts, params.RESIDUAL.value)


def _node(encoding: Encoding, kind: AttentionKind, shape: tuple[int, int]) -> Node:
    """The node that is followed: the reader's, the link's, or the view's own choice."""
    tokens = encoding.tokens

    def words(cell: Node | None) -> tuple[str, ...] | None:
        there = cell is not None and cell[0] < shape[0] and cell[1] < shape[1]
        return (tokens[cell[1]],) if cell is not None and there else None

    own = 0 if params.SHOW.value == "out" else shape[0] - 1, followed(encoding, kind)
    there = Places(words, span([(0, 0), (shape[0] - 1, shape[1] - 1)]))
    chosen = InText(params.NODE, there, figures=(params.FIGURE,))
    present = chosen.value or own
    found = selected_node(params.FIGURE, present, shape)
    if found != present:
        chosen.put(found)
    return params.NODE.value or own


VIEW: Final = View("flow", "Flow", params.PARAMS, render)
