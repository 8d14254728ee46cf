"""Attention by relative position: a layer's heads by offset, and one head with its intervals."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.head_grid import HeadId
from app.components.heat_map import HeatMap, clicked_cell, pick_cell
from app.services.many_sentences import OverMany
from app.style.number_format import three
from app.ui import charts, head_names
from app.ui.charts import Curve
from app.ui.data_table import data_table
from app.views.attention import state
from app.views.attention.heads.many import words
from app.views.attention.heads.many.shown import Shown
from app.views.attention.heads.many.state import HERE
from app.views.attention.one_head import head_name
from core.explain.attention.head_roles import NO_ROLE, HeadRole
from core.explain.attention.relative_positions import OFFSETS, OffsetMeans

CELL: Final = (24.0, 24.0)  # px at most
STEPS: Final = np.arange(len(OFFSETS)) - len(OFFSETS) // 2


def chosen(found: Shown) -> HeadId:
    """The page's head, or that whose row was clicked just now."""
    known = state.HEADS.among(found.heads)
    present = known[0] if known else _surest(found)
    n_heads = len(found.built_in.roles.weights[present[0]])
    for name, _ in found.every():
        clicked = clicked_cell(_key(name), (n_heads, len(OFFSETS)))
        if clicked is not None:
            present = present[0], clicked[0]
            state.HEADS.put((present,))
    return present


def _surest(found: Shown) -> HeadId:
    """That which has most weight at one offset."""
    most = {
        (layer, head): float(np.nanmax(row[: len(OFFSETS)]))
        for layer, means in enumerate(found.first.offsets)
        for head, row in enumerate(means.mean)
    }
    return max(most, key=lambda place: most[place])


def draw(found: Shown, head: HeadId, caption: str) -> None:
    """The maps side by side, on one scale; a single one beside the chosen head's chart."""
    every = dict(found.every())
    limit = max(float(np.nanmax(_near(over, head[0]))) for over in every.values())
    places = st.columns(2, gap="medium")
    for place, (name, over) in zip(places, every.items(), strict=False):
        with place:
            pick_cell(_map(found, name, over, head, limit, caption), key=_key(name))
    with places[1] if len(every) == 1 else st.container():
        _chart(every, head, caption)
        st.caption(words.elsewhere(found, head))


def _near(over: OverMany, layer: int) -> np.ndarray:
    """(head, offset), without what is no offset."""
    return over.offsets[layer].mean[:, : len(OFFSETS)]


def _key(name: str) -> str:
    return HERE.key(f"offsets-{name}")


def _map(
    found: Shown, name: str, over: OverMany, head: HeadId, limit: float, caption: str
) -> HeatMap:
    means, roles = over.offsets[head[0]], found.roles(over)[head[0]]
    values = np.ascontiguousarray(_near(over, head[0]), dtype=np.float32)
    missing = np.isnan(values)
    outlined = np.zeros(values.shape, dtype=bool)
    outlined[head[1], np.nanargmax(values[head[1]])] = True
    title = f"Layer {head[0]}, {TITLES[name].format(over.n_sentences)}: mean weight by offset"
    return HeatMap(
        values=values,
        rows=tuple(map(_row, roles)),
        columns=OFFSETS,
        label=f"{title}, heads by offsets",
        caption=f"{caption} · {title}",
        title=title,
        row_title="head",
        column_title="key − query",
        scale="sequential",
        hue=found.kind.value,
        limit=limit,
        hidden=missing if missing.any() else None,
        outlined=outlined,
        row_notes=tuple(head_names.note(one) for one in roles),
        column_notes=tuple(
            f"even attention {three(float(even))}, {n} texts" if n else "no such key"
            for _, even, n in zip(OFFSETS, means.even, means.n_inputs, strict=False)
        ),
        cell=CELL,
    )


def _row(one: HeadRole) -> str:
    """ "2.3·two-back": on a map's edge white space would be drawn, as a token's."""
    name = head_name((one.layer, one.head)) + f"·{one.label}" * (one.label != NO_ROLE)
    return name.replace(" ", "-")


TITLES: Final = {"yours": "your {} sentences", "built-in": "{} built-in sentences"}


def _chart(every: dict[str, OverMany], head: HeadId, caption: str) -> None:
    layer, at = head
    curves = [_curve(name, over.offsets[layer], at) for name, over in every.items()]
    even = next(iter(every.values())).offsets[layer].even[: len(OFFSETS)]
    known = ~np.isnan(even)
    curves.append(
        Curve("even attention", STEPS[known].astype(float), even[known], dashed=True, markers=False)
    )
    chart = charts.chart(
        curves,
        x_title="key − query, tokens",
        y_title="mean weight",
        y_range="from zero",
        height=300,
    )
    for trace, over in zip(chart.data, every.values(), strict=False):
        trace["error_y"] = _bars(over.offsets[layer], at)
    st.markdown(f"**Head {head_name(head)} by relative position**, with 95 % intervals")
    charts.show(chart, key=HERE.key("chart"), name=f"head-{head_name(head)}", caption=caption)


def _curve(name: str, means: OffsetMeans, head: int) -> Curve:
    mean, low, high = (part[head, : len(OFFSETS)] for part in (means.mean, means.low, means.high))
    known = ~np.isnan(mean)
    return Curve(
        name,
        STEPS[known].astype(float),
        mean[known],
        tuple(
            f"{name}: {three(float(m))} at {offset} ({three(float(lo))} to {three(float(hi))}, "
            f"{n} texts)"
            for offset, m, lo, hi, n in zip(OFFSETS, mean, low, high, means.n_inputs, strict=False)
            if not np.isnan(m)
        ),
    )


def _bars(means: OffsetMeans, head: int) -> dict[str, object]:
    """From the lower to the upper end of each offset's interval."""
    mean, low, high = (part[head, : len(OFFSETS)] for part in (means.mean, means.low, means.high))
    known = ~np.isnan(mean)
    ends = {"array": (high - mean)[known], "arrayminus": (mean - low)[known]}
    return {"type": "data", "thickness": 1, "width": 3, **ends}


def table(found: Shown) -> None:
    """Every head's name over the reader's sentences, with its numbers, and over the built-in."""
    heads = [one for layer in found.roles(found.first) for one in layer]
    scores = [one.scores[one.strongest] for one in heads]
    columns: dict[str, list[str] | list[float]] = {
        "head": [head_name((one.layer, one.head)) for one in heads],
        "name": [one.label for one in heads],
        "strongest role": [one.strongest for one in heads],
        "its share": [score.mass for score in scores],
        "even attention": [score.baseline for score in scores],
        "above, at least": [score.above.low for score in scores],
        "above, at most": [score.above.high for score in scores],
        "texts": [float(score.n_inputs) for score in scores],
    }
    if found.theirs is not None:
        others = [one for layer in found.roles(found.built_in) for one in layer]
        columns["built-in: name"] = [one.label for one in others]
        columns["built-in: its share"] = [
            other.scores[one.strongest].mass if one.strongest in other.scores else float("nan")
            for one, other in zip(heads, others, strict=True)
        ]
    data_table(
        columns,
        height=420,
        column_config={
            name: st.column_config.NumberColumn(format="%d" if name == "texts" else "%.3f")
            for name, cells in columns.items()
            if isinstance(cells[0], float)
        },
        key=HERE.key("table"),
    )
