"""Layers by heads: how well each finds one relation."""

import numpy as np

from app.components.heat_map import HeatMap
from core.explain.attention.relation_heads import RelationHeads


def accuracies(found: RelationHeads, head: int, caption: str, hue: str) -> HeatMap:
    """The share of the links that each head finds; the shown one is outlined."""
    layers, most = (1 + max(numbers) for numbers in zip(*found.heads, strict=True))
    values = np.full((layers, most), np.nan, dtype=np.float32)
    outlined = np.zeros((layers, most), dtype=bool)
    for place, accuracy in zip(found.heads, found.accuracy, strict=True):
        values[place] = accuracy.mean
    outlined[found.heads[head]] = True
    missing = np.isnan(values)
    title = f"{found.relation}: share found"
    return HeatMap(
        values=values,
        rows=tuple(map(str, range(layers))),
        columns=tuple(map(str, range(most))),
        label=f"{title}, layers by heads",
        caption=f"{caption} · {title}",
        title=title,
        row_title="layer",
        column_title="head",
        scale="sequential",
        hue=hue,
        limit=1.0,
        numbers=True,
        hidden=missing if missing.any() else None,
        outlined=outlined,
        cell=(46.0, 24.0),
    )
