"""A checkpoint that holds only what a training added to another one: W = W₀ + BA.

Hu et al. 2022, https://arxiv.org/abs/2106.09685, equation 3. `update.safetensors` names each
tensor as the model does, with an ending that says what it is: `.lora_B` (m × r) and `.lora_A`
(r × n) are an update's factors, `.delta` is a whole update, and a name alone is a tensor that the
base does not have (a head). What is not named is the base's, unchanged. A base may itself be an
update of another.
"""

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Final

from safetensors.torch import load_file
from torch import Tensor

from core.errors import InputError

UPDATE_FILE: Final = "update.safetensors"
UP, DOWN, WHOLE = ".lora_B", ".lora_A", ".delta"


def folded_weights(base: Path, *updates: Path, prefix: str) -> dict[str, Tensor]:
    """The fp32 weights of the model in the last folder, each update folded into what is before it.

    prefix: what the model's names have before the base's, such as "bert.".
    Raises InputError where an update doesn't fit what it changes.
    """
    weights = {prefix + name: tensor.float() for name, tensor in tensors_of(base).items()}
    for below, folder in pairwise((base, *updates)):
        weights |= _folded(weights, below, folder)
    return weights


def _folded(weights: Mapping[str, Tensor], below: Path, folder: Path) -> dict[str, Tensor]:
    """What the update in `folder` changes in the weights of `below`, and what it adds."""
    update = load_file(folder / UPDATE_FILE)
    found = {name: tensor.float() for name, tensor in update.items() if _is_new(name)}
    for name in changed(update):
        if name not in weights:
            raise InputError(f"{folder} changes {name}, which {below} doesn't have.")
        try:
            found[name] = weights[name] + delta(update, name)
        except (RuntimeError, KeyError) as error:
            raise InputError(f"{folder}: the update of {name} doesn't fit ({error}).") from error
    return found


def delta(update: Mapping[str, Tensor], name: str) -> Tensor:
    """ΔW in fp32, from its factors or whole."""
    if name + WHOLE in update:
        return update[name + WHOLE].float()
    return update[name + UP].float() @ update[name + DOWN].float()


def changed(update: Mapping[str, Tensor]) -> list[str]:
    """The names of the base's tensors that the update changes."""
    endings = (UP, DOWN, WHOLE)
    found = {name.removesuffix(end) for name in update for end in endings if name.endswith(end)}
    return sorted(found)


def _is_new(name: str) -> bool:
    return not name.endswith((UP, DOWN, WHOLE))


def tensors_of(folder: Path) -> dict[str, Tensor]:
    """All tensors of a checkpoint's safetensors."""
    files = [load_file(path) for path in sorted(folder.glob("*.safetensors"))]
    return {name: tensor for file in files for name, tensor in file.items()}
