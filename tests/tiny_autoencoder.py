"""A masked autoencoder of a few kilobytes with random weights: 4 × 4 patches of 8 × 8 pixels."""

from pathlib import Path

import numpy as np
import torch

from core.training.vision.export import write_autoencoder
from core.training.vision.network import Architecture, build_autoencoder

ARCHITECTURE = Architecture(
    "vit_small_patch8_224",
    {"img_size": 32, "patch_size": 8, "embed_dim": 32, "depth": 2, "num_heads": 2},
)
DECODER = {"embed_dim": 16, "depth": 1, "num_heads": 2}
STEPS = (0, 40, 1200)
ERRORS = (0.5, 0.25, 0.125)


def save_autoencoder(folder: Path, *, lessons: bool = False) -> Path:
    """With `lessons`, also snapshots.npz: a picture that gets lighter, an error that halves."""
    torch.manual_seed(0)
    network = build_autoencoder(ARCHITECTURE, DECODER, device="cpu")
    write_autoencoder(network, folder, architecture=ARCHITECTURE, decoder=DECODER)
    if lessons:
        shades = np.array([0, 100, 200], dtype=np.uint8)[:, None, None, None]
        np.savez(
            folder / "snapshots.npz",
            painted=np.broadcast_to(shades, (3, 32, 32, 3)),
            metrics=np.array(ERRORS, dtype=np.float32)[:, None],
            steps=np.array(STEPS),
            fractions=np.array([0.0, 0.1, 1.0]),
        )
    return folder
