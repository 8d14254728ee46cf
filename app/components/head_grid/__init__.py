"""All heads of a model at a glance: one canvas, layers × heads thumbnails."""

from __future__ import annotations

from app.components.mount import Seeded, register
from core.explain.overview import HeadOverview

HeadId = tuple[int, int]  # (layer, head), counted from 0


def head_grid(
    overview: HeadOverview,
    *,
    selected: tuple[HeadId, ...],
    label: str,
    key: str,
    kind: str = "encoder",
    shared: bool = False,
    caption: str = "",
) -> tuple[HeadId, ...]:
    """Draw every head's map; return the selected heads, in the order of choosing.

    `selected` seeds the browser's selection and may be what the last call
    returned. `label` names the figure for screen readers. `kind` ("encoder",
    "decoder", "cross") gives the hue. Every thumbnail has its own scale unless
    `shared`. `caption` (model, text, settings) is written under exported figures.
    """
    raise NotImplementedError
