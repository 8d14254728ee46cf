"""Three to six tokens: Q Kᵀ, scale, mask, softmax, times V, every number on the table."""

from dataclasses import replace

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map, heat_map_frame
from app.components.worked_cell import worked_cell
from app.style.markdown_escape import plain
from app.ui.export_bar import Export, Table
from app.ui.params import Param
from app.views.blocks import matrices
from app.views.blocks.attention.state import (
    CELL,
    D_K,
    HIDDEN,
    MASK,
    NO_ROOT,
    TEMPERATURE,
    WORDS,
    K,
    Q,
    V,
)
from app.views.blocks.matrices import filled
from app.views.blocks.parts import preset_chips
from app.views.blocks.state import PAGE, get, key, put
from core.blocks.attention import AttentionSteps, attention_scale, attention_steps, causal
from core.errors import InputError
from core.explain.attention.worked_weight import worked_cell as work_out
from core.trace import AttentionKind

CELL_SIZE = (52.0, 34.0)  # px
FEWEST, MOST = 3, matrices.MOST
MASKS = {"none": "no mask", "causal": "causal", "chosen": "chosen cells"}
STANDARD: dict[Param, object] = {
    param: param.default
    for param in (WORDS, D_K, TEMPERATURE, NO_ROOT, MASK, HIDDEN, CELL, Q, K, V)
}
EXAMPLES: dict[str, dict[Param, object]] = {
    "it → animal": STANDARD,
    "two keys alike share": STANDARD
    | {
        WORDS: "red crimson blue it",
        K: filled(((2, 0, 0, 1), (2, 0, 0, 1), (0, 2, 0, 0), (0, 0, 0, 0))),
        Q: filled(((1, 0, 0, 1), (1, 0, 0, 1), (0, 2, 0, 0), (3, 0, 1, 0))),
        CELL: ((3, 0),),
    },
    "no √d_k: too sure": STANDARD
    | {
        NO_ROOT: True,
        Q: filled(((4, 1, 0, 2), (0, 5, 0, 1), (3, 0, 4, 0), (0, 2, 4, 1))),
        K: filled(((4, 0, 0, 2), (0, 4, 1, 0), (2, 0, 3, 0), (0, 1, 4, 0))),
    },
    "λ = 0.1: nearly hard": STANDARD | {TEMPERATURE: 0.1},
    "no looking ahead": STANDARD | {MASK: "causal", WORDS: "she opened the door"},
    "nobody looks at “it”": STANDARD
    | {MASK: "chosen", HIDDEN: tuple((query, 2) for query in range(4)), CELL: ((3, 0),)},
}


def render() -> Export | None:
    """Ask for numbers, compute, draw the five matrices and one weight in full."""
    _controls()
    words = get(WORDS).split()
    if not FEWEST <= len(words) <= MOST:
        st.warning(
            f"{len(words)} tokens stand there. Write {FEWEST} to {MOST} words with spaces between; "
            "the matrices keep their numbers.",
            icon=":material/info:",
        )
        return None
    given = _tables(words)
    scale = attention_scale(get(D_K), get(TEMPERATURE), by_root=not get(NO_ROOT))
    allowed = _allowed(len(words))
    try:
        steps = attention_steps(*given, scale=scale, allowed=allowed)
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return None
    caption = f"Attention on “{' '.join(words)}” · {_scale_words()} · {MASKS[get(MASK)]}"
    drawn = _draw(steps, allowed, words, caption)
    _one_weight(given, allowed, scale, words)
    _about()
    return Export(
        name="attention-from-scratch",
        caption=caption,
        table=lambda: _table(steps, words),
        arrays=lambda: {
            "Q": given[0], "K": given[1], "V": given[2], "dots": steps.dots,
            "scaled": steps.scaled, "masked": steps.masked, "weights": steps.weights,
            "output": steps.output,
        },
        offline=("heat_map", lambda: heat_map_frame(drawn)),
    )  # fmt: skip


def _controls() -> None:
    left, middle, right = st.columns([4, 4, 5], vertical_alignment="bottom", gap="medium")
    with left:
        st.text_input(f"Tokens ({FEWEST} to {MOST} words)", key=key(WORDS), max_chars=120)
    with middle, st.container(horizontal=True, vertical_alignment="bottom"):
        st.slider("d_k", 1, matrices.MOST, key=key(D_K), width=110)
        st.slider("temperature λ", 0.05, 10.0, step=0.05, key=key(TEMPERATURE), width=150)
    with right, st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "Mask",
            list(MASKS),
            format_func=MASKS.__getitem__,
            key=key(MASK),
            required=True,
        )
        st.toggle("without √d_k", key=key(NO_ROOT))
    preset_chips("worked", EXAMPLES)


