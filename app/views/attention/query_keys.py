"""One head's queries and keys in one plane, with arrows where a query looks at a key."""

from typing import Final

import streamlit as st

from app.components.heat_map import Cell
from app.services.engine import TextTrace
from app.style.number_format import three
from app.ui import charts, plane
from app.ui.answer import answer
from app.ui.charts import Curve
from app.ui.controls import controls
from app.ui.data_table import data_table
from app.ui.export_bar import Export
from app.ui.page import View
from app.ui.params import Number, Scope
from app.views.attention import state
from app.views.attention.asking import asks
from app.views.attention.inputs import of_sentence
from app.views.attention.kind import pick_kind
from app.views.attention.mapped import Mapped
from app.views.attention.one_head import pick_head
from app.views.attention.words import facts
from core.catalog import ModelCard

HERE: Final = Scope("attention", "space")
LEAST: Final[Number[float]] = HERE.real("arrows", 0.05, 1.0, 0.3)
MOST_LABELS: Final = 24  # tokens of each side that are written beside their points
MOST_ARROWS: Final = 100
HIGH: Final = 500  # px


def _figure(traced: TextTrace, card: ModelCard) -> Export | None:
    kind = pick_kind(traced.trace.kinds)
    said = answer()
    with controls():
        layer, head = pick_head(traced, kind)
        with st.container(width=300):
            LEAST.slider("Arrows from a weight of", step=0.05)
        state.HIDE_SPECIAL.toggle("Without special tokens")
    if asks(traced, card, kind, (layer, head)):
        return None
    shown = Mapped.of(traced.trace, kind, (layer, head), special=not state.HIDE_SPECIAL.value)
    if shown is None:
        st.info(
            "This model hides queries or keys, or nothing but special tokens is left, so there is "
            "nothing to map. Its attention maps are exact all the same: “One sentence”."
        )
        return None
    said.markdown(shown.answered(layer, head))
    caption = f"{card.title}, {state.KIND_TITLES[kind]}, queries and keys of head {layer}.{head}"
    strong = shown.strong(LEAST.value)
    left, right = st.columns([8, 5], gap="medium")
    with left:
        _draw(shown, strong[:MOST_ARROWS], caption)
    with right:
        _pairs(shown, strong)
    return Export(
        "queries-and-keys",
        f"{caption} · “{state.TEXT.value[:200]}”",
        shown.points_table,
        lambda: shown.arrays,
        more={"pairs": shown.pairs_table},
        facts=facts(card, kind, traced),
    )


def _draw(shown: Mapped, strong: list[Cell], caption: str) -> None:
    queries, keys = shown.map.queries.astype(float), shown.map.keys.astype(float)
    chart = charts.chart(
        [
            Curve(
                "queries",
                queries[:, 0],
                queries[:, 1],
                shown.told_of_queries,
                lines=False,
                hue="query",
            ),
            Curve("keys", keys[:, 0], keys[:, 1], shown.told_of_keys, lines=False, hue="key"),
        ],
        x_title="first axis",
        y_title="second axis",
        height=HIGH,
    )
    chart.y_axis(scaleanchor="x")  # distances are distances
    arrows = [
        plane.arrow(queries[query], keys[key], strength=float(shown.weights[query, key]))
        for query, key in strong
    ]
    labels = [
        plane.label(queries[at], shown.queries[at], side="left")
        if side == "query"
        else plane.label(keys[at], shown.keys[at])
        for side, at in shown.labelled(MOST_LABELS)
    ]
    plane.put(chart, [*arrows, *labels])
    charts.show(chart, key=HERE.key("map"), name="queries-and-keys", caption=caption)


def _pairs(shown: Mapped, strong: list[Cell]) -> None:
    st.markdown(
        f"**{len(strong)} of {shown.allowed.sum():,} pairs** have a weight of "
        f"{three(LEAST.value)} or more"
        + (f"; the strongest {MOST_ARROWS} are drawn." if len(strong) > MOST_ARROWS else ".")
    )
    data_table(
        {
            "query": [shown.queries[query] for query, _ in strong],
            "key": [shown.keys[key] for _, key in strong],
            "weight": [float(shown.weights[place]) for place in strong],
            "distance": [float(shown.map.distances[place]) for place in strong],
        },
        column_config={
            name: st.column_config.NumberColumn(format="%.3g") for name in ("weight", "distance")
        },
    )
    st.caption(
        f"Does near mean looked at? Rank correlation (Spearman) of nearness here with the scores: "
        f"{three(shown.agreement)}."
    )


VIEW: Final = View(
    "space",
    "Queries and keys",
    (
        *(state.MODEL, state.TEXT, state.PAIR, state.TARGET, state.KIND, state.HEADS),
        *(state.HIDE_SPECIAL, LEAST),
    ),
    of_sentence(_figure),
)
