"""One attention weight, worked out on real numbers."""

from __future__ import annotations

from core.explain.cell import WorkedCell


def worked_cell(cell: WorkedCell, *, key: str, kind: str = "encoder", caption: str = "") -> None:
    """Draw q, k, their product, the softmax row and the head's output, step by step."""
    raise NotImplementedError
