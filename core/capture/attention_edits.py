"""Interventions on the tensors of one attention call; `core.capture` says when.

Each takes pairs of a row of the batch and an intervention, and copies what it changes.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from core.errors import InputError
from core.interventions import AttentionChange, BlockEdge, PatchHead, ReplaceWeights, SilenceHead


def refuse_blind(edge: BlockEdge, open_keys: Tensor) -> None:
    """Raises InputError if a blocked edge was its query's last."""
    if not bool(open_keys.any()):
        raise InputError(
            f"Layer {edge.layer}, head {edge.head}: query {edge.query} would have no key left to "
            "look at. Leave it one, or silence the head."
        )


def edit_weights(weights: Tensor, acting: Sequence[tuple[int, AttentionChange]]) -> Tensor:
    """Written-out weights after blocked edges and replacements."""
    weights = weights.clone()
    for row, change in acting:
        match change:
            case BlockEdge():  # the same as -inf before the softmax
                remaining = weights[row, change.head, change.query]
                remaining[change.key] = 0
                refuse_blind(change, remaining)
                remaining /= remaining.sum()
            case PatchHead():
                raise InputError(
                    "This model writes out its softmax, so a head's output can't be patched in it; "
                    "silence the head or replace its weights instead."
                )
            case _:
                pass
    replaced = [(row, change) for row, change in acting if isinstance(change, ReplaceWeights)]
    return replace_weights(weights, replaced)


def replace_weights(weights: Tensor, replaced: Sequence[tuple[int, ReplaceWeights]]) -> Tensor:
    """Weights (batch, head, query, key) with some heads' maps given from outside.

    A sink's column stands after the keys', and gets nothing.
    """
    if replaced:
        weights = weights.clone()
    for row, change in replaced:
        given = torch.as_tensor(change.weights).to(weights)
        weights[row, change.head] = 0
        weights[row, change.head, :, : given.shape[-1]] = given
    return weights


def change_output(output: Tensor, acting: Sequence[tuple[int, AttentionChange]]) -> Tensor:
    """The heads' output (batch, head, query, d_value) after silencing and patching."""
    for row, change in acting:
        match change:
            case SilenceHead():
                output = output.clone()
                output[row, change.head] = 0
            case PatchHead():
                output = output.clone()
                output[row, change.head, change.position] = torch.as_tensor(change.value).to(output)
            case _:
                pass
    return output
