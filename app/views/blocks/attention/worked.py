"""Three to six tokens: Q Kᵀ, scale, mask, softmax, times V, every number on the table."""

from dataclasses import replace
from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map, heat_map_frame
from app.components.worked_cell import worked_cell
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.edited_table import EditedTable
from app.ui.examples import preset_chips
from app.ui.export_bar import Export, Table
from app.ui.page import View
from app.ui.param_values import Cell, read_cell, write_cell
from app.ui.params import Param, Scope
from app.views.blocks import matrices
from app.views.blocks.attention.state import D_K, WORDS, K, Q, V
from app.views.blocks.matrices import filled
from core.blocks.attention import AttentionSteps, attention_scale, attention_steps, causal
from core.errors import InputError
from core.explain.attention.worked_weight import worked_cell as work_out
from core.trace import AttentionKind

CELL_SIZE = (52.0, 34.0)  # px
FEWEST, MOST = 3, matrices.MOST


def _read_cell(given: str) -> Cell | None:
    cell = read_cell(given)
    return cell if cell is not None and max(cell) < MOST else None


HERE: Final = Scope("blocks", "attention.steps")
TEMPERATURE: Final = HERE.real("temperature", 0.05, 10.0, 1.0)
NO_ROOT: Final = HERE.flag("no_root")
MASK: Final = HERE.choice("mask", {"none": "no mask", "causal": "causal", "chosen": "chosen cells"})
HIDDEN: Final = HERE.cells("hidden")  # (query, key): who may not look at whom
# the weight that is worked out
CELL: Final[Param[Cell | None]] = HERE.custom("cell", (2, 0), _read_cell, write_cell)
PARAMS: Final = (WORDS, D_K, TEMPERATURE, NO_ROOT, MASK, HIDDEN, CELL, Q, K, V)
STANDARD: Final = (
    WORDS.at(WORDS.default),
    D_K.at(D_K.default),
    TEMPERATURE.at(TEMPERATURE.default),
    NO_ROOT.at(NO_ROOT.default),
    MASK.at(MASK.default),
    HIDDEN.at(HIDDEN.default),
    CELL.at(CELL.default),
    Q.at(Q.default),
    K.at(K.default),
    V.at(V.default),
)
PRESETS: Final = {
    "it → animal": STANDARD,
    "two keys alike share": (
        *STANDARD,
        WORDS.at("red crimson blue it"),
        K.at(filled(((2, 0, 0, 1), (2, 0, 0, 1), (0, 2, 0, 0), (0, 0, 0, 0)))),
        Q.at(filled(((1, 0, 0, 1), (1, 0, 0, 1), (0, 2, 0, 0), (3, 0, 1, 0)))),
        CELL.at((3, 0)),
    ),
    "no √d_k: too sure": (
        *STANDARD,
        NO_ROOT.at(value=True),
        Q.at(filled(((4, 1, 0, 2), (0, 5, 0, 1), (3, 0, 4, 0), (0, 2, 4, 1)))),
        K.at(filled(((4, 0, 0, 2), (0, 4, 1, 0), (2, 0, 3, 0), (0, 1, 4, 0)))),
    ),
    "λ = 0.1: nearly hard": (*STANDARD, TEMPERATURE.at(0.1)),
    "no looking ahead": (*STANDARD, MASK.at("causal"), WORDS.at("she opened the door")),
    "nobody looks at “it”": (
        *STANDARD,
        MASK.at("chosen"),
        HIDDEN.at(tuple((query, 2) for query in range(4))),
        CELL.at((3, 0)),
    ),
}


def render() -> Export | None:
    """Ask for numbers, compute, draw the five matrices and one weight in full."""
    _controls()
    words = WORDS.value.split()
    if not FEWEST <= len(words) <= MOST:
        st.warning(
            f"{len(words)} tokens stand there. Write {FEWEST} to {MOST} words with spaces between; "
            "the matrices keep their numbers.",
            icon=":material/info:",
        )
        return None
    given = _tables(words)
    scale = attention_scale(D_K.value, TEMPERATURE.value, by_root=not NO_ROOT.value)
    allowed = _allowed(len(words))
    try:
        steps = attention_steps(*given, scale=scale, allowed=allowed)
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return None
    caption = f"Attention on “{' '.join(words)}” · {_scale_words()} · {MASK.names[MASK.value]}"
    said = answer()
    drawn = _draw(steps, allowed, words, caption)
    said.markdown(_answered(steps, allowed, words))
    _one_weight(given, allowed, scale, words)
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
    with controls():
        WORDS.line("Tokens", max_chars=120, help=f"{FEWEST} to {MOST} words.")
        D_K.slider("d_k")
        TEMPERATURE.slider("temperature λ", step=0.05)
        MASK.segmented("Mask")
        NO_ROOT.toggle("without √d_k")
        preset_chips(PRESETS, key=HERE.key("preset"))


