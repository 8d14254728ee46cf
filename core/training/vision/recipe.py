"""What the steps of all three recipes share: drawing photographs, and the state to go on from."""

from typing import Any, Protocol, cast, runtime_checkable

import numpy as np
import torch
from jaxtyping import Float, Int, UInt8
from torch import Tensor, nn

from core.training.common.optimisers import Optimisers
from core.training.vision.prepare import Album
from core.training.vision.randomness import random_state, restore_random_state

SEED = 0
CLIP = 1.0  # gradient norm
MATRICES_FACTOR = 2.0  # Muon's learning rate, in the matrices inside the blocks, is so much higher
EPSILON = 1e-8


@runtime_checkable
class Steps(Protocol):
    """What a recipe asks of its optimiser."""

    def step(self, *, learning_rate: float, clip: float) -> None: ...

    def state(self) -> list[object]: ...

    def restore(self, states: list[dict[str, object]]) -> None: ...


class PhotoRecipe:
    """Draws batches; tells and takes back the state of model, optimiser and chances."""

    def __init__(
        self,
        model: nn.Module,
        optimiser: Steps,
        album: Album,
        *,
        photos: Int[np.ndarray, " chosen"],
        weights: Float[Tensor, " chosen"],
        batch_size: int,
        device: str,
    ) -> None:
        self.model = model
        self.optimiser = optimiser
        self.album = album
        self.device = device
        self.batch_size = batch_size
        self._photos = photos
        self._weights = weights
        # a GPU holds all pictures at once; a CPU reads those it draws
        self._resident = (
            torch.from_numpy(album.pixels[photos]).to(device) if device != "cpu" else None
        )

    def draw(self) -> tuple[UInt8[Tensor, "batch 3 side side"], Int[np.ndarray, " batch"]]:
        """Random pictures, on the device, and their outputs."""
        drawn = torch.multinomial(self._weights, self.batch_size, replacement=True)
        photos = self._photos[drawn.numpy()]
        if self._resident is not None:
            pixels = self._resident[drawn.to(self.device)]
        else:
            pixels = torch.from_numpy(self.album.pixels[photos])
        return pixels, self.album.outputs[photos]

    def state(self) -> dict[str, object]:
        return {
            "model": self.model.state_dict(),
            "optimiser": self.optimiser.state(),
            "random": random_state(self.device),
        }

    def restore(self, state: dict[str, object]) -> None:
        self.model.load_state_dict(cast("dict[str, Tensor]", state["model"]))
        self.optimiser.restore(cast("list[dict[str, object]]", state["optimiser"]))
        restore_random_state(state["random"], self.device)


def muon_and_adamw(
    model: nn.Module, *, betas: tuple[float, float], weight_decay: float
) -> Optimisers:
    """Muon for the matrices inside the blocks, AdamW for everything else."""
    inner = [p for name, p in model.named_parameters() if "blocks." in name and _is_matrix(name, p)]
    known = {id(parameter) for parameter in inner}
    return Optimisers(
        inner,
        [p for p in model.parameters() if id(p) not in known],
        betas=betas,
        eps=EPSILON,
        weight_decay=weight_decay,
        matrices_factor=MATRICES_FACTOR,
    )


def _is_matrix(name: str, parameter: Any) -> bool:
    """Swin's table of relative positions has two axes, but is a table."""
    return parameter.ndim == 2 and "table" not in name
