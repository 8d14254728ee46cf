"""Generic relevance: which positions speak for an answer, through all layers together.

Chefer, Gur & Wolf 2021 (ICCV), https://arxiv.org/abs/2103.15679, equations 5 and 6: each map is
weighted with the gradient G of the answer, what speaks against it is dropped, heads are
averaged, and layers are added to what came before, the first layer first:

    Ā_l = mean over heads of (G_l ⊙ A_l)⁺        R ← I,  then  R ← R + Ā_l R

Rows are queries. Rows don't sum to one, and only their order is meant: the class token's row, or
the mean of the patches' rows of R − I where the model averages its patches.
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float32

from core.errors import InputError
from core.trace import AttentionKind, AttentionLayer, Trace, read_only


def relevance(
    trace: Trace, kind: AttentionKind | None = None
) -> Float32[np.ndarray, "position position"]:
    """R (query, key) of a trace with gradients: `trace(…, gradient_of=…)`.

    Raises InputError for a trace without them, and for layers of different sizes.
    """
    maps = [positive_map(layer) for layer in same_size_layers(trace, kind)]
    return read_only(relevance_of_maps(maps))


def relevance_row(
    trace: Trace, start: Float32[np.ndarray, " position"], kind: AttentionKind | None = None
) -> Float32[np.ndarray, " position"]:
    """start · (R − I), the last layer first, so that only vectors are multiplied."""
    return gained_row([positive_map(layer) for layer in same_size_layers(trace, kind)], start)


def gained_row(
    maps: Sequence[Float32[np.ndarray, "position position"]],
    start: Float32[np.ndarray, " position"],
) -> Float32[np.ndarray, " position"]:
    """start · (R − I) of maps Ā, the first layer first."""
    gained = np.zeros_like(start)  # kept apart from `start`, beside which it may be tiny
    for each in reversed(maps):
        gained = gained + (start + gained) @ each
    return read_only(gained)


def relevance_of_maps(
    maps: Sequence[Float32[np.ndarray, "position position"]],
) -> Float32[np.ndarray, "position position"]:
    """R of maps Ā, the first layer first."""
    accumulated = np.eye(len(maps[0]), dtype=np.float32)
    for each in maps:
        accumulated = accumulated + each @ accumulated
    return accumulated


def positive_map(layer: AttentionLayer) -> Float32[np.ndarray, "query key"]:
    """Ā: the mean over heads of gradient times weight, where that is positive."""
    if layer.gradients is None:
        raise InputError(
            f"Layer {layer.index} has no gradients: ask for them with trace(…, gradient_of=…)."
        )
    return positive_mean(layer.gradients, layer.weights)


def positive_mean(
    gradients: Float32[np.ndarray, "head query key"], of: Float32[np.ndarray, "head query key"]
) -> Float32[np.ndarray, "query key"]:
    """The mean over heads of gradient times `of`, where that is positive."""
    return np.maximum(gradients * of, 0).mean(axis=0)


def same_size_layers(trace: Trace, kind: AttentionKind | None) -> tuple[AttentionLayer, ...]:
    """All layers, first to last. Raises InputError if they do not map the same positions."""
    layers = trace.layers[kind] if kind is not None else next(iter(trace.layers.values()))
    if kind is None and len(trace.layers) > 1:
        raise InputError(f"Say which kind of attention: {', '.join(trace.layers)}.")
    if kind == AttentionKind.CROSS:
        raise InputError("This rule follows self-attention; choose the encoder's or the decoder's.")
    if any(layer.windows is not None for layer in layers) or len(_sizes(layers)) > 1:
        raise InputError(
            "This model's layers look within windows, or on grids of different sizes, and this "
            "rule multiplies maps over one grid. Choose a ViT; or GradCAM, integrated gradients or "
            "occlusion, which need no maps."
        )
    return layers


def _sizes(layers: Sequence[AttentionLayer]) -> set[tuple[int, ...]]:
    found = {layer.gradients.shape[1:] for layer in layers if layer.gradients is not None}
    return found | {shape[::-1] for shape in found}  # a map that is not square is two sizes
