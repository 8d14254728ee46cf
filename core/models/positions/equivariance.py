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

from core.capture.attention_call import AttentionCall, read_row
from core.capture.mask_override import AddedMask, causal, windows
from core.interventions import DropPositions, Intervention
from core.positions.equivariance import Equivariance, Residuals
from core.trace import AttentionKind, Encoding, PatchGrid, Trace


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
    patches = cut.transpose(3, 4).reshape(batch, channels, grid.n_patches, high, wide)
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
    device: torch.device,
) -> Equivariance:
    """The hidden states of the first stack; `run` traces an encoding with interventions."""
    moved = permuted_tokens(source, order)
    kind = next(iter(run(source, ()).states))

    def states(shown: Encoding, changes: Sequence[Intervention]) -> tuple[np.ndarray, ...]:
        return run(shown, changes).hidden_states(kind)

    def residuals(changes: Sequence[Intervention]) -> Residuals:
        pairs = zip(states(moved, changes), states(source, changes), strict=True)
        layers = [residual(permuted, straight, order) for permuted, straight in pairs]
        return Residuals(np.array(layers, dtype=np.float32), layers[-1])

    masked = None
    if kind == AttentionKind.ENCODER:
        with AddedMask(causal(len(source), device)):
            masked = residuals((DropPositions(kind),))
    return Equivariance(
        order=order,
        dropped=residuals((DropPositions(kind),)),
        kept=residuals(()),
        masked=masked,
        mask="a causal mask" if masked else "",
        scale=float(np.abs(states(source, (DropPositions(kind),))[-1]).max()),
        quantity="hidden states",
        outputs="the last hidden states",
    )


Seen = tuple[Sequence[AttentionCall], Tensor]  # the attention calls and the logits


def vision_equivariance(
    run: Callable[[Tensor, Sequence[Intervention]], Seen],
    pixels: Tensor,
    grid: PatchGrid,
    order: tuple[int, ...],
) -> Equivariance:
    """The queries of every layer, where one call sees all patches, and the class logits.

    The logits read the class token or a mean of patches, which no order of patches changes.
    `run` sees pixels under interventions.
    """
    moved = permuted_patches(pixels, grid, order)
    places = (*range(grid.prefix_tokens), *(grid.prefix_tokens + place for place in order))

    def residuals(changes: Sequence[Intervention]) -> Residuals:
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
        output = float((logits - straight_logits).abs().max())
        return Residuals(np.array(layers, dtype=np.float32), output)

    dropped = residuals((DropPositions(),))
    masked, window = None, max(1, min(grid.rows, grid.columns) // 2)
    if len(dropped.layers):
        with AddedMask(windows(grid, window, pixels.device)):
            masked = residuals((DropPositions(),))
    return Equivariance(
        order=order,
        dropped=dropped,
        kept=residuals(()),
        masked=masked,
        mask=f"windows of {window} × {window} patches" if masked else "",
        scale=float(run(pixels, (DropPositions(),))[1].abs().max()),
        quantity="queries",
        outputs="the class logits",
    )
