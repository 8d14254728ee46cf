"""A random detector of a few thousand parameters, as a checkpoint directory."""

from pathlib import Path

import torch

from core.training.detection.export import write_detector
from core.training.detection.network import build

SHAPE = {
    "picture_size": 32,
    "widths": (8, 16),
    "d_model": 16,
    "heads": 2,
    "d_ff": 32,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "slots": 5,
}


def save_tiny_detector(folder: Path) -> Path:
    """Random weights, large enough that answers differ from scene to scene."""
    torch.manual_seed(0)
    network = build(SHAPE)
    with torch.no_grad():
        network.to_size.weight.normal_(std=0.3)
    write_detector(network, folder, shape=SHAPE)
    return folder
