"""Whether maps fit what they are laid on: a map that doesn't is worse than none.

A row stands for a token or a patch that looks, a column for one that is looked at. Whatever made
a trace (a model's family, a reader's own module, a file) is held to it here.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import InputError
from core.trace.attention_layer import AttentionKind, AttentionLayer

if TYPE_CHECKING:
    from core.trace.trace import Trace


def refuse_misfit(trace: "Trace") -> None:
    """Raises InputError for a map with other rows or columns than the input has places."""
    for kind, layers in trace.layers.items():
        for layer in layers:
            wanted = _places(trace, kind, layer)
            shape = layer.map_shape
            if any(n is not None and n != m for n, m in zip(wanted, shape, strict=True)):
                rows, columns = (m if n is None else n for n, m in zip(wanted, shape, strict=True))
                raise InputError(
                    f"{Path(trace.model_id).name}, {kind} layer {layer.index}: a map of {shape[0]} "
                    f"queries × {shape[1]} keys, but the input has {rows} × {columns} places to "
                    f"lay it on. {_guess(shape, (rows, columns))} This model can't be shown; "
                    "choose another."
                )


def _places(
    trace: "Trace", kind: AttentionKind, layer: AttentionLayer
) -> tuple[int | None, int | None]:
    """How many tokens or patches look and are looked at; None where nothing says so."""
    if kind != AttentionKind.ENCODER and trace.target_encoding is None and len(trace.layers) > 1:
        return None, None  # a reader's own module of two stacks, whose target has no tokens here
    tokens = trace.query_encoding(kind), trace.key_encoding(kind)
    grids = layer.query_grid, layer.key_grid
    queries, keys = (
        len(encoding) if encoding is not None else grid.n_tokens if grid is not None else None
        for encoding, grid in zip(tokens, grids, strict=True)
    )
    return queries, keys


def _guess(shape: tuple[int, int], places: tuple[int, int]) -> str:
    if shape[0] == places[0] and shape[1] > places[1]:
        return (
            "Its heads also look at what is no part of the input, such as a learned sink, so its "
            "rows over the tokens don't sum to one."
        )
    return "It attends in pieces, in several streams, or to a summary of the input."
