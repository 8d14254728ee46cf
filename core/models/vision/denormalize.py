"""From a model's normalised pixels back to colours."""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor


def colours_of(
    pixels: Float[Tensor, "row 3 height width"], transform: Any
) -> Float[Tensor, "row 3 height width"]:
    """Colours from 0 to 1, the last step of timm's transform undone."""
    normalise = transform.transforms[-1]
    mean, std = (
        torch.as_tensor(values, device=pixels.device).reshape(3, 1, 1)
        for values in (normalise.mean, normalise.std)
    )
    return pixels * std + mean


def input_size(transform: Any) -> tuple[int, int]:
    """(height, width) of what timm's transform gives."""
    size = next(step.size for step in reversed(transform.transforms) if hasattr(step, "size"))
    return (size, size) if isinstance(size, int) else (int(size[0]), int(size[1]))
