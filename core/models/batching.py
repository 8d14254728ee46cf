"""What runs together in one forward, and how much memory a model keeps."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Float32
from torch import Tensor, nn

from core.errors import InputError
from core.interventions import Intervention, PositionChange
from core.targets import LogitTarget

Changes = Sequence[Sequence[Intervention]]


def checked_changes(n_inputs: int, interventions: Changes | None) -> Changes:
    """A list of interventions for every input, empty ones if none are given."""
    changes = [()] * n_inputs if interventions is None else interventions
    if len(changes) != n_inputs:
        raise ValueError(f"{n_inputs} inputs but {len(changes)} lists of interventions")
    return changes


def rows_at_once(changes: Changes, most: int) -> int:
    """How many rows a forward takes: one where positions are changed.

    Distances (T5) and offsets (Swin, BEiT) are one table for all rows.
    """
    moved = any(isinstance(change, PositionChange) for row in changes for change in row)
    return 1 if moved else most


def probability(
    logits: Float[Tensor, "row position token"] | None, target: LogitTarget
) -> Float32[np.ndarray, " row"]:
    """What every row says of one token (or class) at one position (or slot).

    Raises InputError for a place that isn't there, and for a model without a head.
    """
    if logits is None:
        raise InputError("This model has no head, so no answer of it can be measured.")
    _, places, size = logits.shape
    if not 0 <= target.position < places or not 0 <= target.token < size:
        raise InputError(
            f"There is no logit of token {target.token} at position {target.position}: positions "
            f"count from 0 to {places - 1}, tokens from 0 to {size - 1}."
        )
    chosen = logits[:, target.position].float().softmax(-1)[:, target.token]
    return chosen.cpu().numpy()


def bytes_of(*modules: nn.Module) -> int:
    """Bytes of all parameters and buffers; what modules share counts once."""
    tensors = (t for module in modules for t in (*module.parameters(), *module.buffers()))
    return sum({t.data_ptr(): t.nbytes for t in tensors}.values())
