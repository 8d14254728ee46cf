"""The whole view below its input: the answer, the map of all terms, one of them, the table."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.components.heat_map import heat_map, selected_cell
from app.services import direct_logits
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.worked import step, total
from app.ui import progress
from app.ui.data_table import data_table
from app.ui.direct_logits.detail import detail
from app.ui.direct_logits.exports import arrays, first_tokens, pushed_table, term_table
from app.ui.direct_logits.grid import HEADS, Grid
from app.ui.direct_logits.params import LogitParams
from app.ui.direct_logits.shown import Shown, term_name
from app.ui.export_bar import Export, offline_map
from core.explain.attribution.logit_attribution import LogitAttribution, Writer

GROUPS: Final = {
    Writer.EMBEDDINGS: "embeddings",
    Writer.ATTENTION: "heads",
    Writer.CROSS: "cross-attention heads",
    Writer.MLP: "MLPs",
    Writer.BIAS: "biases",
    Writer.READOUT: "readout",
}


def figure(
    params: LogitParams,
    shown: Shown,
    answers: tuple[int, int | None],
    facts: Mapping[str, str],
    place: DeltaGenerator,
) -> Export | None:
    """Everything below the input, the answer in `place`; None after an error was shown.

    answers: as `params.chosen` gives them.
    """
    answer, against = answers
    future = direct_logits.attribution(shown.question, answer, against)
    found = progress.outcome(future, shown.card.id)
    if found is None:
        return None
    what = shown.named(answer, against)
    grid = Grid.of(found)
    at = _looked_at(params, found, grid)
    place.markdown(_answered(shown, found, what))
    drawn = grid.drawn(shown, found, what)
    left, right = st.columns([8, 5], gap="large")
    with left:
        heat_map(drawn, key=_key(params), selected=grid.cell(found.terms[at]))
        _sum(found, what)
    with right:
        detail(params, shown, found, at)
    _every_term(shown, found)
    return Export(
        name="direct-logits",
        caption=drawn.caption,
        table=lambda: term_table(shown, found),
        arrays=lambda: arrays(shown, found),
        more={"pushed tokens": lambda: pushed_table(shown, found)},
        offline=offline_map(drawn),
        facts={**facts, "frozen": _frozen(found)},
    )


def _key(params: LogitParams) -> str:
    return params.scope.key("map")


def _looked_at(params: LogitParams, found: LogitAttribution, grid: Grid) -> int:
    """Which term is looked at: the one that was clicked, else the strongest."""
    places = {grid.cell(term): place for place, term in enumerate(found.terms)}
    strongest = _strongest(found)
    present = params.term.among(places) or grid.cell(found.terms[strongest])
    shape = len(grid.rows), len(grid.columns)
    cell = selected_cell(_key(params), present, shape)
    if cell not in places or cell == grid.cell(found.terms[strongest]):
        params.term.reset()
        return strongest
    params.term.put(cell)
    return places[cell]


def _answered(shown: Shown, found: LogitAttribution, what: str) -> str:
    heads = sum(_sum_of(found, one) for one in HEADS)
    mlps = _sum_of(found, Writer.MLP)
    parts, whole = step((heads, mlps, found.total - heads - mlps), found.total, total)
    largest = _strongest(found)
    return (
        f"The {plain(what)} {shown.where} is **{whole}**: heads write **{parts[0]}** to it, MLPs "
        f"**{parts[1]}**, embeddings and biases **{parts[2]}**. The most of one head or "
        f"MLP is **{three(float(found.values[largest]))}**, of {term_name(found.terms[largest])}."
    )


def _strongest(found: LogitAttribution) -> int:
    """Of the heads and MLPs: what they write depends on the text."""
    parts = np.array([term.writer in (*HEADS, Writer.MLP) for term in found.terms])
    return int(np.where(parts, np.abs(found.values), -1).argmax())


def _sum_of(found: LogitAttribution, writer: Writer) -> float:
    return sum(found.of(writer).values())


def _sum(found: LogitAttribution, what: str) -> None:
    present = [one for one in GROUPS if found.of(one)]
    parts, whole = step([_sum_of(found, one) for one in present], found.total, total)
    pairs = zip(present, parts, strict=True)
    terms = " + ".join(f"{GROUPS[one]} ({part})" for one, part in pairs)
    st.caption(
        f"{terms} = {whole}. The model's own {plain(what)} is {three(found.logit)}; left over, by "
        f"rounding: {three(found.residue)}."
    )


def _every_term(shown: Shown, found: LogitAttribution) -> None:
    order: list[int] = np.argsort(-np.abs(found.values), kind="stable").tolist()
    with st.expander("Every term, sorted by size"):
        data_table(
            {
                "part": [term_name(found.terms[at]) for at in order],
                "writes": [float(found.values[at]) for at in order],
                "pushes up": [first_tokens(shown, found.up.ids[at]) for at in order],
                "pushes down": [first_tokens(shown, found.down.ids[at]) for at in order],
            },
            column_config={"writes": st.column_config.NumberColumn(format="%.3g")},
        )


def _frozen(found: LogitAttribution) -> str:
    """What is no linear map on the way, and is taken as it is for this input."""
    frozen = ["the scale of the final norm"]
    if found.post_norm:
        frozen = ["the scale of every norm after each sublayer"]
    if found.gated:
        frozen.append(
            "the activation of the head, a gate for each number (GELU is z · Φ(z): Φ(z) is the "
            "gate), with the norm behind it"
        )
    return " and ".join(frozen)
