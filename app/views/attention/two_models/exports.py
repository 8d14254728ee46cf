"""What is taken along of two models: the two shown maps, and how alike every head is."""

from collections.abc import Iterator, Mapping

import numpy as np

from app.ui.export_bar import Table
from app.views.attention.two_maps import TwoMaps
from app.views.attention.two_models.words import Shown
from core.explain.attention.model_pairs import LikeHead


def heads(ranked: tuple[LikeHead, ...]) -> Table:
    """A line a head of the second model, the most alike first."""
    return ("rank", "layer", "head", "shared"), _lines(ranked)


def arrays(two: TwoMaps, shown: Shown) -> Mapping[str, np.ndarray]:
    """Both maps on the shared axis, their difference, and every head's likeness."""
    return {
        "first": two.first,
        "second": two.second,
        "difference": two.difference,
        "first_head": np.array(shown.head),
        "second_head": np.array((shown.like.layer, shown.like.head)),
        "stretches": np.array(two.rows),
        "columns": np.array(two.columns),
        "heads": np.array([(one.layer, one.head) for one in shown.ranked]),
        "shared": np.array([one.shared for one in shown.ranked]),
    }


def _lines(ranked: tuple[LikeHead, ...]) -> Iterator[tuple[object, ...]]:
    for rank, one in enumerate(ranked, 1):
        yield rank, one.layer, one.head, repr(one.shared)