def _tables(words: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The three matrices to edit; beside them, with chosen cells, who may look at whom."""
    choosing = get(MASK) == "chosen"
    places = st.columns(4 if choosing else 3, gap="small")
    found: list[np.ndarray] = []
    names = ("**Q**ueries: what I look for", "**K**eys: what I offer", "**V**alues: what I give")
    for place, param, name in zip(places, (Q, K, V), names, strict=False):
        with place:
            st.markdown(name)
            found.append(matrices.edit(param, words, get(D_K)))
    if choosing:
        with places[3]:
            st.markdown("**May look** (row → column)")
            _choose_cells(words)
    return found[0], found[1], found[2]


def _choose_cells(words: list[str]) -> None:
    """Boxes to tick; what is not ticked is masked."""
    slot = f"{key(HIDDEN)}.table"
    before = (get(HIDDEN), tuple(words))
    base, version, last = st.session_state.get(slot, (None, 0, None))
    if before != last:
        base, version = before[0], version + 1
    hidden = set(base)
    columns: dict[str, list[object]] = {"": list(words)}
    for column in range(len(words)):
        columns[str(column + 1)] = [(row, column) not in hidden for row in range(len(words))]
    edited = st.data_editor(
        columns,
        key=f"{slot}.{version}",
        hide_index=True,
        num_rows="fixed",
        row_height=32,
        column_config={"": st.column_config.TextColumn(disabled=True, width=64)},
    )
    outside = {cell for cell in hidden if max(cell) >= len(words)}
    unticked = {
        (row, column)
        for column in range(len(words))
        for row, ticked in enumerate(edited[str(column + 1)])
        if not ticked
    }
    put(HIDDEN, tuple(sorted(outside | unticked)))
    st.session_state[slot] = (base, version, (get(HIDDEN), tuple(words)))


def _allowed(size: int) -> np.ndarray:
    if get(MASK) == "causal":
        return causal(size)
    allowed = np.ones((size, size), dtype=bool)
    if get(MASK) == "chosen":
        for query, seen in get(HIDDEN):
            if query < size and seen < size:
                allowed[query, seen] = False
    return allowed


def _scale_words() -> str:
    parts = [f"{get(TEMPERATURE):g}"] * (get(TEMPERATURE) != 1)
    parts += [f"√{get(D_K)}"] * (not get(NO_ROOT))
    return f"÷ {' '.join(parts)}" if parts else "not scaled"


def _draw(steps: AttentionSteps, allowed: np.ndarray, words: list[str], caption: str) -> HeatMap:
    """The five matrices in their order; returns the softmax's, which is clicked."""
    tokens = tuple(words)
    hidden = None if allowed.all() else ~allowed

    def figure(
        values: np.ndarray, title: str, columns: tuple[str, ...] = tokens, *, masked: bool = False
    ) -> HeatMap:
        return HeatMap(
            values, tokens, columns, label=title, title=title, caption=caption, numbers=True,
            cell=CELL_SIZE, hidden=hidden if masked else None,
        )  # fmt: skip

    weights = replace(
        figure(steps.weights, "4 · softmax of each row", masked=True), scale="sequential", limit=1.0
    )
    dimensions = tuple(str(number + 1) for number in range(steps.output.shape[1]))
    figures = (
        figure(steps.dots, "1 · Q Kᵀ"),
        figure(steps.scaled, f"2 · {_scale_words()}"),
        figure(
            np.where(allowed, steps.masked, np.float32(0)), f"3 · {MASKS[get(MASK)]}", masked=True
        ),
        weights,
        figure(steps.output, "5 · times V", dimensions),
    )
    wide = max(len(words), get(D_K)) > 4
    places = [*st.columns(3), *st.columns(3)] if wide else st.columns(5)
    for number, (place, one) in enumerate(zip(places, figures, strict=False)):
        with place:
            if one is weights:
                chosen = heat_map(one, key=f"{PAGE}.weights", selected=_selected(len(words)))
                put(CELL, () if chosen is None else (chosen,))
            else:
                heat_map(one, key=f"{PAGE}.step-{number + 1}")
    return weights


def _selected(size: int) -> tuple[int, int] | None:
    cells = get(CELL)
    return cells[0] if cells and max(cells[0]) < size else None


def _one_weight(
    given: tuple[np.ndarray, np.ndarray, np.ndarray],
    allowed: np.ndarray,
    scale: float,
    words: list[str],
) -> None:
    st.subheader("One weight, fully worked")
    place = _selected(len(words))
    if place is None:
        st.caption("Click a cell of the softmax to see how its weight comes about.")
        return
    queries, keys, values = (matrix[None] for matrix in given)
    bias = np.where(allowed, np.float32(0), np.float32(-np.inf))[None]
    worked = work_out(
        queries, keys, values, bias=bias, scale=scale, cell=(0, *place),
        query_tokens=words, key_tokens=words,
    )  # fmt: skip
    worked_cell(
        worked, key=f"{PAGE}.cell", kind=AttentionKind.ENCODER, caption="attention from scratch"
    )


def _about() -> None:
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"\mathrm{Attention}(Q,K,V)=\mathrm{softmax}\!\Big(\frac{QK^{\top}}{\lambda\sqrt{d_k}}"
            r"+M\Big)V"
        )
        st.markdown(
            "[Vaswani et al. 2017](https://arxiv.org/abs/1706.03762), equation 1, with a "
            "temperature λ (the paper's is 1) and a mask M of zeros and −∞ (section 3.2.3). Rows "
            "are queries; each row of step 4 sums to one."
        )
    with right:
        st.markdown(
            "**The numbers are yours.** In a model, Q, K and V are projections of the same hidden "
            "states, $xW^Q$, $xW^K$ and $xW^V$; here you write them yourself. A row of the "
            "output is a mix of the rows of V: attention moves values, it does not transform them."
        )


def _table(steps: AttentionSteps, words: list[str]) -> Table:
    named = {
        "dots": steps.dots, "scaled": steps.scaled, "masked": steps.masked,
        "weights": steps.weights, "output": steps.output,
    }  # fmt: skip
    rows = (
        (name, words[i], j + 1 if name == "output" else words[j], repr(float(matrix[i, j])))
        for name, matrix in named.items()
        for i in range(matrix.shape[0])
        for j in range(matrix.shape[1])
    )
    return ("step", "query", "key_or_dimension", "value"), rows
