"""What can be changed inside a forward pass, as values.

Most act at the attention call of one layer (see `core.capture`), the two on positions where
a model brings them in (`core.capture.position_edits`), hidden patches and replaced tokens before
the forward; the rest of the model runs on unmodified.
Layers, heads and positions count from 0; `kind` may be left out where the model has one kind
of attention.
"""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from jaxtyping import Float32

from core.errors import InputError
from core.trace import AttentionKind

Fill = Literal["mean", "blur"]  # what stands where a patch is hidden
RESIDUAL: Final = "residual"
Stream = Literal["residual", "attention", "cross", "mlp"]  # what a layer reads, or a `Part` adds
HeadFill = Literal["zero", "mean", "uniform"]  # what stands where a head was
NeuronFill = Literal["zero", "mean"]  # where a neuron's activation was


@dataclass(frozen=True)
class SilenceHead:
    """The head's output is replaced at every position; its weights stay visible.

    fill "zero": by zero (Michel, Levy & Neubig, "Are Sixteen Heads Really Better than One?",
    NeurIPS 2019). "mean": by its mean over the positions of this text (within its window, where
    attention has windows): what it always says stays, what it says here goes. Of a causal model
    the mean knows later positions, too. "uniform": by the mean of its values over the keys that a
    query may see, as if it attended evenly (Wiegreffe & Pinter, "Attention is not not
    Explanation", EMNLP 2019).
    """

    layer: int
    head: int
    kind: AttentionKind | None = None
    fill: HeadFill = "zero"


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


@dataclass(frozen=True, eq=False)
class PatchStream:
    """The residual stream that a layer reads becomes this vector at one position, or what one of
    its sublayers adds to it does (activation patching: `core.explain.head_patches`).

    stack: may be left out where the model has one.
    """

    layer: int
    position: int
    part: Stream
    value: Float32[np.ndarray, " d_model"]
    stack: AttentionKind | None = None


@dataclass(frozen=True)
class SilenceNeuron:
    """One neuron's activation is replaced at every position: what the last matrix of a
    feed-forward network reads of it.

    fill "zero": by zero, as if its row of that matrix were zero. "mean": by its mean over the
    positions of this text; of a causal model it knows later positions, too.
    stack: may be left out where the model has one.
    """

    layer: int
    neuron: int
    fill: NeuronFill = "zero"
    stack: AttentionKind | None = None


@dataclass(frozen=True)
class ZeroValue:
    """One token's value vector becomes zero in one head: looked at as before, it gives nothing.

    Mohebbi et al., "Quantifying Context Mixing in Transformers", EACL 2023, zero it in all heads.
    """

    layer: int
    head: int
    position: int
    kind: AttentionKind | None = None


@dataclass(frozen=True)
class PermutePositions:
    """Token i gets the position order[i]; of a picture, patch i, and prefix tokens keep theirs."""

    order: tuple[int, ...]
    kind: AttentionKind | None = None


@dataclass(frozen=True)
class DropPositions:
    """All positions become zero: nothing tells the order any more, save a causal mask.

    That is not a model trained without positions: this one still counts on them.
    """

    kind: AttentionKind | None = None


@dataclass(frozen=True)
class HidePatches:
    """These patches' pixels become the model's mean colour: zero after normalisation.

    Patches count row by row on `Trace.patches`. The model still sees that something is there:
    Zeiler & Fergus, "Visualizing and Understanding Convolutional Networks", ECCV 2014.
    fill "blur" puts the picture itself there, averaged over 4 × 4 patches: colours stay, shapes go.
    """

    indices: tuple[int, ...]
    fill: Fill = "mean"


@dataclass(frozen=True)
class ReplaceTokens:
    """Other tokens stand in some places of the text: (position, token id); places stay."""

    edits: tuple[tuple[int, int], ...]


AttentionChange = SilenceHead | BlockEdge | ReplaceWeights | PatchHead | ZeroValue
PositionChange = PermutePositions | DropPositions
InputChange = HidePatches | ReplaceTokens
StreamChange = PatchStream | SilenceNeuron
Intervention = AttentionChange | StreamChange | PositionChange | InputChange


def refuse_misfit(
    change: AttentionChange, heads: int, queries: int, keys: int, d_value: int | None = None
) -> None:
    """Raises InputError if an intervention names what this attention call doesn't have."""
    if not 0 <= change.head < heads:
        raise InputError(f"There is no head {change.head}: heads count from 0 to {heads - 1}.")
    match change:
        case BlockEdge():
            if not (0 <= change.query < queries and 0 <= change.key < keys):
                raise InputError(
                    f"There is no edge from query {change.query} to key {change.key}: queries "
                    f"count from 0 to {queries - 1}, keys from 0 to {keys - 1}."
                )
        case ReplaceWeights():
            if change.weights.shape != (queries, keys):
                raise InputError(
                    f"Replacement weights are {change.weights.shape} (query, key), "
                    f"but this head's map is {(queries, keys)}."
                )
        case PatchHead():
            if not 0 <= change.position < queries:
                raise InputError(
                    f"There is no position {change.position}: they count from 0 to {queries - 1}."
                )
            if d_value is not None and change.value.shape != (d_value,):
                raise InputError(
                    f"The patch has {len(change.value)} numbers, but a head's output here has "
                    f"{d_value}."
                )
        case ZeroValue():
            if not 0 <= change.position < keys:
                raise InputError(
                    f"There is no position {change.position}: they count from 0 to {keys - 1}."
                )
        case SilenceHead():
            pass
