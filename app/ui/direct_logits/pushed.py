"""The tokens that something pushes up, and down, as a table."""

from collections.abc import Callable
from typing import Final

import numpy as np

from app.components.token_table import TokenTable, token_table
from app.style.number_format import three
from core.explain.attribution.logit_attribution import PushedTokens
from core.trace import AttentionKind

LONGEST: Final = 10  # characters of a token in its cell


def pushed_table(
    named: Callable[[int], str],
    sides: tuple[PushedTokens, PushedTokens],
    at: int,
    *,
    caption: str,
    told: str,
    kind: AttentionKind,
    key: str,
) -> None:
    """Of the term at a place of both. told: which tokens these are."""
    logits = np.stack([side.logits[at] for side in sides], axis=1)
    ids = np.stack([side.ids[at] for side in sides], axis=1)
    token_table(
        TokenTable(
            cells=tuple(tuple(short(named(token)) for token in row) for row in ids.tolist()),
            shades=np.abs(logits) / (np.abs(logits).max() or 1),
            rows=tuple(str(rank + 1) for rank in range(len(ids))),
            columns=("up", "down"),
            label="Tokens that it pushes up, and down",
            notes=tuple(tuple(f"{three(n)} to the logit" for n in row) for row in logits.tolist()),
            shade_title=(
                f"{told}, beside its mean over all tokens. Shade: size beside the largest here."
            ),
            caption=caption,
            hue=str(kind),
            tokens=False,
            cell_ids=tuple(map(tuple, ids.tolist())),
        ),
        key=key,
    )


def short(token: str) -> str:
    """As much as a cell holds; the file has the whole."""
    return token if len(token) <= LONGEST else f"{token[: LONGEST - 1]}…"
