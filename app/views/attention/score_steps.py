"""From scores to weights: one head's matrix, changed in place by every step."""

from collections.abc import Mapping
from typing import Final, Literal

import numpy as np
import streamlit as st

from app.components.heat_map import Cell, HeatMap, heat_map, selected_cell
from app.services import text_maps
from app.services.engine import TextTrace
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.visible_space import visible
from app.style.worked import Step, follow, product, term, total
from app.ui.answer import answer
from app.ui.chosen_words import InText, pair_in
from app.ui.controls import controls
from app.ui.export_bar import Export, offline_map
from app.ui.page import View
from app.ui.params import Scope
from app.views.attention import state
from app.views.attention.asking import asks
from app.views.attention.figure import work_out
from app.views.attention.inputs import of_sentence
from app.views.attention.kind import pick_kind
from app.views.attention.one_head import pick_head
from core.catalog import ModelCard
from core.errors import InputError
from core.explain.attention.score_steps import ScoreSteps, score_steps
from core.trace import AttentionKind

HERE: Final = Scope("attention", "steps")
MAP: Final = HERE.key("map")
Stage = Literal["products", "scaled", "biased", "weights"]
STAGES: Final[Mapping[Stage, str]] = {
    "products": "1 · Q Kᵀ",
    "scaled": "2 · × scale",
    "biased": "3 · + mask",
    "weights": "4 · softmax",
}
STAGE: Final = HERE.choice("stage", STAGES)
NUMBERED: Final = 400  # cells: up to so many have their numbers


def _figure(traced: TextTrace, card: ModelCard) -> Export | None:
    """A head, the stage its matrix is at, one cell worked out."""
    kind = pick_kind(traced.trace.kinds)
    said = answer()
    with controls():
        layer, head = pick_head(traced, kind)
        STAGE.segmented("Step")
    if asks(traced, card, kind, (layer, head)):
        return None
    try:
        steps = score_steps(traced.trace.attention(layer, kind=kind), head)
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return None
    cell = _cell(traced, kind, steps)
    said.markdown(_answered(traced, kind, steps, cell))
    caption = f"{card.title}, {state.KIND_TITLES[kind]}, layer {layer} · head {head}"
    figure = _map(traced, kind, steps, f"{caption} · “{state.TEXT.value[:200]}”")
    heat_map(figure, key=MAP, selected=cell)
    st.caption(_note(steps))
    work_out(traced, kind, (layer, head), cell, key=HERE.key("worked"))
    return Export(
        "score-steps",
        figure.caption,
        lambda: (
            ("query", "query_token", "key", "key_token", *STAGES, "bias"),
            _cells(traced, kind, steps),
        ),
        lambda: (
            {name: getattr(steps, name) for name in (*STAGES, "bias")}
            | {"scale": np.array(steps.scale), "cell": np.array(cell)}
        ),
        offline=offline_map(figure),
        facts={"model": f"Model: {plain(card.title)}. {plain(card.paper)}"},
    )


def _cell(traced: TextTrace, kind: AttentionKind, steps: ScoreSteps) -> Cell:
    """The cell that is followed: the reader's, else the largest weight."""
    queries, keys = text_maps.encodings(traced.trace, kind)
    chosen = InText(state.CELL, pair_in(queries.tokens, keys.tokens), figures=(MAP,))
    row, column = divmod(int(steps.weights.argmax()), steps.weights.shape[1])
    found = selected_cell(MAP, chosen.value or (row, column), steps.weights.shape)
    if found != (row, column) or chosen.value is not None:
        chosen.put(found)
    return found or (row, column)


def _map(traced: TextTrace, kind: AttentionKind, steps: ScoreSteps, caption: str) -> HeatMap:
    """The matrix at the chosen stage; what the mask forbids is struck out from the third on."""
    queries, keys = text_maps.encodings(traced.trace, kind)
    stage = STAGE.value
    is_weights = stage == "weights"
    masked = np.isneginf(steps.bias) if stage in ("biased", "weights") else None
    values = getattr(steps, stage)
    return HeatMap(
        values=values if masked is None else np.where(masked, 0, values).astype(np.float32),
        rows=tuple(map(visible, queries.tokens)),
        columns=tuple(map(visible, keys.tokens)),
        label=f"{STAGES[stage]}, queries by keys",
        caption=f"{caption} · {STAGES[stage]}",
        row_title="query",
        column_title="key",
        scale="sequential" if is_weights else "diverging",
        hue=kind.value,
        numbers=values.size <= NUMBERED,
        hidden=masked if masked is not None and masked.any() else None,
        row_ids=tuple(queries.ids.tolist()),
        column_ids=tuple(keys.ids.tolist()),
        cell=(64, 30),
    )


def _answered(traced: TextTrace, kind: AttentionKind, steps: ScoreSteps, cell: Cell) -> str:
    """All four steps of one cell, in Markdown; each follows from the one before as printed."""
    queries, keys = text_maps.encodings(traced.trace, kind)
    looks, at = (plain(visible(one)) for one in (queries.tokens[cell[0]], keys.tokens[cell[1]]))
    raw, scaled = float(steps.products[cell]), float(steps.scaled[cell])
    bias, score = float(steps.bias[cell]), float(steps.biased[cell])
    weight, row = float(steps.weights[cell]), f"{int(np.isfinite(steps.bias[cell[0]]).sum())} keys"
    parts = {"raw": raw, "scale": steps.scale, "scaled": scaled}
    chain = [Step("scaled", ("raw", "scale"), product)]
    if np.isfinite(bias) and bias:
        parts |= {"bias": bias, "score": score}
        chain.append(Step("score", ("scaled", "bias"), total))
    printed = follow(parts, chain)
    begun = (
        f"**{looks}** · **{at}**: q · k = **{printed['raw']}**, × {printed['scale']} = "
        f"**{printed['scaled']}**"
    )
    if np.isneginf(bias):
        return f"{begun}; the mask makes it **−∞**, and the softmax **0**."
    added = ", which no mask changes"
    if bias:
        added = f", + {term(printed['bias'])} = **{printed['score']}**"
    return f"{begun}{added}; the softmax over its row's {row} makes it **{three(weight)}**."


def _note(steps: ScoreSteps) -> str:
    """What the stage did to the whole matrix."""
    values = getattr(steps, STAGE.value)
    finite = values[np.isfinite(values)]
    ends = f"from {three(float(finite.min()))} to {three(float(finite.max()))}"
    spread = three(float(finite.astype(np.float64).std()))
    match STAGE.value:
        case "biased":
            masked = np.isneginf(steps.bias)
            added = np.isfinite(steps.bias) & (steps.bias != 0)
            told = f"{int(masked.sum())} of {masked.size} scores become −∞"
            return f"{told}, {int(added.sum())} have a bias added; the others lie {ends}."
        case "weights":
            return f"Every row sums to one; weights lie {ends}."
        case _:
            return f"Numbers lie {ends}, with a standard deviation of {spread}."


def _cells(traced: TextTrace, kind: AttentionKind, steps: ScoreSteps) -> list[tuple[object, ...]]:
    queries, keys = text_maps.encodings(traced.trace, kind)
    return [
        (
            *(row, query, column, key),
            *(repr(float(getattr(steps, name)[row, column])) for name in (*STAGES, "bias")),
        )
        for row, query in enumerate(queries.tokens)
        for column, key in enumerate(keys.tokens)
    ]


VIEW: Final = View(
    "steps",
    "Step by step",
    (
        *(state.MODEL, state.TEXT, state.PAIR, state.TARGET, state.KIND, state.HEADS, state.CELL),
        STAGE,
    ),
    of_sentence(_figure),
)
