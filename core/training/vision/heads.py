"""Whether a ViT's heads look near or far, for its card: the mean attention distance.

Dosovitskiy et al. 2021, figure 7 (right) and appendix D.7, https://arxiv.org/abs/2010.11929.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Float32
from torch import Tensor

from core.capture import Recorder
from core.capture.module_path import module_paths
from core.trace import AttentionKind

NEAR = 0.6  # of the distance that a head has which looks everywhere alike
FLAT = 0.95


def attention_maps(
    model: Any, pixels: Float[Tensor, "picture 3 height width"]
) -> Float32[np.ndarray, "layer head query key"]:
    """The maps between patches alone, rows made to sum to one again, mean over the pictures."""
    found: list[np.ndarray] = []
    for picture in pixels:
        recorder = Recorder(module_paths(model), lambda _: AttentionKind.ENCODER, [()])
        with torch.inference_mode(), recorder:
            model(picture[None])
        prefix = model.num_prefix_tokens
        maps = [call.layer_of(0, {}).weights[:, prefix:, prefix:] for call in recorder.calls]
        stacked = np.stack(maps)
        found.append(stacked / stacked.sum(axis=-1, keepdims=True))
    return np.stack(found).mean(axis=0)


def mean_distance(
    maps: Float32[np.ndarray, "layer head query key"], columns: int
) -> Float32[np.ndarray, "layer head"]:
    """Mean distance, in patches, between where a head stands and where it looks."""
    places = np.stack(np.divmod(np.arange(maps.shape[-1]), columns), axis=1)
    between = np.linalg.norm(places[:, None] - places[None], axis=-1).astype(np.float32)
    return np.einsum("lhqk,qk->lh", maps, between) / len(between)


def describe(distances: Float32[np.ndarray, "layer head"], even: float) -> str:
    """How many heads look near, in each layer; `even` is a head's that looks everywhere alike."""
    near = (distances < NEAR * even).sum(axis=1).tolist()
    flat = int((distances > FLAT * even).sum())
    told: Sequence[str] = [f"{count} in layer {layer}" for layer, count in enumerate(near)]
    return (
        f"Mean attention distance from {distances.min():.1f} to {distances.max():.1f} patches; "
        f"a head that looks everywhere alike has {even:.1f}. Nearer than {NEAR:.0%} of that: "
        f"{', '.join(told)}, of {distances.shape[1]} each; "
        f"further than {FLAT:.0%} of it: {flat} of {distances.size}. Layers count from 0."
    )


def heads_note(model: Any, pixels: Float[Tensor, "picture 3 height width"]) -> str:
    """What the card says of the model's heads, from a few pictures."""
    maps = attention_maps(model, pixels)
    columns = model.patch_embed.grid_size[1]
    even = mean_distance(np.full_like(maps, 1 / maps.shape[-1]), columns)
    return describe(mean_distance(maps, columns), float(even[0, 0]))