def _tables(words: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The three matrices to edit; beside them, with chosen cells, who may look at whom."""
    choosing = MASK.value == "chosen"
    places = st.columns(4 if choosing else 3, gap="small")
    found: list[np.ndarray] = []
    names = ("**Q**ueries: what I look for", "**K**eys: what I offer", "**V**alues: what I give")
    for place, param, name in zip(places, (Q, K, V), names, strict=False):
        with place:
            st.markdown(name)
            found.append(matrices.edit(param, words, D_K.value))
    if choosing:
        with places[3]:
            st.markdown("**May look** (row → column)")
            _choose_cells(words)
    return found[0], found[1], found[2]


def _choose_cells(words: list[str]) -> None:
    """Boxes to tick; what is not ticked is masked."""
    table, hidden = EditedTable(HIDDEN.key, (HIDDEN.value, tuple(words))), set(HIDDEN.value)

    def columns() -> dict[str, list[object]]:
        return {
            "": list(words),
            **{
                str(column + 1): [(row, column) not in hidden for row in range(len(words))]
                for column in range(len(words))
            },
        }

    edited = table.edit(
        columns,
        num_rows="fixed",
        column_config={"": st.column_config.TextColumn(disabled=True, width=64)},
    )
    outside = {cell for cell in hidden if max(cell) >= len(words)}
    unticked = {
        (row, column)
        for column in range(len(words))
        for row, ticked in enumerate(edited[str(column + 1)])
        if not ticked
    }
    HIDDEN.put(tuple(sorted(outside | unticked)))
    table.leave((HIDDEN.value, tuple(words)))


def _allowed(size: int) -> np.ndarray:
    if MASK.value == "causal":
        return causal(size)
    allowed = np.ones((size, size), dtype=bool)
    if MASK.value == "chosen":
        for query, seen in HIDDEN.value:
            if query < size and seen < size:
                allowed[query, seen] = False
    return allowed


def _scale_words() -> str:
    parts = [f"{TEMPERATURE.value:g}"] * (TEMPERATURE.value != 1)
    parts += [f"√{D_K.value}"] * (not NO_ROOT.value)
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
            np.where(allowed, steps.masked, np.float32(0)),
            f"3 · {MASK.names[MASK.value]}",
            masked=True,
        ),
        weights,
        figure(steps.output, "5 · times V", dimensions),
    )
    wide = max(len(words), D_K.value) > 4
    places = [*st.columns(3), *st.columns(3)] if wide else st.columns(5)
    for number, (place, one) in enumerate(zip(places, figures, strict=False)):
        with place:
            if one is weights:
                chosen = heat_map(one, key=HERE.key("weights"), selected=_selected(len(words)))
                CELL.put(chosen)
            else:
                heat_map(one, key=HERE.key(f"step-{number + 1}"))
    return weights


def _answered(steps: AttentionSteps, allowed: np.ndarray, words: list[str]) -> str:
    """The chosen weight, or the largest, in Markdown."""
    query, key = _selected(len(words)) or divmod(int(steps.weights.argmax()), len(words))
    weight = float(steps.weights[query, key])
    share = three(weight * int(allowed[query].sum()))
    return (
        f"*{plain(words[query])}* looks at *{plain(words[key])}* with **{three(weight)}**, {share} "
        "times the even share."
    )


def _selected(size: int) -> tuple[int, int] | None:
    cell = CELL.value
    return cell if cell is not None and max(cell) < size else None


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
        worked, key=HERE.key("worked"), kind=AttentionKind.ENCODER, caption="attention from scratch"
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


VIEW: Final = View("steps", "Step by step", PARAMS, figure=render)
