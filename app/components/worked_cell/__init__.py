"""One attention weight, worked out on real numbers."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

from app.components.frame import pack
from app.components.mount import register
from core.explain.attention.worked_weight import WorkedCell
from core.trace import AttentionKind

_mount: Final = register("worked_cell")


def worked_cell(
    cell: WorkedCell,
    *,
    key: str,
    kind: AttentionKind = AttentionKind.ENCODER,
    caption: str = "",
) -> None:
    """Draw q, k, their product, the softmax row and the head's output, step by step."""
    _mount(key=key, data=worked_cell_frame(cell, kind=kind, caption=caption))


@lru_cache(maxsize=16)
def worked_cell_frame(cell: WorkedCell, *, kind: AttentionKind, caption: str = "") -> bytes:
    """The byte frame that worked_cell/view.js draws; also for the standalone page."""
    header = {
        "kind": str(kind),
        "caption": caption,
        "query_token": cell.query_token,
        "key_token": cell.key_token,
        "key_index": cell.key_index,
        "row_tokens": cell.row_tokens,
        "dot": cell.dot,
        "scale": cell.scale,
        "scaled": cell.scaled,
        "bias": _finite(cell.bias),
        "score": _finite(cell.score),
        "normaliser": cell.normaliser,
        "weight": cell.weight,
    }
    arrays = {
        "query": cell.query,
        "key": cell.key,
        "products": cell.products,
        "row_scores": cell.row_scores,
        "row_exponentials": cell.row_exponentials,
        "row_weights": cell.row_weights,
        "value": cell.value,
        "contribution": cell.contribution,
        "output": cell.output,
    }
    return pack(header, arrays, level=1)


def _finite(number: float) -> float | None:
    """JSON has no −inf; None says "masked"."""
    return number if math.isfinite(number) else None
