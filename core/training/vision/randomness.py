"""The state of torch's random generators, which all chances of the vision recipes come from."""

from typing import cast

import torch


def random_state(device: str) -> dict[str, torch.Tensor]:
    """Of the CPU's generator and, where it trains, the GPU's."""
    state = {"cpu": torch.get_rng_state()}
    return state | ({"cuda": torch.cuda.get_rng_state()} if device == "cuda" else {})


def restore_random_state(state: object, device: str) -> None:
    """A training that goes on on another kind of device draws other chances, and that is all."""
    kept = cast("dict[str, torch.Tensor]", state)
    torch.set_rng_state(kept["cpu"])
    if device == "cuda" and "cuda" in kept:
        torch.cuda.set_rng_state(kept["cuda"])
