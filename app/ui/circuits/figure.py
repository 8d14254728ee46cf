"""The whole view below its input: the answer, both circuits side by side, one token's words."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.components.heat_map import HeatMap, heat_map, selected_cell
from app.services import direct_logits
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.visible_space import visible
from app.ui import progress
from app.ui.circuits.params import CircuitParams
from app.ui.direct_logits.pushed import pushed_table
from app.ui.export_bar import Export, Table, offline_map
from app.ui.params import Cell
from core.catalog import ModelCard
from core.explain.attention.head_circuits import HeadCircuits
from core.trace import AttentionKind

CELL: Final = (44.0, 28.0)  # px
COPIES: Final = 10  # of the tokens that are pushed up most: its own among them is copied


def figure(
    params: CircuitParams,
    card: ModelCard,
    vocabulary: Sequence[str],
    text: str,
    head: Cell,
    kind: AttentionKind,
    facts: Mapping[str, str],
    place: DeltaGenerator,
) -> Export | None:
    """Everything below the input, the answer in `place`; None after an error was shown.

    head: as `params.choices` gives it. text: the page's, whose tokens are taken without others.
    """
    chosen = params.tokens.value.strip() or text
    found = progress.outcome(direct_logits.circuits(card.id, chosen, *head), card.id)
    if found is None:
        return None
    source, cell = _looked_at(params, found)
    name = f"layer {head[0]}, head {head[1]}"
    place.markdown(_answered(found, vocabulary, source, f"head {head[0]}.{head[1]}"))
    caption = f"{card.title} · {name} · “{chosen[:200]}”"
    ov = _map(found, "ov", caption)
    left, middle, right = st.columns([5, 5, 4], gap="medium")
    with left:
        heat_map(ov, key=_key(params), selected=cell)
    with middle:
        heat_map(_map(found, "qk", caption), key=params.scope.key("qk"))
    with right:
        st.markdown(f"**Where it attends to {plain(visible(found.tokens[source]))}**, it writes")
        pushed_table(
            lambda token: visible(vocabulary[token]),
            (found.up, found.down),
            source,
            caption=f"{caption} · {found.tokens[source]}",
            told="The tokens whose logits it moves most",
            kind=kind,
            key=params.scope.key("pushed"),
        )
    st.caption(_told(found))
    return Export(
        name="circuits",
        caption=caption,
        table=lambda: _table(found, vocabulary),
        arrays=lambda: {
            "tokens": np.array(found.tokens),
            "ids": found.ids,
            "ov": found.ov,
            "own_rank": found.ranks,
            "qk": found.qk,
            "pushed_up": found.up.ids,
            "pushed_up_logits": found.up.logits,
            "pushed_down": found.down.ids,
            "pushed_down_logits": found.down.logits,
            "head": np.array(head),
            "source": np.array(source),
            "symmetric_share": np.array(found.symmetric_share),
        },
        offline=offline_map(ov),
        facts=facts,
    )


def _key(params: CircuitParams) -> str:
    return params.scope.key("map")


def _looked_at(params: CircuitParams, found: HeadCircuits) -> tuple[int, Cell]:
    """Which source is looked at, and the cell: the one that was clicked, else the strongest."""
    shape = found.ov.shape[0], found.ov.shape[1]
    row, column = np.unravel_index(int(found.ov.argmax()), shape)
    first = int(row), int(column)
    kept = params.cell.value
    if kept is not None and not (kept[0] < shape[0] and kept[1] < shape[1]):
        kept = None
    cell = selected_cell(_key(params), kept or first, shape) or first
    if cell == first:
        params.cell.reset()
    else:
        params.cell.put(cell)
    return cell[0], cell


def _answered(found: HeadCircuits, vocabulary: Sequence[str], source: int, name: str) -> str:
    token = plain(visible(found.tokens[source]))
    best = plain(visible(vocabulary[int(found.up.ids[source, 0])]))
    key = int(found.preferred[source])
    return (
        f"Attending to **{token}**, {name} pushes **{best}** up most "
        f"(**{three(float(found.up.logits[source, 0]))}**), {token} itself to rank "
        f"**{int(found.ranks[source]):,}** of {len(vocabulary):,}; as a query {token} prefers "
        f"**{plain(visible(found.tokens[key]))}** (**{three(_centred(found)[source, key])}** above "
        "its mean)."
    )


def _centred(found: HeadCircuits) -> np.ndarray:
    """A softmax sees differences within a row alone."""
    return found.qk - found.qk.mean(axis=1, keepdims=True)


def _map(found: HeadCircuits, which: Literal["ov", "qk"], caption: str) -> HeatMap:
    tokens = tuple(map(visible, found.tokens))
    ov = which == "ov"
    title = "OV: written for each token" if ov else "QK: which key a query scores high"
    return HeatMap(
        values=found.ov if ov else _centred(found),
        rows=tokens,
        columns=tokens,
        label=title,
        title=title,
        caption=f"{caption} · {title}",
        row_title="attended to" if ov else "query",
        column_title="to the logit of" if ov else "key",
        numbers=True,
        cell=CELL,
    )


def _told(found: HeadCircuits) -> str:
    """Whether it copies, and whether like looks at like."""
    copied = int((found.ranks <= COPIES).sum())
    itself = int((found.preferred == np.arange(len(found.ids))).sum())
    count = len(found.ids)
    return (
        f"Copying: of {count} tokens {copied} are among the {COPIES} that the head pushes up most "
        f"for them. Matching: {itself} of {count} score themselves highest. Of W^Q (W^K)ᵀ "
        f"{three(found.symmetric_share)} is symmetric, by squared size: 1 where whoever looks is "
        "looked at, 0.5 for a random head. Scores stand beside their row's mean, logits beside "
        "their mean over the vocabulary."
    )


def _table(found: HeadCircuits, vocabulary: Sequence[str]) -> Table:
    lines = (
        (
            *(
                source,
                other,
                repr(float(found.ov[row, column])),
                repr(float(found.qk[row, column])),
            ),
            *(int(found.ranks[row]), vocabulary[int(found.up.ids[row, 0])]),
        )
        for row, source in enumerate(found.tokens)
        for column, other in enumerate(found.tokens)
    )
    return ("token", "other", "ov_logit", "qk_score", "own_rank", "most_pushed_up"), lines
