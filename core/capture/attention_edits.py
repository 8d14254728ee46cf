"""Interventions on the tensors of one attention call; `core.capture` says when.

Each takes pairs of a row of the batch and an intervention, and copies what it changes.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from core.errors import InputError
from core.interventions import (
    AttentionChange,
    BlockEdge,
    PatchHead,
    ReplaceWeights,
    SilenceHead,
    ZeroValue,
)
from core.trace import MASKED


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


def silence_weights(
    weights: Tensor, models_own: Tensor, acting: Sequence[tuple[int, AttentionChange]], n_keys: int
) -> Tensor:
    """Written-out weights (batch, head, query, column) with some heads silenced.

    Rows that are no distribution are not the model's: they only make the output that a silenced
    head has. models_own: before any change; what no head of a row looks at at all is masked.
    n_keys: columns that are tokens; a sink's comes after them.
    """
    for row, change in acting:
        if not isinstance(change, SilenceHead):
            continue
        weights = weights.clone()
        match change.fill:
            case "zero":
                weights[row, change.head] = 0
            case "mean":
                weights[row, change.head] = weights[row, change.head].mean(0, keepdim=True)
            case "uniform":
                visible = (models_own[row, :, :, :n_keys] > 0).any(0)
                for other, edge in acting:
                    if other == row and isinstance(edge, BlockEdge) and edge.head == change.head:
                        visible[edge.query, edge.key] = False
                weights[row, change.head] = 0
                weights[row, change.head, :, :n_keys] = _even(visible).to(weights)
    return weights


def zero_values(
    key: Tensor, value: Tensor, acting: Sequence[tuple[int, AttentionChange]], heads: int
) -> tuple[Tensor, Tensor]:
    """Keys and values with some heads' values zeroed.

    Where heads share keys (grouped queries), each gets its own copy first.
    """
    zeroed = [(row, change) for row, change in acting if isinstance(change, ZeroValue)]
    if not zeroed:
        return key, value
    if (groups := heads // key.shape[1]) > 1:
        key, value = (each.repeat_interleave(groups, 1) for each in (key, value))
    value = value.clone()
    for row, change in zeroed:
        value[row, change.head, change.position] = 0
    return key, value


def zero_columns(weights: Tensor, acting: Sequence[tuple[int, AttentionChange]]) -> Tensor:
    """Written-out weights (batch, head, query, column) that carry nothing of zeroed values."""
    zeroed = [(row, change) for row, change in acting if isinstance(change, ZeroValue)]
    if zeroed:
        weights = weights.clone()
    for row, change in zeroed:
        weights[row, change.head, :, change.position] = 0
    return weights


def change_output(
    output: Tensor,
    acting: Sequence[tuple[int, AttentionChange]],
    values: Tensor,
    bias: Tensor | None,
) -> Tensor:
    """The heads' output (batch, head, query, d_value) after silencing and patching.

    values: (batch, key head, key, d_value). bias: additive, None where every query sees every key.
    """
    if any(isinstance(change, SilenceHead | PatchHead) for _, change in acting):
        output = output.clone()
    for row, change in acting:
        match change:
            case SilenceHead():
                output[row, change.head] = _instead(change, output[row], values[row], bias, row)
            case PatchHead():
                output[row, change.head, change.position] = torch.tensor(change.value).to(output)
            case _:
                pass
    return output


def _instead(
    change: SilenceHead, output: Tensor, values: Tensor, bias: Tensor | None, row: int
) -> Tensor | float:
    """(query, d_value), or what broadcasts to it: what stands where a head's output stood."""
    match change.fill:
        case "zero":
            return 0.0
        case "mean":
            return output[change.head].mean(0, keepdim=True)
        case "uniform":
            of_head = values[change.head * len(values) // len(output)]  # several may share one
            if bias is None:
                return of_head.mean(0, keepdim=True)
            scores = bias[row if bias.shape[0] > 1 else 0]
            visible = scores[change.head if scores.shape[0] > 1 else 0] > MASKED
            return _even(visible.expand(output.shape[1], len(of_head))).to(of_head) @ of_head


def _even(visible: Tensor) -> Tensor:
    """(query, key): the same weight on all keys that a query sees; none where it sees none."""
    return visible.float() / visible.sum(-1, keepdim=True).clamp(min=1)
