"""What is trained: detr-mini's shape, as its config.json says it."""

from typing import Any, Final

from torch import nn

from core.data.synthetic_scenes import SHAPES
from core.models.vision.detr_network import DetrNetwork
from core.training.common.optimisers import Optimisers

SHAPE: Final[dict[str, Any]] = {
    "picture_size": 64,
    "widths": (32, 64, 128),
    "d_model": 128,
    "heads": 4,
    "d_ff": 256,
    "encoder_layers": 2,
    "decoder_layers": 3,
    "slots": 10,
}
BETAS = (0.9, 0.98)
EPSILON = 1e-8
WEIGHT_DECAY = 1e-4  # as in the paper
MATRICES_FACTOR = 2.0  # Muon's learning rate, in the matrices inside the layers, is so much higher


def build(shape: dict[str, Any] = SHAPE) -> DetrNetwork:
    return DetrNetwork(classes=len(SHAPES), **shape)


def optimiser_of(network: nn.Module) -> Optimisers:
    """Muon for the matrices inside the Transformer's layers, AdamW for everything else."""
    inner = [
        parameter
        for name, parameter in network.named_parameters()
        if name.startswith(("encoder.", "decoder.")) and parameter.ndim == 2
    ]
    known = {id(parameter) for parameter in inner}
    return Optimisers(
        inner,
        [parameter for parameter in network.parameters() if id(parameter) not in known],
        betas=BETAS,
        eps=EPSILON,
        weight_decay=WEIGHT_DECAY,
        matrices_factor=MATRICES_FACTOR,
    )
