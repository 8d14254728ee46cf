"""The script that the browser tests run: every component, chosen by query parameters."""

import numpy as np
import streamlit as st

from app.components.head_grid import head_grid
from app.components.head_view import Choice, Display, HeadView, head_view
from app.components.permalink import permalink
from app.components.worked_cell import worked_cell
from app.style import theme
from core.explain.attention.head_overview import head_overview
from core.explain.attention.worked_weight import worked_cell as work_out
from core.trace import AttentionKind, softmax

HOSTILE = "</script><img src=x onerror=document.title='owned'>"
TOKENS = ("[CLS]", "the", "animal", HOSTILE, "Ġit", "\u202eabc", "a\u0000b", "[SEP]")


def weights(layers: int, heads: int, size: int) -> list[np.ndarray]:
    """Peaked and diffuse maps, the same in the test and in the app."""
    random = np.random.default_rng(5)
    sharpness = random.uniform(0.3, 3, (layers, heads, 1, 1))
    return list(
        softmax((random.normal(size=(layers, heads, size, size)) * sharpness).astype(np.float32))
    )


def tokens(size: int) -> tuple[str, ...]:
    return (TOKENS + tuple(f"word{i}" for i in range(len(TOKENS), size)))[:size]


def grid_page(size: int) -> None:
    words = tokens(size)
    special = np.array([word.startswith("[") for word in words])
    overview = head_overview(
        weights(3, 4, size),
        query_tokens=words,
        key_tokens=words,
        special_queries=special,
        special_keys=special,
    )
    start = ((1, 2),)
    if st.button("elsewhere"):
        st.session_state["start"] = ((0, 0), (2, 3))
    if "start" in st.session_state:
        start = st.session_state["start"]
    chosen = head_grid(
        overview, selected=start, label="All heads", key="grid", caption="demo model · a text"
    )
    st.session_state["start"] = chosen
    st.code(repr(chosen))


def view_page(size: int) -> None:
    maps = weights(3, 4, size)[1][: int(st.query_params.get("maps", "1"))]
    removed = np.zeros(maps.shape[:2], dtype=np.float32)
    removed[:, 2] = 0.412
    words = tokens(size)
    view = HeadView(
        kind=AttentionKind.ENCODER,
        names=tuple(f"layer 1 · head {i}" for i in range(len(maps))),
        palette=tuple(range(len(maps))),
        maps=maps,
        query_tokens=words,
        key_tokens=words,
        visible_keys=np.full(size, size),
        removed=removed,
        caption="demo model · a text",
    )
    direction = "to" if st.query_params.get("direction") == "to" else "from"
    top_k = 2 if "top_k" in st.query_params else None
    chosen = head_view(
        view, display=Display(direction=direction, top_k=top_k), selected=Choice(), key="view"
    )
    st.code(repr(chosen))


def cell_page() -> None:
    worked_cell(demo_cell(), key="cell", caption="demo model")


def demo_cell():
    random = np.random.default_rng(2)
    q, k, v = (random.normal(size=(1, 8, 16)).astype(np.float32) for _ in range(3))
    return work_out(
        q, k, v, bias=None, scale=0.25, cell=(0, 4, 2), query_tokens=tokens(8), key_tokens=tokens(8)
    )


def link_page() -> None:
    layer = st.number_input(
        "layer", value=int(st.query_params.get("layer", "0")), step=1, key="layer"
    )
    st.code(f"seen {dict(st.query_params)} layer {layer}")
    permalink(
        {"show": "link", "layer": str(int(layer)), "text": "a b & ü"},
        too_long="The text stays out.",
        key="link",
    )


def main() -> None:
    st.set_page_config(layout="wide")
    theme.apply(projector="projector" in st.query_params)
    size = int(st.query_params.get("size", "8"))
    page = st.query_params.get("show", "grid")
    if page == "grid":
        grid_page(size)
    elif page == "view":
        view_page(size)
    elif page == "cell":
        cell_page()
    elif page == "tabs":
        _, second = st.tabs(["first", "second"])
        with second:
            cell_page()
    elif page == "projector":
        theme.apply(projector=st.toggle("projector"))
        cell_page()
    else:
        link_page()


if __name__ == "__main__":
    main()
