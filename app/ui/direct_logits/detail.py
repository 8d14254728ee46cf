"""One term: the tokens that it pushes up and down, and where a head looked."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map
from app.style.number_format import three
from app.style.visible_space import visible
from app.ui.direct_logits.grid import HEADS
from app.ui.direct_logits.params import LogitParams
from app.ui.direct_logits.pushed import pushed_table
from app.ui.direct_logits.shown import Shown, term_name
from core.explain.attribution.logit_attribution import LogitAttribution, Writer
from core.trace import AttentionKind

TOLD: Final = "The tokens whose logits it moves most"


def detail(params: LogitParams, shown: Shown, found: LogitAttribution, at: int) -> None:
    """Of the term at a place of `found.terms`."""
    term, value = found.terms[at], float(found.values[at])
    rank = 1 + int((np.abs(found.values) > abs(value)).sum())
    name = term_name(term)
    st.markdown(
        f"**{name[0].upper()}{name[1:]}** writes **{three(value)}**: rank {rank} of "
        f"{len(found.terms)} by size."
    )
    if term.writer in HEADS:
        _row(params, shown, found, at)
    pushed_table(
        shown.name,
        (found.up, found.down),
        at,
        caption=f"{shown.card.title} · {name} · “{shown.text}”",
        told=TOLD,
        kind=shown.kind,
        key=params.scope.key("pushed"),
    )


def _row(params: LogitParams, shown: Shown, found: LogitAttribution, at: int) -> None:
    term, trace = found.terms[at], shown.trace()
    kind = AttentionKind.CROSS if term.writer == Writer.CROSS else shown.kind
    keys = None if trace is None else trace.key_encoding(kind)
    if trace is None or keys is None or term.layer is None or term.head is None:
        return
    weights = trace.attention(term.layer, kind=kind).row(found.target.position)[term.head]
    best = int(weights.argmax())
    most = f"most at {visible(keys.tokens[best])}, {three(float(weights[best]))}"
    heat_map(
        HeatMap(
            values=weights[None],
            rows=("",),
            columns=tuple(map(visible, keys.tokens)),
            label="Where this head looks from here",
            title=f"Where it looks: {most}",
            caption=f"{shown.card.title} · {term_name(term)} · “{shown.text}”",
            scale="sequential",
            hue=str(kind),
            limit=1.0,
            numbers=True,
            cell=(40, 26),
        ),
        key=params.scope.key("row"),
    )
