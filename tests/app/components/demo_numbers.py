"""The script that the browser tests of matrices, token rows, candidates and diagrams run."""

import numpy as np
import streamlit as st

from app.components.candidates import Candidate, candidates
from app.components.diagram import Arrow, Box, Diagram, diagram
from app.components.heat_map import HeatMap, heat_map
from app.components.token_row import Chip, token_row
from app.style import theme

HOSTILE = "</script><img src=x onerror=document.title='owned'>"


def matrix(rows: int, columns: int) -> np.ndarray:
    return np.random.default_rng(3).normal(size=(rows, columns)).astype(np.float32)


def matrix_page() -> None:
    rows, columns = int(st.query_params.get("rows", "6")), int(st.query_params.get("columns", "8"))
    values = matrix(rows, columns)
    hidden = None
    if "mask" in st.query_params:
        hidden = np.triu(np.ones((rows, columns), dtype=bool), 1)
    if "nan" in st.query_params:
        values[0, 0] = np.nan
    figure = HeatMap(
        values=values,
        rows=tuple(f"t{i}" if i else HOSTILE for i in range(rows)),
        columns=tuple(f"{j}" for j in range(columns)),
        label="A matrix",
        caption="demo · seed 3",
        title="Values",
        row_title="position",
        column_title="dimension",
        scale="sequential" if "sequential" in st.query_params else "diverging",
        numbers="numbers" in st.query_params,
        hidden=hidden,
        column_notes=tuple(f"note of column {j}" for j in range(columns)),
    )
    if st.button("elsewhere"):
        st.session_state["cell"] = (1, 2)
    chosen = heat_map(figure, key="matrix", selected=st.session_state.get("cell"))
    st.session_state["cell"] = chosen
    st.code(repr(chosen))


def words_page() -> None:
    chips = (
        Chip("[CLS]", state="quiet"),
        Chip("the", shade=0.1, note="0.9"),
        Chip(HOSTILE, shade=1.0, tip=("hostile", "second line")),
        Chip("[MASK]", state="masked"),
        Chip("Ġdog", state="lit"),
        Chip(" \n", note="white"),
    )
    clicks = st.session_state.setdefault("clicks", [])
    clicks.append(token_row(chips, label="Tokens", key="words", caption="demo"))
    rows = (
        Candidate("store", 0.61803, note="rank 1", lit=True),
        Candidate(HOSTILE, 0.2, tip=("hostile",)),
        Candidate("nothing", 0.0),
    )
    clicks.append(candidates(rows, label="Candidates", key="rows", caption="demo"))
    st.code(repr([click for click in clicks if click is not None]))
    st.button("again")


def boxes_page() -> None:
    figure = Diagram(
        boxes=(
            Box("in", "Inputs", 0, 5, 3, 0.8, sub="(6,)"),
            Box("embed", "Input embedding", 0, 3.2, 3, 1, sub="(6, 256)", tip=("x √d",)),
            Box("attention", "Multi-head attention", 0, 1, 3, 1.4, hue="encoder", sub="8 heads"),
            Box("new", HOSTILE, 5, 1, 3, 1.4, hue="cross", dashed=True),
        ),
        arrows=(
            Arrow(((1.5, 5), (1.5, 4.2))),
            Arrow(((1.5, 3.2), (1.5, 2.4)), label="residual"),
            Arrow(((3, 1.7), (4, 1.7), (4, 2), (5, 2)), dashed=True, label="keys"),
        ),
        width=8.2,
        height=6,
        label="A machine",
        caption="demo",
    )
    if st.button("elsewhere"):
        st.session_state["box"] = "in"
    st.session_state["box"] = diagram(figure, key="boxes", selected=st.session_state.get("box"))
    st.code(repr(st.session_state["box"]))


theme.apply(projector=False)
{"matrix": matrix_page, "words": words_page, "boxes": boxes_page}[
    st.query_params.get("show", "matrix")
]()
