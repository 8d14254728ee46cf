"""Take the measures along: every role of every head, and every offset, of both files."""

from collections.abc import Iterator

import numpy as np

from app.components.head_grid import HeadId
from app.ui import head_names
from app.ui.export_bar import Table
from app.views.attention.heads.many.shown import Shown
from core.explain.attention.relative_positions import COLUMNS


def roles(found: Shown) -> Table:
    """A line a file, head and role."""
    header = (
        *("sentences", "layer", "head", "name", "role", "share", "even", "above", "above_low"),
        *("above_high", "texts"),
    )
    return header, _role_lines(found)


def _role_lines(found: Shown) -> Iterator[tuple[object, ...]]:
    for name, over in found.every():
        for one in (head for layer in found.roles(over) for head in layer):
            for role, score in one.scores.items():
                above = (score.above.mean, score.above.low, score.above.high)
                numbers = map(repr, (score.mass, score.baseline, *above))
                yield name, one.layer, one.head, one.label, role, *numbers, score.n_inputs


def offsets(found: Shown) -> Table:
    """A line a file, head and offset."""
    header = ("sentences", "layer", "head", "offset", "mean", "low", "high", "even", "texts")
    return header, _offset_lines(found)


def _offset_lines(found: Shown) -> Iterator[tuple[object, ...]]:
    for name, over in found.every():
        for layer, means in enumerate(over.offsets):
            for head, column in np.ndindex(*means.mean.shape):
                if means.n_inputs[column]:
                    parts = (means.mean, means.low, means.high)
                    numbers = (repr(float(part[head, column])) for part in parts)
                    even, n_inputs = repr(float(means.even[column])), int(means.n_inputs[column])
                    yield name, layer, head, COLUMNS[column], *numbers, even, n_inputs


def arrays(found: Shown, head: HeadId) -> dict[str, np.ndarray]:
    """(head, role, …) and (head, offset, …) of each file, heads in the order of `…_role_heads`."""
    kept: dict[str, np.ndarray] = {
        "shown_head": np.array(head),
        "offset_names": np.array(COLUMNS),
        "offset_columns": np.array(["mean", "low", "high", "even", "texts"]),
    }
    for name, over in found.every():
        prefix = name.replace("-", "_")
        named = head_names.arrays(found.roles(over))
        kept |= {f"{prefix}_{key}": values for key, values in named.items()}
        kept[f"{prefix}_offsets"] = np.concatenate(
            [
                np.stack(
                    [
                        *(one.mean, one.low, one.high),
                        np.broadcast_to(one.even, one.mean.shape),
                        np.broadcast_to(one.n_inputs, one.mean.shape),
                    ],
                    axis=-1,
                )
                for one in over.offsets
            ]
        )
    if found.own is not None:
        kept["yours_sentences"] = np.array(found.own.texts)
    return kept
