"""Which heads are alike on this sentence, and what each does over many texts."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.head_grid import HeadId
from app.services import head_distances
from app.services.engine import TextTrace
from app.services.shown_maps import valid_heads
from app.style.number_format import three
from app.ui import charts, head_names, progress
from app.ui.answer import answer
from app.ui.charts import Curve
from app.ui.controls import controls
from app.ui.data_table import data_table
from app.ui.export_bar import Export
from app.ui.options import some_of
from app.ui.page import View
from app.ui.params import Param
from app.views.attention import state
from app.views.attention.heads.table import NO_NAME, group_of, head_table
from app.views.attention.inputs import of_sentence
from app.views.attention.kind import pick_kind
from app.views.attention.one_head import choose_head, head_name
from app.views.attention.words import facts
from core.catalog import ModelCard
from core.data.known_roles import Layers
from core.explain.attention.head_distances import HeadDistances, HeadMap, head_map

NEAREST: Final = 5
ONLY: Final[Param[tuple[str, ...]]] = state.HERE.custom(
    "only", (), lambda given: tuple(filter(None, given.split(","))), ",".join
)


def _figure(traced: TextTrace, card: ModelCard) -> Export | None:
    kind = pick_kind(traced.trace.kinds)
    said = answer()
    with controls():
        state.NAMES.control()
        chosen_place = st.container(width=130)
        only_place = st.container(width=360)
    measured = state.NAMES.measured(traced.trace.model_id, kind)
    named = state.NAMES.chosen(measured)
    distances = progress.trained(head_distances.of_text(traced, kind), "Comparing the heads")
    if distances is None:
        return None
    heads = valid_heads(traced, kind, state.HEADS.among(distances.heads))
    with chosen_place:
        chosen = choose_head(distances.heads, heads[0])
    groups = {head: group_of(head, named) for head in distances.heads}
    with only_place:
        shown = _only(groups)
    said.markdown(_answered(distances))
    drawn = head_map(distances)
    left, right = st.columns([8, 5], gap="medium")
    caption = (
        f"{card.title}, {state.KIND_TITLES[kind]}: heads that look alike on this text lie near "
        f"each other. Two axes keep {drawn.share:.0%} of what parts them."
    )
    with left:
        _draw(distances, drawn, groups, chosen, caption)
    with right:
        _nearest(distances, chosen, groups)
    table = head_table(traced.trace.layers[kind], distances, named, measured)
    st.subheader("Every head")
    kept = [head in shown for head in distances.heads]
    data_table(
        {
            name: [cell for cell, keep in zip(cells, kept, strict=True) if keep]
            for name, cells in table.items()
        },
        height=420,
        column_config={
            name: st.column_config.NumberColumn(format="%.3f")
            for name, cells in table.items()
            if all(cell is None or isinstance(cell, float) for cell in cells)
        },
        key=state.HERE.key("table"),
    )
    if named is not None:
        head_names.caption(named, state.NAMES.over(traced.trace.model_id))
    return Export(
        "heads",
        caption,
        lambda: (tuple(table), zip(*table.values(), strict=True)),
        lambda: _arrays(distances, drawn, named),
        facts=facts(card, kind, traced),
    )


def _only(groups: dict[HeadId, str]) -> frozenset[HeadId]:
    """The heads of the groups that the reader wants to see in the table; of all, without a wish."""
    present = sorted(set(groups.values()))
    wanted = some_of(
        ONLY,
        st.multiselect,
        "Only",
        present,
        in_order=True,
        placeholder="all heads",
        label_visibility="collapsed",
    )
    kept = frozenset(wanted) & frozenset(present) or frozenset(present)
    return frozenset(head for head, group in groups.items() if group in kept)


def _answered(distances: HeadDistances) -> str:
    """The two that are most alike, and how alike two heads are on the whole."""
    divergence = distances.divergence
    n = len(divergence)
    if n == 1:
        return "This model has one head: there is nothing to compare it with."
    upper = np.triu_indices(n, k=1)
    least = int(divergence[upper].argmin())
    one, other = distances.heads[int(upper[0][least])], distances.heads[int(upper[1][least])]
    return (
        f"On this sentence heads **{head_name(one)}** and **{head_name(other)}** are most alike: "
        f"their rows are **{three(float(divergence[upper][least]))}** bits apart, where 1 is "
        f"nothing in common. Two heads on average: **{three(float(divergence[upper].mean()))}**."
    )


def _draw(
    distances: HeadDistances,
    drawn: HeadMap,
    groups: dict[HeadId, str],
    chosen: HeadId,
    caption: str,
) -> None:
    x_axis, y_axis = drawn.points.astype(np.float64).T
    nearest = {head: distances.nearest(head, 1) for head in distances.heads}
    apart = dict(zip(distances.heads, distances.divergence, strict=True))

    def told(head: HeadId) -> str:
        said = f"head {head_name(head)}: {groups[head]}"
        for other in nearest[head]:
            bits = float(apart[head][distances.heads.index(other)])
            said += f"; most like {head_name(other)} ({three(bits)} bits)"
        return said

    def curve(name: str, heads: list[HeadId], colour: int | None = None) -> Curve:
        at = [distances.heads.index(head) for head in heads]
        hover = tuple(told(head) for head in heads)
        return Curve(name, x_axis[at], y_axis[at], hover, lines=False, colour=colour)

    every = sorted(set(groups.values()), key=lambda group: (group == NO_NAME, group))
    curves = [
        curve(
            group,
            [head for head in distances.heads if groups[head] == group],
            head_names.INDEX.get(group),
        )
        for group in every
    ]
    chart = charts.chart(
        curves,
        x_title="first axis of the map, √bits",
        y_title="second axis, √bits",
        height=430,
    )
    chart.y_axis(scaleanchor="x")  # distances are distances
    at = distances.heads.index(chosen)
    chart.add_annotation(
        x=x_axis[at], y=y_axis[at], text=f"<b>{head_name(chosen)}</b>", ax=24, ay=-24
    )
    charts.show(chart, key=state.HERE.key("map"), name="heads", caption=caption)


def _nearest(distances: HeadDistances, chosen: HeadId, groups: dict[HeadId, str]) -> None:
    """The heads most like the chosen one."""
    st.markdown(f"**Most like head {head_name(chosen)}**")
    row = distances.divergence[distances.heads.index(chosen)]
    near = distances.nearest(chosen, NEAREST)
    data_table(
        {
            "head": [head_name(head) for head in near],
            "bits apart": [three(float(row[distances.heads.index(head)])) for head in near],
            "group": [groups[head] for head in near],
        },
        key=state.HERE.key("nearest"),
    )
    st.caption(
        "The mean over this text's tokens of the Jensen-Shannon divergence of the two heads' rows "
        "(Clark et al. 2019, section 6). One text is one example: other texts may part them."
    )


def _arrays(
    distances: HeadDistances, drawn: HeadMap, named: Layers | None
) -> dict[str, np.ndarray]:
    own = {
        "heads": np.array(distances.heads),
        "divergence_bits": distances.divergence,
        "map": drawn.points,
        "map_share": np.array(drawn.share),
    }
    return own if named is None else own | head_names.arrays(named)


PARAMS: Final = (
    *(state.MODEL, state.TEXT, state.PAIR, state.TARGET, state.KIND, state.HEADS),
    *state.NAMES.params,
    ONLY,
)
VIEW: Final = View("alike", "Alike", PARAMS, of_sentence(_figure))
