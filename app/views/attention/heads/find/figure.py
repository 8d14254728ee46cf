"""The list of heads, and the chosen one's map of the sentence."""

from typing import Final

import numpy as np

from app.components.head_grid import HeadId
from app.components.heat_map import HeatMap, heat_map
from app.components.token_table import TokenTable, token_table
from app.services import text_maps
from app.services.engine import TextTrace
from app.style.visible_space import visible
from app.views.attention.heads.find.lists import Ranking
from app.views.attention.heads.find.state import HEADS, HERE
from app.views.attention.heads.table import group_of
from app.views.attention.one_head import head_name
from core.data.known_roles import Layers
from core.explain.attention.find_heads import FoundHead
from core.explain.attention.role_patterns import role_patterns
from core.trace import AttentionKind

SHOWN: Final = 10  # heads
TABLE: Final = HERE.key("table")


def ranked(ranking: Ranking, named: Layers | None, label: str, caption: str, hue: str) -> FoundHead:
    """Draw the first of them; returns the chosen one, the first without a choice."""
    rows = ranking.found[:SHOWN]
    known = {one.place: one for one in ranking.found}
    wanted = HEADS.among(known)[-1:]
    if wanted != HEADS.value:
        HEADS.put(wanted)
    chosen = known[wanted[0]] if wanted else rows[0]
    shades = [np.clip([one.score] * len(ranking.columns), 0, 1) for one in rows]
    clicked = token_table(
        TokenTable(
            cells=tuple(tuple(said(one) for said in ranking.columns.values()) for one in rows),
            shades=np.array(shades, dtype=np.float32),
            rows=tuple(_row(one, named) for one in rows),
            columns=tuple(ranking.columns),
            label=label,
            row_title="head",
            shade_title=f"Shade: the share of {ranking.score}. {len(ranking.found)} heads are "
            "ranked by how far they lie above the baseline; the file has all.",
            caption=caption,
            tokens=False,
            hue=hue,
        ),
        key=TABLE,
        selected=(rows.index(chosen), 0) if chosen in rows else None,
    )
    if clicked is not None and rows[clicked[0]] != chosen:
        chosen = rows[clicked[0]]
        HEADS.put((chosen.place,))
    return chosen


def _row(one: FoundHead, named: Layers | None) -> str:
    name = head_name(one.place)
    return name if named is None else f"{name} · {group_of(one.place, named)}"


def head_map(
    traced: TextTrace,
    kind: AttentionKind,
    head: HeadId,
    asked: str,
    cell: tuple[int, int] | None,
    caption: str,
) -> None:
    """The head on the sentence; the places that were asked for are outlined."""
    attention = traced.trace.attention(head[0], kind=kind)
    queries, keys = text_maps.encodings(traced.trace, kind)
    allowed = attention.allowed()
    outlined = np.zeros(allowed.shape, dtype=bool)
    outlined |= role_patterns(queries, keys).get(asked, outlined) & allowed
    if cell is not None:
        outlined[cell] = True
    heat_map(
        HeatMap(
            values=np.ascontiguousarray(attention.weights[head[1]]),
            rows=tuple(map(visible, queries.tokens)),
            columns=tuple(map(visible, keys.tokens)),
            label=f"Head {head_name(head)}: who looks by who is looked at",
            caption=f"{caption} · head {head_name(head)}",
            title=f"head {head_name(head)} on this sentence",
            row_ids=tuple(queries.ids.tolist()),
            column_ids=tuple(keys.ids.tolist()),
            row_title="looks",
            column_title="is looked at",
            scale="sequential",
            hue=kind.value,
            hidden=None if allowed.all() else ~allowed,
            outlined=outlined if outlined.any() else None,
            cell=(40.0, 22.0),
            height=340,
        ),
        key=HERE.key("map"),
        selected=cell,
    )
