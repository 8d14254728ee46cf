"""Swin's relative position bias: one number for every offset within a window, for every head.

Liu et al. 2021, https://arxiv.org/abs/2103.14030, equation 4: B is added to the scores before the
softmax, and B_ij depends only on where i lies from j. Version 2 (https://arxiv.org/abs/2111.09883,
equation 3) lets a small network say it of the offset's logarithm, and keeps it within 0 to 16.
"""

from typing import Any

import numpy as np
import torch
from jaxtyping import Float32
from torch import nn

from core.errors import InputError
from core.trace import read_only


def relative_biases(
    title: str, module: nn.Module
) -> tuple[Float32[np.ndarray, "head down along"], ...]:
    """B by layer, as (head, 2M − 1, 2M − 1): the offset query − key, from −(M − 1) to M − 1.

    Raises InputError for a model that adds none.
    """
    blocks: list[Any] = [part for part in module.modules() if hasattr(part, "shift_size")]
    own = [getattr(block, "attn", None) for block in blocks]
    attentions = [one for one in own if hasattr(one, "relative_position_index")]
    if not attentions:
        raise InputError(
            f"{title} adds no relative position bias that could be read from its weights. Choose "
            "a Swin of version 1 or 2."
        )
    with torch.inference_mode():
        return tuple(_bias_of(attention) for attention in attentions)


def _bias_of(attention: Any) -> Float32[np.ndarray, "head down along"]:
    height, width = attention.window_size
    if hasattr(attention, "cpb_mlp"):
        table = 16 * torch.sigmoid(attention.cpb_mlp(attention.relative_coords_table))
    else:
        table = attention.relative_position_bias_table
    by_offset = table.reshape(2 * height - 1, 2 * width - 1, -1).permute(2, 0, 1)
    return read_only(by_offset.detach().float().cpu().numpy())
