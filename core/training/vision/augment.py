"""Varied pictures for training, a whole batch at a time, on the CPU or the GPU.

Random resized crops and flips for all recipes; RandAugment (Cubuk et al. 2020,
https://arxiv.org/abs/1909.13719) and random erasing (Zhong et al. 2020,
https://arxiv.org/abs/1708.04896) for the classifiers, as in Touvron et al. 2021,
https://arxiv.org/abs/2012.12877. All chances are torch's, so the recipe's state holds them.
"""

import math

import torch
from jaxtyping import Float, UInt8
from torch import Tensor
from torchvision.ops import roi_align
from torchvision.transforms import v2

from core.training.vision.network import MEAN, STD

ASPECTS = (3 / 4, 4 / 3)  # of a crop, width to height
GREY = [124.0, 116.0, 104.0]  # MEAN in 8 bits: what a turned picture shows in its corners
GROUPS = 32  # of a batch: the pictures of a group are changed alike, but for their crop
ERASED = 0.25  # of the groups have a rectangle erased


def random_crops(
    pixels: UInt8[Tensor, "batch 3 side side"], *, smallest: float, size: int
) -> Float[Tensor, "batch 3 size size"]:
    """A crop of each picture, of `smallest` to 1 of its area, scaled, half of them mirrored.

    The pixels stay in 0 to 255.
    """
    batch, _, _, side = pixels.shape
    area = side**2 * (smallest + (1 - smallest) * torch.rand(batch))
    low, high = map(math.log, ASPECTS)
    aspect = torch.exp(low + (high - low) * torch.rand(batch))
    width = (area * aspect).sqrt().clamp(max=side)
    height = (area / aspect).sqrt().clamp(max=side)
    left, top = torch.rand(batch) * (side - width), torch.rand(batch) * (side - height)
    number = torch.arange(batch, dtype=torch.float32)
    boxes = torch.stack([number, left, top, left + width, top + height], dim=1)
    crops = roi_align(
        pixels.float(), boxes.to(pixels.device), (size, size), sampling_ratio=1, aligned=True
    )
    mirrored = (torch.rand(batch) < 0.5).to(pixels.device)
    return torch.where(mirrored[:, None, None, None], crops.flip(-1), crops)


def normalise(
    pixels: Float[Tensor, "batch 3 height width"],
) -> Float[Tensor, "batch 3 height width"]:
    """From 0 … 255 to the models' numbers."""
    return v2.functional.normalize(pixels / 255.0, [*MEAN], [*STD])


def varied(
    crops: Float[Tensor, "batch 3 height width"], *, magnitude: int
) -> Float[Tensor, "batch 3 height width"]:
    """RandAugment of two operations and random erasing, then normalised."""
    change = v2.RandAugment(2, magnitude, fill=GREY)
    erase = v2.RandomErasing(ERASED)
    width = -(-len(crops) // GROUPS)
    groups = crops.clamp(0, 255).to(torch.uint8).split(width)
    return torch.cat([erase(normalise(change(group).float())) for group in groups])


def centre_crops(
    pixels: UInt8[Tensor, "batch 3 side side"], *, size: int
) -> Float[Tensor, "batch 3 size size"]:
    """The whole picture at the models' size, normalised: for quick figures while training."""
    return normalise(v2.functional.resize(pixels, [size, size], antialias=True).float())
