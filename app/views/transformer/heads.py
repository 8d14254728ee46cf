"""Multi-head attention step by step: X → Q, K, V → Q Kᵀ → scale → mask → softmax → Z → W^O."""

from collections.abc import Mapping
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map, heat_map_frame
from app.services import text_maps, translator
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import progress
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export
from app.ui.page import Figure, View
from app.ui.progress import READER_ERRORS
from app.views.transformer import choosing, inputs
from app.views.transformer.state import (
    DECODED,
    HERE,
    KIND,
    KINDS,
    NAMES,
    ONE_HEAD,
    ONE_LAYER,
    TEXT,
    asked,
)
from core.catalog import ModelCard
from core.explain.attention.multi_head import MultiHead
from core.outputs.decoding import Machine
from core.trace import AttentionKind, Encoding


def render() -> Figure | None:
    """One head of one layer, all its matrices."""
    card = inputs.ask()
    if card is None:
        return None
    built = progress.outcome(translator.machine(asked()), card.id)
    return None if built is None else partial(_figure, built, card)


def _figure(built: Machine, card: ModelCard) -> Export | None:
    trace = built.decoding.trace
    with controls():
        kind = AttentionKind(KIND.segmented("Which attention"))
        layer, head = choosing.exact_place(trace, kind)
    try:
        worked = translator.worked_head(asked(), built, kind, layer, head)
    except READER_ERRORS as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return None
    place = f"{card.title}, {KINDS[kind]}, layer {layer}, head {head}"
    shown = _Shown(worked, *text_maps.encodings(trace, kind), place)
    answer(_answered(shown))
    _inputs(shown, is_cross=kind == AttentionKind.CROSS)
    _scores(shown)
    _outputs(shown, built)
    return Export(
        name="multi-head-attention",
        caption=f"{place} · “{TEXT.value}”",
        table=lambda: (
            ("query", "query_token", "key", "key_token", "q·k", "scaled", "bias", "weight"),
            shown.cells(),
        ),
        arrays=lambda: _arrays(worked),
        offline=("heat_map", lambda: heat_map_frame(shown.weights())),
        facts={"heads": str(built.profile.heads), "d_head": str(worked.queries.shape[1])},
    )


class _Shown:
    """A worked head with its tokens, as maps."""

    def __init__(self, worked: MultiHead, queries: Encoding, keys: Encoding, place: str) -> None:
        self.worked, self.place = worked, place
        self.rows, self.columns = queries.tokens, keys.tokens
        self.row_ids, self.column_ids = tuple(queries.ids.tolist()), tuple(keys.ids.tolist())
        self.hidden = np.isneginf(worked.bias)

    def vectors(self, values: np.ndarray, title: str, *, keys: bool = False) -> HeatMap:
        """Rows of numbers, one a token."""
        return HeatMap(
            values=values,
            rows=self.columns if keys else self.rows,
            row_ids=self.column_ids if keys else self.row_ids,
            columns=tuple(str(i) for i in range(values.shape[1])),
            label=f"{title}, {values.shape}",
            caption=f"{self.place}: {title}",
            title=f"{title}  {values.shape}",
            height=230,
        )

    def square(self, values: np.ndarray, title: str, *, masked: bool) -> HeatMap:
        """Queries by keys, signed."""
        return HeatMap(
            values=values,
            rows=self.rows,
            columns=self.columns,
            row_ids=self.row_ids,
            column_ids=self.column_ids,
            label=title,
            caption=f"{self.place}: {title}",
            title=title,
            hidden=self.hidden if masked else None,
            numbers=values.size <= 300,
            height=330,
        )

    def weights(self) -> HeatMap:
        """The map after the softmax."""
        return HeatMap(
            values=self.worked.weights,
            rows=self.rows,
            columns=self.columns,
            row_ids=self.row_ids,
            column_ids=self.column_ids,
            label="attention weights",
            caption=f"{self.place}: weights",
            title="softmax: weights, rows sum to 1",
            scale="sequential",
            hue=KIND.value,
            hidden=self.hidden,
            numbers=self.worked.weights.size <= 300,
            height=330,
        )

    def cells(self) -> list[tuple[object, ...]]:
        """Every score and weight."""
        worked = self.worked
        return [
            (
                *(i, query, j, key),
                *(
                    repr(float(values[i, j]))
                    for values in (worked.products, worked.scaled, worked.bias, worked.weights)
                ),
            )
            for i, query in enumerate(self.rows)
            for j, key in enumerate(self.columns)
        ]


