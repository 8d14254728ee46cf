"""The input: token + position + segment embedding, with the real vectors, and LayerNorm."""

from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map, heat_map_frame, selected_cell
from app.services import encoder
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.worked import Step, follow, term, total
from app.ui import charts, progress
from app.ui.answer import answer, model_name
from app.ui.chosen_words import InText, pair_in
from app.ui.export_bar import Export, Table
from app.ui.options import one_of
from app.ui.page import Figure, View
from app.views.bert import inputs, state
from core.catalog import ModelCard
from core.explain.embeddings.embedding_sum import (
    EmbeddingSum,
    cosines,
    embedding_sum,
    norms,
)
from core.outputs.encoder import EmbeddingParts

NAMES = {
    "token": "token embedding",
    "position": "+ position embedding",
    "segment": "+ segment embedding",
    "sum": "= sum",
    "output": "after LayerNorm: what the first layer reads",
}
ROW = 15  # px of a token's strip


def render() -> Figure | None:
    """Ask for a text, draw the sum as strips, then its norms and similarities."""
    asked = inputs.text_inputs()
    if asked is None:
        return None
    card, given = asked
    found = progress.outcome(encoder.embedding_parts(given), card.id)
    return None if found is None else partial(figure, inputs.loaded(card), found)


def figure(card: ModelCard, found: EmbeddingParts) -> Export:
    """Everything below the input: a click reruns only this."""
    total = embedding_sum(
        tuple(part.rows for part in found.parts),
        gain=found.gain,
        offset=found.offset,
        epsilon=found.epsilon,
        models_own=found.normalised,
    )
    stages = stages_of(found, total)
    _equality(card, found, total)
    cell = _strips(card, found, stages)
    _arithmetic(found, stages, cell, card)
    _norms_and_similarity(card, found, stages)
    labels = found.encoding.tokens
    return Export(
        name="input-sum",
        caption=f"{card.title} · input embeddings",
        table=lambda: _table(found, stages),
        arrays=lambda: {**stages, "tokens": np.array(labels)},
        offline=("heat_map", lambda: heat_map_frame(_strip(card, found, stages, "sum"))),
        facts={
            "epsilon": f"{found.epsilon:.0e}",
            "model": f"Model: {plain(card.title)}, d = {found.normalised.shape[1]}.",
        },
    )


def stages_of(found: EmbeddingParts, total: EmbeddingSum) -> dict[str, np.ndarray]:
    """(token, d) arrays by name, in the order in which they are added."""
    parts = {part.name: part.rows for part in found.parts}
    return {**parts, "sum": total.summed, "output": total.normalised}


def _equality(card: ModelCard, found: EmbeddingParts, total: EmbeddingSum) -> None:
    tables = ", ".join(f"{p.name} {p.table[0]:,} × {p.table[1]}" for p in found.parts)
    lengths = [f"{p.name} **{three(float(norms(p.rows).mean()))}**" for p in found.parts]
    answer(
        f"Sum and LayerNorm of {len(found.parts)} tables give what {plain(model_name(card))}’s "
        f"first layer reads, to **{three(total.error)}**: float32’s rounding. "
        f"Mean lengths: {', '.join(lengths)}."
    )
    notes = [f"Its tables: {plain(tables)}."]
    segment = next((part for part in found.parts if part.name == "segment"), None)
    if segment is None:
        notes.append("This model has no segment table: it can't be told A from B by its input.")
    elif segment.table[0] == 1:
        notes.append("Its segment table has one row, the same for every token: a constant.")
    first = next((int(p.index[0]) for p in found.parts if p.name == "position"), 0)
    if first:
        notes.append(
            f"Positions begin at row {first}: the rows before it belong to padding (RoBERTa)."
        )
    if "position" not in {part.name for part in found.parts}:
        notes.append("It adds no position here: its attention knows distances instead.")
    width = found.normalised.shape[1]
    if width != found.d_model:
        notes.append(f"A linear map then takes the {width} numbers to the layers' {found.d_model}.")
    st.caption(" ".join(notes))


def _strip(
    card: ModelCard, found: EmbeddingParts, stages: dict[str, np.ndarray], name: str
) -> HeatMap:
    tokens, ids = found.encoding.tokens, found.encoding.ids
    rows = stages[name]
    together = [stages[part.name] for part in found.parts] + [stages["sum"]]
    shared = max(float(np.abs(part).max()) for part in together)
    return HeatMap(
        values=rows,
        rows=tokens,
        columns=tuple(str(index) for index in range(rows.shape[1])),
        label=f"{NAMES[name]}: a row a token, a column a dimension",
        caption=f"{card.title} · {NAMES[name]}",
        title=NAMES[name],
        row_notes=_row_notes(found, name),
        row_ids=tuple(ids.tolist()),
        limit=None if name == "output" else shared,
        cell=(12, ROW),
        height=ROW * min(len(tokens), 24) + 40,
    )


def _row_notes(found: EmbeddingParts, name: str) -> tuple[str, ...]:
    part = next((part for part in found.parts if part.name == name), None)
    if part is None:
        return ()
    return tuple(f"row {index} of {part.table[0]:,}" for index in part.index)


