"""What if: a head's real queries and keys under positions that the model was not trained with.

Pure arithmetic on one head of a trace. The model's own positions are still in its queries
and keys, unless the trace was made without them.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from core.errors import InputError
from core.positions.rotary import rotary
from core.trace import AttentionLayer, read_only, softmax


@dataclass(frozen=True, slots=True, eq=False)
class Counterfactual:
    """A head's weights as they are and as they would be, and the change of scores between."""

    weights: Float32[np.ndarray, "query key"]
    changed: Float32[np.ndarray, "query key"]
    added: Float32[np.ndarray, "query key"]  # to the scores, before the softmax


def biased(
    attention: AttentionLayer, head: int, bias: Float32[np.ndarray, "query key"]
) -> Counterfactual:
    """A bias on top of a head's scores: ALiBi, T5's buckets."""
    scores = plain_scores(attention, head)
    if bias.shape != scores.shape:
        raise ValueError(f"a bias of {bias.shape} for scores of {scores.shape}")
    return _compared(scores + _mask(attention, head), bias)


def rotated(attention: AttentionLayer, head: int, base: float = 10000.0) -> Counterfactual:
    """A head's queries and keys turned by their positions; the mask and the scale stay."""
    queries, keys = queries_and_keys(attention, head)
    scores = plain_scores(attention, head)
    turned = rotary(queries, base=base) @ rotary(keys, base=base).T * np.float32(attention.scale)
    return _compared(scores + _mask(attention, head), turned - scores)


def queries_and_keys(
    attention: AttentionLayer, head: int
) -> tuple[Float32[np.ndarray, "query d_head"], Float32[np.ndarray, "key d_head"]]:
    """One head's. Raises InputError where a model hides them."""
    if attention.queries is None or attention.keys is None:
        raise InputError(
            "This model writes out its own softmax and hides queries and keys, so that other "
            "positions can't be tried on them. Choose another model."
        )
    return attention.queries[head], attention.keys[head]


def plain_scores(attention: AttentionLayer, head: int) -> Float32[np.ndarray, "query key"]:
    """q · k × scale of one head, without mask or bias. Raises InputError as above."""
    queries, keys = queries_and_keys(attention, head)
    return queries @ keys.T * np.float32(attention.scale)


def _mask(attention: AttentionLayer, head: int) -> np.ndarray:
    if attention.bias is None:
        return np.zeros((1, 1), dtype=np.float32)
    return attention.bias[head if len(attention.bias) > 1 else 0]


def _compared(scores: np.ndarray, added: np.ndarray) -> Counterfactual:
    return Counterfactual(
        weights=read_only(softmax(scores)),
        changed=read_only(softmax(scores + added)),
        added=read_only(added),
    )
