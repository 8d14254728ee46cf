"""Without positions a Transformer's encoder does not see the order: f(PX) = P f(X), measured.

X are the inputs, P a permutation. Every part of a block treats tokens alike, and attention
sums over keys in any order; only positions, a causal mask or windows tell tokens apart.
Vaswani et al. 2017, section 3.5, add positions for this reason.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from core.capture import AttentionCall, read_row
from core.interventions import DropPositions, Intervention
from core.positions.equivariance import Equivariance, Residuals
from core.trace import Encoding, PatchGrid, Trace


def permuted_tokens(encoding: Encoding, order: Sequence[int]) -> Encoding:
    """The tokens in another order; segments move with their tokens."""
    places = np.array(order)
    return replace(
        encoding,
        tokens=tuple(encoding.tokens[place] for place in order),
        ids=encoding.ids[places],
        offsets=encoding.offsets[places],
        words=encoding.words[places],
        special=encoding.special[places],
        segments=encoding.segments[places],
    )


def permuted_patches(pixels: Tensor, grid: PatchGrid, order: Sequence[int]) -> Tensor:
    """The picture (batch, channel, y, x) with its patches in another order."""
    batch, channels, height, width = pixels.shape
    high, wide = height // grid.rows, width // grid.columns
    cut = pixels.reshape(batch, channels, grid.rows, high, grid.columns, wide)
    patches = cut.transpose(3, 4).reshape(batch, channels, grid.rows * grid.columns, high, wide)
    moved = patches[:, :, torch.tensor(order, device=pixels.device)]
    cut = moved.reshape(batch, channels, grid.rows, grid.columns, high, wide).transpose(3, 4)
    return cut.reshape(batch, channels, height, width)


def residual(permuted: np.ndarray, straight: np.ndarray, order: Sequence[int]) -> float:
    """max |f(PX) − P f(X)| of arrays whose last axis but one is the position."""
    return float(np.abs(permuted - straight[..., np.array(order), :]).max())


def text_equivariance(
    run: Callable[[Encoding, Sequence[Intervention]], Trace],
    source: Encoding,
    order: tuple[int, ...],
) -> Equivariance:
    """The hidden states of the first stack; `run` traces an encoding with interventions."""
    moved = permuted_tokens(source, order)
    kind = next(iter(run(source, ()).states))
    pairs = [
        (run(moved, changes), run(source, changes)) for changes in ((DropPositions(kind),), ())
    ]
    residuals = [
        tuple(
            residual(permuted, straight, order)
            for permuted, straight in zip(*(t.hidden_states(kind) for t in pair), strict=True)
        )
        for pair in pairs
    ]
    last = pairs[0][1].hidden_states(kind)[-1]
    dropped, kept = (
        Residuals(np.array(layers, dtype=np.float32), layers[-1]) for layers in residuals
    )
    return Equivariance(
        order, dropped, kept, float(np.abs(last).max()), "hidden states", "the last hidden states"
    )


def vision_equivariance(
    run: Callable[[Tensor, Sequence[Intervention]], tuple[Sequence[AttentionCall], Tensor]],
    pixels: Tensor,
    grid: PatchGrid,
    order: tuple[int, ...],
) -> Equivariance:
    """The queries of every layer, where one call sees all patches, and the class logits.

    The logits read the class token or a mean of patches, which no order of patches changes.
    `run` gives the attention calls and the logits of pixels under interventions.
    """
    moved = permuted_patches(pixels, grid, order)
    places = (*range(grid.prefix_tokens), *(grid.prefix_tokens + place for place in order))
    found: list[Residuals] = []
    scale = 0.0
    for changes in ((DropPositions(),), ()):
        (calls, logits), (straight_calls, straight_logits) = (
            run(moved, changes),
            run(pixels, changes),
        )
        layers = [
            residual(read_row(call.queries, 0), read_row(straight.queries, 0), places)
            for call, straight in zip(calls, straight_calls, strict=True)
            if call.queries is not None
            and straight.queries is not None
            and call.queries.shape[-2] == len(places)
        ]
        scale = scale or float(straight_logits.abs().max())
        output = float((logits - straight_logits).abs().max())
        found.append(Residuals(np.array(layers, dtype=np.float32), output))
    dropped, kept = found
    return Equivariance(order, dropped, kept, scale, "queries", "the class logits")
