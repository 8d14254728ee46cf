"""What can be changed inside a forward pass, as values.

Each acts at the attention call of one layer (see `core.capture`); the rest of the model
runs on unmodified. Layers, heads and positions count from 0; `kind` may be left out where
the model has one kind of attention.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from core.trace import AttentionKind


@dataclass(frozen=True)
class SilenceHead:
    """The head's output becomes zero at every position; its weights stay visible.

    Michel, Levy & Neubig, "Are Sixteen Heads Really Better than One?", NeurIPS 2019.
    """

    layer: int
    head: int
    kind: AttentionKind | None = None


@dataclass(frozen=True)
class BlockEdge:
    """One query may not look at one key: its score becomes -inf before the softmax.

    Geva et al., "Dissecting Recall of Factual Associations", EMNLP 2023 (knockout).
    """

    layer: int
    head: int
    query: int
    key: int
    kind: AttentionKind | None = None


@dataclass(frozen=True, eq=False)
class ReplaceWeights:
    """The head attends with these weights instead of its own."""

    layer: int
    head: int
    weights: Float32[np.ndarray, "query key"]
    kind: AttentionKind | None = None


@dataclass(frozen=True, eq=False)
class PatchHead:
    """The head's output at one position becomes this vector (activation patching)."""

    layer: int
    head: int
    position: int
    value: Float32[np.ndarray, " d_value"]
    kind: AttentionKind | None = None


Intervention = SilenceHead | BlockEdge | ReplaceWeights | PatchHead
