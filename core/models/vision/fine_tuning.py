"""A fine-tuned model whose matrices are made cheaper: a low-rank update, or 8-bit weights.

LoRA: Hu et al. 2022, https://arxiv.org/abs/2106.09685; int8: see `core.blocks.int8`. Only
the matrices inside the blocks are changed. Biases, norms, embeddings and the head stay as the
fine-tuning left them.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

import numpy as np
import torch
from jaxtyping import Float, Float32
from torch import Tensor, nn
from torch.func import functional_call

from core.blocks.int8 import quantise
from core.blocks.lora import spectrum
from core.catalog import ModelCard
from core.catalog.checkpoints import EMBEDDED_MODELS
from core.errors import InputError
from core.outputs.fine_tuning import (
    CheapChange,
    Int8,
    LowRank,
    WeightUpdate,
)
from core.trace import read_only


def block_matrices(module: nn.Module) -> dict[str, Tensor]:
    """The weights of the linear layers inside the blocks, by name, first block first."""
    return {
        f"{name}.weight": layer.weight
        for name, layer in module.named_modules()
        if isinstance(layer, nn.Linear) and "blocks." in name
    }


@cache
def starting_weights(card: ModelCard) -> Mapping[str, Tensor]:
    """What the model's training began with. Raises InputError if that is not on board."""
    path = EMBEDDED_MODELS / card.starts_from / "model.safetensors"
    if not card.starts_from or not path.exists():
        raise InputError(
            f"{card.title} has no starting point on board, so its update can't be told. "
            "Choose a model that was fine-tuned here, such as vit-mini from mae-mini."
        )
    from safetensors.torch import load_file

    return {name: weight.float() for name, weight in load_file(path).items()}


@lru_cache(maxsize=2)
def weight_updates(card: ModelCard, module: nn.Module) -> dict[str, WeightUpdate]:
    """What fine-tuning did to each matrix of the blocks. Raises InputError without its start."""
    start = starting_weights(card)
    return {
        name: weight_update(name, _array(start[name]), _array(weight))
        for name, weight in block_matrices(module).items()
    }


def weight_update(
    name: str, start: Float32[np.ndarray, "m n"], weight: Float32[np.ndarray, "m n"]
) -> WeightUpdate:
    """One matrix before and after, with both spectra."""
    return WeightUpdate(
        name=name,
        start=read_only(start),
        weight=read_only(weight),
        update=spectrum(weight - start),
        weight_values=read_only(np.linalg.svd(weight, compute_uv=False)),
    )


def changed_matrices(
    module: nn.Module,
    change: CheapChange,
    updates: Mapping[str, WeightUpdate],
) -> dict[str, Tensor]:
    """Every matrix under a change, on the model's device."""
    found: dict[str, Tensor] = {}
    if not block_matrices(module):
        raise InputError(
            "This model's blocks have other names than timm's, so its matrices can't be made "
            "cheaper here. Choose vit-mini."
        )
    for name, weight in block_matrices(module).items():
        if isinstance(change, Int8):
            made = quantise(_array(weight), change.block).restored
        else:
            update = updates[name]
            up, down = update.update.factors(min(change.rank, len(update.update.values)))
            made = update.start + up @ down
        found[name] = torch.from_numpy(np.array(made)).to(weight)
    return found


def cheap_logits(
    card: ModelCard,
    module: nn.Module,
    pixels: Float[Tensor, "batch 3 height width"],
    changes: Sequence[CheapChange],
) -> Float[Tensor, "change batch class"]:
    """The model's answers under each change; the module itself is not touched."""
    low_rank = any(isinstance(change, LowRank) for change in changes)
    updates = weight_updates(card, module) if low_rank else {}
    with torch.inference_mode():
        return torch.stack(
            [
                functional_call(module, changed_matrices(module, change, updates), (pixels,))
                for change in changes
            ]
        )


def _array(weight: Tensor) -> np.ndarray:
    return weight.detach().float().cpu().numpy()