def _answered(shown: _Shown) -> str:
    """Its largest weight, and the product that it comes from, in Markdown."""
    weights = shown.worked.weights
    row, column = divmod(int(weights.argmax()), weights.shape[1])
    weight = float(weights[row, column])
    even = weight * int((~shown.hidden[row]).sum())
    return (
        f"Most of all *{plain(shown.rows[row])}* looks at *{plain(shown.columns[column])}*: "
        f"q · k = **{three(float(shown.worked.products[row, column]))}** becomes a weight of "
        f"**{three(weight)}**, **{three(even)}** times the even share."
    )


def _draw(figure: HeatMap, name: str) -> None:
    heat_map(figure, key=HERE.key(f"head.{name}"))


def _inputs(shown: _Shown, *, is_cross: bool) -> None:
    worked = shown.worked
    width = worked.queries.shape[1]
    left, right = st.columns(2, gap="medium")
    with left:
        _draw(shown.vectors(worked.received, "1 · X: what the attention reads"), "x")
    with right:
        if is_cross:
            _draw(shown.vectors(worked.memory, "Y: the encoder's output", keys=True), "y")
    columns = st.columns(3, gap="medium")
    named = (("Q", worked.queries), ("K", worked.keys), ("V", worked.values))
    for column, (name, values) in zip(columns, named, strict=True):
        with column:
            _draw(shown.vectors(values, name, keys=name != "Q"), name)
    st.caption(
        f"1 · Project: X has {worked.received.shape[1]} numbers a token. Three matrices of this "
        f"head make {width} each: $Q = XW^Q+b$, $K = YW^K+b$, $V = YW^V+b$. "
        + ("Y is the encoder's output." if is_cross else "In self-attention Y is X.")
    )


def _scores(shown: _Shown) -> None:
    worked = shown.worked
    st.subheader("2 · Compare, scale, mask, softmax")
    root = f"1/√{worked.queries.shape[1]} = " if worked.scale != 1 else ""
    unscaled = (
        "" if worked.scale != 1 else " T5 leaves the scale out; its initial weights make up for it."
    )
    n_hidden = int(shown.hidden.sum())
    relative = np.isfinite(worked.bias) & (worked.bias != 0)
    mask = f"{n_hidden} of {shown.hidden.size} scores become −∞: the future." if n_hidden else ""
    if not n_hidden:
        mask = "Nothing is masked here."
    if relative.any():
        mask += " A bias by relative position is added to every score."
    st.markdown(f"Scores are q · k × {root}{worked.scale:.4g}.{unscaled} {mask}")
    first, second, third = st.columns(3, gap="medium")
    with first:
        _draw(shown.square(worked.products, "Q Kᵀ", masked=False), "products")
    with second:
        scores = np.where(shown.hidden, 0, worked.scaled + np.where(shown.hidden, 0, worked.bias))
        title = "scaled, masked" if n_hidden else "scaled"
        _draw(shown.square(scores.astype(np.float32), title, masked=True), "scores")
    with third:
        _draw(shown.weights(), "weights")


def _outputs(shown: _Shown, built: Machine) -> None:
    worked, sizes = shown.worked, built.profile
    st.subheader("3 · Mix the values, join the heads, project")
    st.markdown(
        f"Z = weights × V: each token's mix of values. The Z of all {sizes.heads} heads stand side "
        f"by side ({sizes.heads} × {worked.output.shape[1]} = {worked.concatenated.shape[1]}), and "
        "$W^O$ makes of them what the layer adds to its stream."
    )
    first, second, third = st.columns([1, 2, 2], gap="medium")
    with first:
        _draw(shown.vectors(worked.output, "Z, this head"), "z")
    with second:
        _draw(shown.vectors(worked.concatenated, "Concat, all heads"), "concat")
    with third:
        _draw(shown.vectors(worked.result, "Concat W^O + b"), "result")
    st.caption(
        f"Computed here from the weights. Largest difference from the model's own q, k and v: "
        f"{worked.errors[0]:.2g}; from its own attention output: {worked.errors[1]:.2g}."
    )


def _arrays(worked: MultiHead) -> Mapping[str, np.ndarray]:
    names = (
        *("received", "memory", "queries", "keys", "values", "products", "scaled", "bias"),
        *("weights", "output", "concatenated", "result"),
    )
    return {name: getattr(worked, name) for name in names}


VIEW: Final = View(
    "heads",
    "Multi-head attention",
    (*DECODED, KIND, ONE_LAYER, ONE_HEAD, *NAMES.params),
    render,
    NAMES.control,
)
