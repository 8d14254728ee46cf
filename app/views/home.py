"""What is this? Home: a live attention picture, and the way to every page."""

from typing import Final

import streamlit as st

from app.components.head_view import Choice, Display, HeadView, head_view
from app.content import lectures
from app.content.examples import ATTENTION
from app.services import engine, models
from app.services.engine import TextTrace
from app.services.shown_maps import Reduction, shown_maps
from app.ui import page_links, progress, projector
from app.ui.page import Leaflet
from core.trace import AttentionKind

DEFAULT_TEXT: Final = ATTENTION[0].text
PICTURE = ((3, 1),)  # the head that gives "it" → "animal" 0.677
PLAIN = Reduction(words=False, without_special=True, without_punctuation=True, renormalise=False)


def render() -> None:
    """The first screen: one sentence, one real head, one way in."""
    st.title("See what a Transformer does with your own sentence")
    words, picture = st.columns([4, 6], gap="large")
    with words:
        st.markdown(
            "Glassformer runs real models on this machine and opens them up: every attention head, "
            "every number, worked out step by step. No account, no network."
        )
        page_links.link(
            "attention",
            "**Inspect every head on your own sentence**",
            icon=":material/arrow_forward:",
        )
        st.markdown(
            "On the right, one of 72 heads of MiniLM reads: which word does **it** stand for? "
            "Nobody told it; this head learned to look back at the noun."
        )
        projector.toggle("home")
    with picture:
        _live_picture()
    _by_lecture()


def _live_picture() -> None:
    """Layer 3, head 1, computed now."""
    place = st.empty()
    with place.container():
        st.skeleton(height=300)
    request, future = engine.request_trace(models.DEFAULT, DEFAULT_TEXT)
    trace = progress.outcome(future, models.DEFAULT)
    if trace is None:
        return
    shown = shown_maps(
        TextTrace(request, trace), AttentionKind.ENCODER, PICTURE, mean=False, reduction=PLAIN
    )
    it = next(i for i, label in enumerate(shown.queries.labels) if label == "it")
    with place.container():
        head_view(
            HeadView(
                kind=AttentionKind.ENCODER,
                names=("MiniLM-L6, layer 3 · head 1",),
                palette=(0,),
                maps=shown.maps,
                query_tokens=shown.queries.labels,
                key_tokens=shown.keys.labels,
                visible_keys=shown.visible_keys,
                uniform_keys=shown.uniform_keys,
                removed=shown.removed,
                caption=f"MiniLM-L6, layer 3, head 1 · “{DEFAULT_TEXT}”",
            ),
            display=Display(layout="lines"),
            selected=Choice(pinned=it),
            key="home.picture",
        )


def _by_lecture() -> None:
    st.subheader("By lecture")
    columns = st.columns(len(lectures.LECTURES), gap="medium")
    for column, (title, topics) in zip(columns, lectures.LECTURES, strict=True):
        with column:
            st.markdown(f"**{title}**")
            for topic in topics:
                page_links.link(topic.page, topic.title, topic.state)


PAGE: Final = Leaflet("", "Home", ":material/home:", render)
