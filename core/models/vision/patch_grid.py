"""How a picture model cuts its picture: the grid, a patch's pixels, and what its prefix tokens are.

timm's families say it in different words; whoever needs it asks here, and never counts with
`[1:]` or `sqrt(N - 1)`.
"""

from typing import Any, Final

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import adaptive_avg_pool2d, interpolate

from core.errors import InputError
from core.interventions import Fill
from core.trace import PatchGrid

BLUR: Final = 4  # patches a side of what is averaged


def patches_of(module: nn.Module, size: tuple[int, int]) -> PatchGrid | None:
    """The grid into which a model cuts a picture of `size` (height, width); None without one."""
    embed: Any = getattr(module, "patch_embed", None)
    grid = getattr(embed, "grid_size", None)
    if grid is None and (stride := _stride(embed)) is not None:
        grid = (-(-size[0] // stride[0]), -(-size[1] // stride[1]))  # padded: rounded up
    if grid is None:
        return None
    return PatchGrid(int(grid[0]), int(grid[1]), len(prefix_of(module)))


def prefix_of(module: nn.Module) -> tuple[str, ...]:
    """Every token before the patches, as what it is."""
    model: Any = module
    names: list[str] = []
    if isinstance(getattr(model, "cls_token", None), Tensor):
        names.append("[CLS]")
    if isinstance(getattr(model, "dist_token", None), Tensor):
        names.append("distillation")
    registers = getattr(model, "reg_token", None)
    if isinstance(registers, Tensor):
        names += [f"register {number}" for number in range(1, registers.shape[1] + 1)]
    promised = int(getattr(model, "num_prefix_tokens", len(names)))
    names += [f"prefix {number}" for number in range(len(names) + 1, promised + 1)]
    return tuple(names[:promised])


def hide_patches(
    pixels: Float[Tensor, "3 height width"],
    grid: PatchGrid,
    indices: tuple[int, ...],
    fill: Fill = "mean",
) -> Float[Tensor, "3 height width"]:
    """A normalised picture with some patches at zero, the mean colour of the model's training,
    or blurred: the picture's averages over BLUR × BLUR patches, smoothly enlarged again."""
    count = grid.n_patches
    if wrong := [index for index in indices if not 0 <= index < count]:
        raise InputError(
            f"There is no patch {wrong[0]}: the picture has {grid.rows} × {grid.columns} patches, "
            f"counted row by row from 0 to {count - 1}."
        )
    hidden = torch.zeros(count, dtype=torch.bool, device=pixels.device)
    hidden[list(indices)] = True
    high, wide = (size // n for size, n in zip(pixels.shape[1:], _sides(grid), strict=True))
    mask = hidden.reshape(_sides(grid)).repeat_interleave(high, 0).repeat_interleave(wide, 1)
    if fill == "mean":
        return pixels.masked_fill(mask, 0)
    coarse = adaptive_avg_pool2d(pixels[None], (-(-grid.rows // BLUR), -(-grid.columns // BLUR)))
    blurred = interpolate(coarse, size=pixels.shape[1:], mode="bicubic", align_corners=False)[0]
    return torch.where(mask, blurred, pixels)


def _sides(grid: PatchGrid) -> tuple[int, int]:
    return grid.rows, grid.columns


def _stride(embed: Any) -> tuple[int, int] | None:
    """Of a convolution that embeds patches without saying how many (PVT)."""
    convolution = getattr(embed, "proj", None)
    if not isinstance(convolution, nn.Conv2d):
        return None
    return int(convolution.stride[0]), int(convolution.stride[1])
