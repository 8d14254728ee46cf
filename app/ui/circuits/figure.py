"""The whole view below its input: the answer, both circuits side by side, one token's words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.components.heat_map import HeatMap, heat_map, selected_cell
from app.services.questions import PushedToken
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.visible_space import visible
from app.ui import prediction
from app.ui.circuits.params import CircuitParams
from app.ui.direct_logits.pushed import pushed_table
from app.ui.export_bar import Export, Table, offline_map
from app.ui.param_values import Cell
from core.catalog import ModelCard
from core.explain.attention.head_circuits import HeadCircuits
from core.trace import AttentionKind

CELL: Final = (44.0, 28.0)  # px
COPIES: Final = 10  # of the tokens that are pushed up most: its own among them is copied


@dataclass(frozen=True)
class Shown:
    """A head's circuits, and whose they are."""

    card: ModelCard
    vocabulary: Sequence[str]
    found: HeadCircuits
    head: Cell
    kind: AttentionKind
    text: str  # whose tokens are shown
    facts: Mapping[str, str]

    @property
    def crosses(self) -> bool:
        return self.kind == AttentionKind.CROSS

    @property
    def caption(self) -> str:
        name = f"layer {self.head[0]}, head {self.head[1]}"
        return f"{self.card.title} · {name} · “{self.text[:200]}”"


def figure(params: CircuitParams, shown: Shown, place: DeltaGenerator) -> Export | None:
    """Everything below the controls, the answer in `place`."""
    found, caption = shown.found, shown.caption
    cell = _looked_at(params, found)
    source = cell[0]
    if _asks(params, shown, source):
        return None
    place.markdown(_answered(shown, cell))
    ov = _map(shown, "ov")
    left, middle, right = st.columns([5, 5, 4], gap="medium")
    with left:
        heat_map(ov, key=_key(params), selected=cell)
    with middle:
        heat_map(_map(shown, "qk"), key=params.scope.key("qk"))
    with right:
        st.markdown(f"**Where it attends to {_plain(found.sources[source])}**, it writes")
        pushed_table(
            lambda token: visible(shown.vocabulary[token]),
            (found.up, found.down),
            source,
            caption=f"{caption} · {found.sources[source]}",
            told="The tokens whose logits it moves most",
            kind=shown.kind,
            key=params.scope.key("pushed"),
        )
    st.caption(_told(shown))
    return Export(
        name="circuits",
        caption=caption,
        table=lambda: _table(shown),
        arrays=lambda: _arrays(shown, cell),
        offline=offline_map(ov),
        facts=shown.facts,
    )


def _asks(params: CircuitParams, shown: Shown, source: int) -> bool:
    """Whether the reader is still to say what the head writes."""
    layer, head = shown.head
    return prediction.asks(
        params.scope.key("prediction"),
        f"Where head {layer}.{head} attends to **{_plain(shown.found.sources[source])}**: whose "
        "logit does it push up most?",
        PushedToken(shown.found, shown.vocabulary, source),
        about=(shown.card.id, shown.kind, shown.head, shown.text),
    )


def _plain(token: str) -> str:
    return plain(visible(token))


def _key(params: CircuitParams) -> str:
    return params.scope.key("map")


def _looked_at(params: CircuitParams, found: HeadCircuits) -> Cell:
    """Whose words, in whose logit: the cell that was clicked, else the strongest."""
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
    return cell


def _answered(shown: Shown, cell: Cell) -> str:
    """In cross-attention what is written is another token than what is looked at."""
    found, source = shown.found, cell[0]
    query = cell[1] if shown.crosses else source
    looked_at, token = _plain(found.sources[source]), _plain(found.tokens[query])
    best = _plain(shown.vocabulary[int(found.up.ids[source, 0])])
    key = int(found.preferred[query])
    layer, head = shown.head
    return (
        f"Attending to **{looked_at}**, head {layer}.{head} pushes **{best}** up most "
        f"(**{three(float(found.up.logits[source, 0]))}**), "
        f"{token if shown.crosses else f'{token} itself'} to rank "
        f"**{int(found.ranks[source, query]):,}** of {len(shown.vocabulary):,}; as a query {token} "
        f"prefers **{_plain(found.sources[key])}** "
        f"(**{three(_centred(found)[query, key])}** above its mean)."
    )


def _centred(found: HeadCircuits) -> np.ndarray:
    """A softmax sees differences within a row alone."""
    return found.qk - found.qk.mean(axis=1, keepdims=True)


def _map(shown: Shown, which: Literal["ov", "qk"]) -> HeatMap:
    found = shown.found
    sources, tokens = (tuple(map(visible, one)) for one in (found.sources, found.tokens))
    source_ids, ids = tuple(found.source_ids.tolist()), tuple(found.ids.tolist())
    ov = which == "ov"
    title = "OV: written for each token" if ov else "QK: which key a query scores high"
    return HeatMap(
        values=found.ov if ov else _centred(found),
        rows=sources if ov else tokens,
        columns=tokens if ov else sources,
        label=title,
        title=title,
        caption=f"{shown.caption} · {title}",
        row_title="attended to" if ov else "query",
        column_title="to the logit of" if ov else "key",
        row_ids=source_ids if ov else ids,
        column_ids=ids if ov else source_ids,
        numbers=True,
        cell=CELL,
    )


def _told(shown: Shown) -> str:
    """Whether it copies or translates, and whether like looks at like."""
    found, count = shown.found, len(shown.found.sources)
    beside = "Scores stand beside their row's mean, logits beside their mean over the vocabulary."
    if found.symmetric_share is None:
        translated = int((found.ranks.min(axis=1) <= COPIES).sum())
        return (
            f"Translating: for {translated} of {count} tokens one of those shown is among the "
            f"{COPIES} that the head pushes up most. {beside}"
        )
    copied = int((np.diagonal(found.ranks) <= COPIES).sum())
    itself = int((found.preferred == np.arange(count)).sum())
    return (
        f"Copying: of {count} tokens {copied} are among the {COPIES} that the head pushes up most "
        f"for them. Matching: {itself} of {count} score themselves highest. Of $W^Q (W^K)^\\top$ "
        f"{three(found.symmetric_share)} is symmetric, by squared size: 1 where whoever looks is "
        f"looked at, 0.5 for a random head. {beside}"
    )


def _arrays(shown: Shown, cell: Cell) -> dict[str, np.ndarray]:
    found = shown.found
    share = found.symmetric_share
    return {
        "sources": np.array(found.sources),
        "tokens": np.array(found.tokens),
        "source_ids": found.source_ids,
        "ids": found.ids,
        "ov": found.ov,
        "ranks": found.ranks,
        "qk": found.qk,
        "pushed_up": found.up.ids,
        "pushed_up_logits": found.up.logits,
        "pushed_down": found.down.ids,
        "pushed_down_logits": found.down.logits,
        "head": np.array(shown.head),
        "cell": np.array(cell),
        **({} if share is None else {"symmetric_share": np.array(share)}),
    }


def _table(shown: Shown) -> Table:
    """A line a pair: what is written to a token's logit, what it scores as a query."""
    found = shown.found
    lines = (
        (
            *(source, token, repr(float(found.ov[row, column])), int(found.ranks[row, column])),
            *(repr(float(found.qk[column, row])), shown.vocabulary[int(found.up.ids[row, 0])]),
        )
        for row, source in enumerate(found.sources)
        for column, token in enumerate(found.tokens)
    )
    return ("attended_to", "token", "ov_logit", "rank", "qk_score", "most_pushed_up"), lines
