"""Which final tokens a picture model answers from: its class token, several, or all patches."""

from typing import Any

import numpy as np
from jaxtyping import Float32
from torch import nn

from core.errors import InputError
from core.trace import PatchGrid


def answer_weights(
    title: str, module: nn.Module, grid: PatchGrid
) -> Float32[np.ndarray, " position"] | None:
    """The share of every final token in the answer; None where an attention pools them (SigLIP).

    Raises InputError for a model that pools in no such way.
    """
    model: Any = module
    if getattr(model, "attn_pool", None) is not None:
        return None
    prefix = grid.prefix_tokens
    shares = np.zeros(prefix + grid.n_patches, dtype=np.float32)
    pooling = getattr(model, "global_pool", "")
    if getattr(model, "head_dist", None) is not None:  # DeiT: two tokens with a head each
        shares[:2] = 0.5
    elif pooling == "token" and prefix:
        shares[0] = 1
    elif pooling == "avg":
        first = 0 if getattr(model, "pool_include_prefix", False) else prefix
        shares[first:] = 1 / (len(shares) - first)
    else:
        raise InputError(
            f"{title} pools its tokens in another way ({pooling or 'none'}) than by a class token, "
            "a mean or an attention, so no map can be read out for its answer."
        )
    return shares
