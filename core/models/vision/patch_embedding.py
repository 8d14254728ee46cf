"""Reads a picture model's patch embedding: pixels, filters, projections, positions.

Dosovitskiy et al. 2021, https://arxiv.org/abs/2010.11929, equation 1.
"""

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from core.catalog import ModelCard
from core.errors import InputError
from core.models.positions.tables import vision_table
from core.outputs.patch_embedding import PatchEmbedding
from core.trace import PatchGrid


def patch_embedding(
    card: ModelCard, module: nn.Module, pixels: Tensor, grid: PatchGrid | None
) -> PatchEmbedding:
    """What becomes of normalised `pixels` (1, 3, height, width) before the first block.

    Raises InputError for a model that does not cut its picture by one linear projection.
    """
    embed: Any = getattr(module, "patch_embed", None)
    projection = getattr(embed, "proj", None)
    if grid is None or not isinstance(projection, nn.Conv2d) or not _cuts(projection, pixels, grid):
        raise InputError(
            f"{card.title} does not cut its picture into patches by one linear projection: it "
            "begins with several convolutions, or with patches that overlap. Choose a ViT or a "
            "Swin."
        )
    kernel = projection.weight.detach()
    with torch.inference_mode():
        projected = projection(pixels)[0].flatten(1).T  # (patch, d_model)
        norm: Any = getattr(embed, "norm", nn.Identity())
        embedded = norm(projected)
    positions, prefix_positions = _positions(card, module, grid)
    return PatchEmbedding(
        grid=grid,
        pixels=_array(_cut(pixels[0], kernel.shape[2:])),
        filters=_array(kernel.permute(0, 2, 3, 1)),
        bias=_array(kernel.new_zeros(len(kernel)) if projection.bias is None else projection.bias),
        projected=_array(projected),
        embedded=_array(embedded),
        positions=positions,
        prefix_positions=prefix_positions,
        norm="" if isinstance(norm, nn.Identity) else type(norm).__name__,
    )


def _cuts(projection: nn.Conv2d, pixels: Tensor, grid: PatchGrid) -> bool:
    """Whether the convolution is the linear projection of patches side by side."""
    high, wide = projection.kernel_size
    return (
        projection.in_channels == pixels.shape[1] == 3
        and projection.stride == projection.kernel_size
        and projection.padding in ((0, 0), 0, "valid")
        and tuple(pixels.shape[2:]) == (grid.rows * high, grid.columns * wide)
    )


def _cut(picture: Tensor, patch: torch.Size) -> Tensor:
    """(3, height, width) to (patch, row, column, 3)."""
    high, wide = patch
    rows, columns = picture.shape[1] // high, picture.shape[2] // wide
    cut = picture.reshape(3, rows, high, columns, wide)
    return cut.permute(1, 3, 2, 4, 0).reshape(rows * columns, high, wide, 3)


def _positions(
    card: ModelCard, module: nn.Module, grid: PatchGrid
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """What is added to the patches and to the prefix tokens, if anything is."""
    try:
        table = vision_table(card, module, grid)
    except InputError:
        return None, None
    if len(table.patches) != grid.n_patches:
        return None, None
    return table.patches, table.vectors[: table.prefix_tokens] if table.prefix_tokens else None


def _array(tensor: Tensor) -> np.ndarray:
    return tensor.detach().float().cpu().numpy()
