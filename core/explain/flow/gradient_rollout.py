"""Gradient rollout: attention rollout over maps that are weighted with a class's gradient.

Gil 2020, https://github.com/jacobgil/vit-explain, after Abnar & Zuidema 2020,
https://arxiv.org/abs/2005.00928, with three differences: each layer's map meets its own layer's
gradient (there the first map meets the last gradient); rows are divided by their own sums (there
columns are); and what is negative is set to zero in each head, before heads are averaged, as
Chefer et al. 2021 do (there their average is clamped, so that heads cancel each other):

    F_l = mean over heads of (G_l ⊙ A_l)⁺      Â_l = rows of (F_l + I), each ÷ its sum
    R = Â_L · … · Â_1
"""

import numpy as np
from jaxtyping import Float32

from core.explain.flow.relevance import positive_map, same_size_layers
from core.trace import AttentionKind, Trace, read_only


def gradient_rollout(
    trace: Trace, kind: AttentionKind | None = None
) -> Float32[np.ndarray, "position position"]:
    """R (query, key) of a trace with gradients; its rows sum to one.

    Raises InputError for a trace without gradients, and for layers of different sizes.
    """
    layers = same_size_layers(trace, kind)
    product = _normalised(positive_map(layers[0]))
    for layer in layers[1:]:
        product = _normalised(positive_map(layer)) @ product
    return read_only(product)


def gradient_rollout_row(
    trace: Trace, start: Float32[np.ndarray, " position"], kind: AttentionKind | None = None
) -> Float32[np.ndarray, " position"]:
    """start · R, the last layer first, so that only vectors are multiplied."""
    row = start
    for layer in reversed(same_size_layers(trace, kind)):
        row = row @ _normalised(positive_map(layer))
    return read_only(row)


def _normalised(
    fused: Float32[np.ndarray, "position position"],
) -> Float32[np.ndarray, "position position"]:
    mixed = fused + np.eye(len(fused), dtype=np.float32)
    return mixed / mixed.sum(axis=1, keepdims=True)