def _strips(
    card: ModelCard, found: EmbeddingParts, stages: dict[str, np.ndarray]
) -> tuple[int, int] | None:
    """All stages below each other; returns the chosen (token, dimension)."""
    keys = {name: state.HERE.key(f"strip.{name}") for name in stages}
    shape = stages["sum"].shape
    dimensions = [""] * shape[1]  # stay when the words change
    in_text = InText(
        state.DIMENSION,
        pair_in(found.encoding.tokens, dimensions),
        figures=tuple(keys.values()),
    )
    chosen = in_text.value
    for key in keys.values():  # whichever strip was clicked
        chosen = selected_cell(key, chosen, (shape[0], shape[1]))
    for name in stages:
        heat_map(_strip(card, found, stages, name), key=keys[name], selected=chosen)
    in_text.put(chosen)
    st.caption(
        "The summands and the sum share one colour scale, zero is the page's colour; LayerNorm's "
        "output has its own. Click a cell to follow one dimension through all strips."
    )
    return chosen


def _arithmetic(
    found: EmbeddingParts,
    stages: dict[str, np.ndarray],
    cell: tuple[int, int] | None,
    card: ModelCard,
) -> None:
    """One dimension of one token, added up and normalised."""
    if cell is None:
        return
    token, dimension = cell
    row = stages["sum"][token].astype(np.float64)
    names = tuple(part.name for part in found.parts)
    values = {name: float(stages[name][token, dimension]) for name in names} | {
        "= sum": float(row[dimension]),
        "= mean": float(row.mean()),
        "= spread": float(np.sqrt(row.var() + found.epsilon)),
        "= gain": float(found.gain[dimension]),
        "= offset": float(found.offset[dimension]),
        "= output": float(stages["output"][token, dimension]),
    }
    norm = ("= sum", "= mean", "= spread", "= gain", "= offset")
    said = follow(values, [Step("= sum", names, total), Step("= output", norm, _normed)])
    terms = " + ".join(term(said[name]) for name in names)
    st.markdown(
        f"**{plain(found.encoding.tokens[token])}**, dimension {dimension} of {len(row)}: "
        f"{terms} = **{said['= sum']}**. LayerNorm: ({said['= sum']} − mean "
        f"{term(said['= mean'])}) ÷ {said['= spread']} × gain {term(said['= gain'])} + offset "
        f"{term(said['= offset'])} = **{said['= output']}**; {plain(card.title)} has "
        f"{three(float(found.normalised[token, dimension]))}."
    )


def _normed(value: float, mean: float, spread: float, gain: float, offset: float) -> float:
    return (value - mean) / spread * gain + offset


def _norms_and_similarity(
    card: ModelCard, found: EmbeddingParts, stages: dict[str, np.ndarray]
) -> None:
    tokens, ids = found.encoding.tokens, tuple(found.encoding.ids.tolist())
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("How long is each summand?")
        names = [f"{index} {token}" for index, token in enumerate(tokens)]
        curves = [
            charts.Curve(
                name=part.name,
                x=names,
                y=norms(part.rows).astype(np.float64),
                hover=tuple(
                    f"{token}: {part.name} embedding has length {length:.3g}"
                    for token, length in zip(tokens, norms(part.rows), strict=True)
                ),
                lines=False,
            )
            for part in found.parts
        ]
        charts.show(
            charts.chart(curves, x_title="", y_title="Euclidean norm", height=360),
            key=state.HERE.key("norms"),
            name="input-norms",
        )
    with right:
        st.subheader("How alike are the tokens?")
        if state.PART.value not in stages:
            state.PART.put("sum")
        name = one_of(
            state.PART,
            st.segmented_control,
            "Compare",
            stages,
            {**NAMES, "position": "position", "segment": "segment", "sum": "sum",
             "token": "token", "output": "LayerNorm"}.__getitem__,
            required=True,
            label_visibility="collapsed",
        )  # fmt: skip
        heat_map(
            HeatMap(
                values=cosines(stages[name]),
                rows=tokens,
                columns=tokens,
                label=f"Cosine between every two tokens' {name} vectors",
                caption=f"{card.title} · cosines of {name}",
                row_ids=ids,
                column_ids=ids,
                limit=1.0,
                numbers=len(tokens) <= 14,
                cell=(44, 28),
                height=420,
            ),
            key=state.HERE.key("cosines"),
        )
        st.caption("Cosine of the angle, −1 to 1: 1 is the same direction.")
        _angles(stages)


def _angles(stages: dict[str, np.ndarray]) -> None:
    """How far apart a token's own summands point: adding keeps what can be told apart."""
    if "position" not in stages:
        return
    own = [
        float(cosines(np.stack([token, position]))[0, 1])
        for token, position in zip(stages["token"], stages["position"], strict=True)
    ]
    st.caption(
        f"A token's own token and position vectors have a cosine of {np.mean(own):.2g} on "
        f"average ({min(own):.2g} to {max(own):.2g})."
    )


def _table(found: EmbeddingParts, stages: dict[str, np.ndarray]) -> Table:
    header = ["position", "token", "stage", "norm"]
    rows = [
        (place, token, name, float(length))
        for name, values in stages.items()
        for place, (token, length) in enumerate(
            zip(found.encoding.tokens, norms(values), strict=True)
        )
    ]
    return header, rows


VIEW: Final = View(
    "input",
    "Input",
    (state.MODEL, state.TEXT, state.PAIR, state.PART, state.DIMENSION),
    render,
)
