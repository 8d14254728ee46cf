"""One term: the tokens that it pushes up and down, and where a head looked."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map
from app.components.token_table import TokenTable, token_table
from app.style.number_format import three
from app.style.visible_space import visible
from app.ui.direct_logits.grid import HEADS
from app.ui.direct_logits.params import LogitParams
from app.ui.direct_logits.shown import Shown, term_name
from core.explain.attribution.logit_attribution import LogitAttribution, Writer
from core.trace import AttentionKind

LONGEST: Final = 10  # characters of a token in its cell


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
    _pushed(params, shown, found, at)


def _pushed(params: LogitParams, shown: Shown, found: LogitAttribution, at: int) -> None:
    sides = (found.up, found.down)
    logits = np.stack([side.logits[at] for side in sides], axis=1)
    ids = np.stack([side.ids[at] for side in sides], axis=1)
    token_table(
        TokenTable(
            cells=tuple(tuple(_short(shown.name(token)) for token in row) for row in ids.tolist()),
            shades=np.abs(logits) / (np.abs(logits).max() or 1),
            rows=tuple(str(rank + 1) for rank in range(len(ids))),
            columns=("up", "down"),
            label="Tokens that it pushes up, and down",
            notes=tuple(tuple(f"{three(n)} to the logit" for n in row) for row in logits.tolist()),
            shade_title=(
                "The tokens whose logits it moves most, beside its mean over all tokens. Shade: "
                "size beside the largest here."
            ),
            caption=f"{shown.card.title} · {term_name(found.terms[at])} · “{shown.text}”",
            hue=str(shown.kind),
            tokens=False,
        ),
        key=params.scope.key("pushed"),
    )


def _short(token: str) -> str:
    """As much as a cell holds; the file has the whole."""
    return token if len(token) <= LONGEST else f"{token[: LONGEST - 1]}…"


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
