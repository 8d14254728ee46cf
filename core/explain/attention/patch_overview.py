"""One token's look in every head of every layer, as the grid of all heads draws it."""

from collections.abc import Sequence

import numpy as np

from core.explain.attention.head_overview import HeadOverview, codes_of
from core.explain.attention.patch_attention import Look
from core.trace import read_only


def look_overview(looks: Sequence[Look]) -> HeadOverview:
    """One small picture a head: its weights on the patches, in their places.

    Layers with fewer patches (Swin's later stages) are drawn on the finest grid, each patch as
    large as it is. Prefix tokens' weights are not in the pictures.
    """
    rows = max(look.grid.rows for look in looks)
    columns = max(look.grid.columns for look in looks)
    maxima = [look.patches.max(axis=(1, 2), initial=0.0) for look in looks]
    return HeadOverview(
        query_tokens=(),
        key_tokens=(),
        codes=tuple(
            read_only(_spread(codes_of(look.patches, maximum, 1), rows, columns))
            for look, maximum in zip(looks, maxima, strict=True)
        ),
        maxima=tuple(read_only(maximum) for maximum in maxima),
        strongest=tuple((None,) * len(maximum) for maximum in maxima),
        special_mass=None,
        pool=1,
    )


def _spread(codes: np.ndarray, rows: int, columns: int) -> np.ndarray:
    """The same picture with more pixels."""
    down = np.arange(rows) * codes.shape[1] // rows
    across = np.arange(columns) * codes.shape[2] // columns
    return codes[:, down][:, :, across]
