"""What is taken along of two sentences: one head's maps, every head's change and difference."""

from collections.abc import Iterator, Mapping

import numpy as np

from app.services.text_pairs import Sentences
from app.ui.export_bar import Table
from app.views.attention.two_maps import TwoMaps
from core.explain.attention.minimal_pairs import HeadChange


def heads(ranked: tuple[HeadChange, ...], two: TwoMaps) -> Table:
    """A line a head, the most changed first."""
    header = ("rank", "layer", "head", "change", "query_token", "moved", "from_key", "to_key")
    return header, _lines(ranked, two)


def arrays(sentences: Sentences, two: TwoMaps, change: HeadChange) -> Mapping[str, np.ndarray]:
    """The shown head's maps; of all heads the changes, (head, query) shares and differences."""
    found = sentences.found
    return {
        "first": two.first,
        "second": two.second,
        "difference": two.difference,
        "shown_head": np.array((change.layer, change.head)),
        "query_tokens": np.array(two.rows),
        "key_tokens": np.array(two.columns),
        "query_pairs": np.stack([found.queries.first, found.queries.second]),
        "key_pairs": np.stack([found.keys.first, found.keys.second]),
        "heads": np.array([(one.layer, one.head) for one in found.changes()]),
        "changes": np.array([one.change for one in found.changes()]),
        "moved": np.concatenate([layer.moved for layer in found.layers]),
        **sentences.differences(),
    }


def _lines(ranked: tuple[HeadChange, ...], two: TwoMaps) -> Iterator[tuple[object, ...]]:
    for rank, one in enumerate(ranked, 1):
        yield (
            *(rank, one.layer, one.head, repr(one.change), two.rows[one.query], repr(one.moved)),
            *(two.columns[one.source], two.columns[one.target]),
        )
