"""BertViz on the page: its own JavaScript on this trace, each view in its own frame."""

import streamlit as st

from app.components import bertviz
from app.services import text_maps
from app.services.engine import TextTrace
from app.services.shown_maps import HeadId
from app.views.attention import state
from core.trace import AttentionKind, Encoding


def bertviz_panel(traced: TextTrace, kind: AttentionKind, heads: tuple[HeadId, ...]) -> None:
    """Off until asked for, since it draws a line for every weight."""
    st.subheader("The same in BertViz")
    with st.container(horizontal=True, vertical_alignment="center"):
        state.BERTVIZ.segmented("View", quiet=True, width="content")
        st.caption(
            "[Vig 2019](https://arxiv.org/abs/1906.05714): its own code, drawn from this trace, "
            "weights rounded to 4 decimals.",
            width="content",
        )
    view = state.BERTVIZ.value
    if view == "off":
        return
    queries, keys = text_maps.encodings(traced.trace, kind)
    if reason := bertviz.too_long(max(len(queries), len(keys))):
        st.info(reason)
        return
    page = _page(view, traced, queries, heads)
    if page is not None:
        st.iframe(
            page.html,
            height=page.height,
            alt=f"BertViz {state.BERTVIZ.names[view]} of this sentence",
        )


def _page(
    view: str, traced: TextTrace, queries: Encoding, heads: tuple[HeadId, ...]
) -> bertviz.Page | None:
    kinds = bertviz.maps_of(traced.trace)
    dark = st.context.theme.type == "dark"
    second = [i for i, segment in enumerate(queries.segments) if segment == 1]
    b_start = second[0] if second and len(kinds) == 1 else None
    layer = heads[0][0]
    if view == "head":
        in_layer = [head for at, head in heads if at == layer]
        return bertviz.head_view_page(
            kinds, dark=dark, sentence_b_start=b_start, layer=layer, heads=in_layer
        )
    if view == "model":
        return bertviz.model_view_page(kinds, dark=dark, sentence_b_start=b_start)
    if reason := bertviz.hides_queries(kinds):
        st.info(reason)
        return None
    return bertviz.neuron_view_page(
        kinds, dark=dark, sentence_b_start=b_start, layer=layer, head=heads[0][1]
    )
