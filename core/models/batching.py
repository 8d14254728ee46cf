"""What runs together in one forward, and how much memory a model keeps."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
import torch
from jaxtyping import Float, Float32
from torch import Tensor, nn

from core.errors import InputError
from core.interventions import Intervention, PositionChange
from core.targets import LogitContrast, LogitTarget, Measured

Changes = Sequence[Sequence[Intervention]]
Row = TypeVar("Row")
Part = TypeVar("Part")


def in_parts(rows: Sequence[Row], at_once: int, run: Callable[[Sequence[Row]], Part]) -> list[Part]:
    """What `run` gives for up to `at_once` of the rows, part after part, in their order.

    Where a device has no room for a part, parts are half as large from there on. Raises
    torch.OutOfMemoryError for a row that does not even fit alone.
    """
    parts: list[Part] = []
    while rows:
        now = rows[:at_once]
        try:
            parts.append(run(now))
        except torch.OutOfMemoryError:
            if len(now) == 1:
                raise
            at_once = len(now) // 2
        else:
            rows = rows[len(now) :]
            continue
        torch.cuda.empty_cache()  # here, where no error holds what was made so far
    return parts


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

    Raises InputError as `logits_at` does.
    """
    row = logits_at(logits, target.position, target.token)
    return row.softmax(-1)[:, target.token].cpu().numpy()


def measured(
    logits: Float[Tensor, "row position token"] | None, quantity: Measured
) -> Float32[np.ndarray, " row"]:
    """The same, or a logit, or how far it lies above another. Raises InputError as `logits_at`."""
    match quantity:
        case LogitTarget():
            return probability(logits, quantity)
        case LogitContrast(position, token, against):
            tokens = (token,) if against is None else (token, against)
            chosen = logits_at(logits, position, *tokens)[:, list(tokens)]
            return (chosen[:, 0] - (0 if against is None else chosen[:, 1])).cpu().numpy()


def logits_at(
    logits: Float[Tensor, "row position token"] | None, position: int, *tokens: int
) -> Float32[Tensor, "row token"]:
    """Every row's logits at one place.

    Raises InputError for a place or a token that isn't there, and for a model without a head.
    """
    if logits is None:
        raise InputError("This model has no head, so no answer of it can be measured.")
    _, places, size = logits.shape
    if not 0 <= position < places:
        raise InputError(
            f"There is no position {position}: positions count from 0 to {places - 1}."
        )
    if absent := [token for token in tokens if not 0 <= token < size]:
        raise InputError(f"There is no token {absent[0]}: tokens count from 0 to {size - 1}.")
    return logits[:, position].float()


def bytes_of(*modules: nn.Module) -> int:
    """Bytes of all parameters and buffers; what modules share counts once."""
    tensors = (t for module in modules for t in (*module.parameters(), *module.buffers()))
    return sum({t.data_ptr(): t.nbytes for t in tensors}.values())
