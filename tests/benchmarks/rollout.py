"""What rollout costs on top of a forward, and what one row costs beside the whole product.

    python -m tests.benchmarks.rollout [rounds] [threads]

First, a random model of ViT-B/16's size, interleaved in one process: its bare forward (fused
kernels, nothing kept), the forward traced, and traced with the class token's rollout through all
layers. A ratio is taken within a round; printed are the median of the rounds and their quartiles.
With one thread the clock counts its CPU time, which other programs on the machine disturb least.
Targets: (trace + rollout) ÷ bare ≤ 1.15; with 1370 tokens (DINOv2 at 518 pixels), the whole
product ÷ one row ≥ 8, both from fused maps.
"""

import os
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import skimage.data
import timm
import torch
from PIL import Image
from timm.data.transforms_factory import create_transform

from core.capture.module_path import module_paths
from core.catalog import Family, ModelCard, Origin
from core.explain.flow.rollout import (
    film_of_maps,
    one_hot,
    rollout_of_maps,
    rollout_row,
    row_of_maps,
)
from core.models.vision.classifier import VisionModel
from tests.benchmarks.attention import interleaved

MANY_TOKENS = 1370
LAYERS = 12


def vit_base() -> VisionModel:
    """A random model of ViT-B/16's size."""
    torch.manual_seed(0)
    module = timm.create_model("vit_base_patch16_224", pretrained=False).eval()
    module.requires_grad_(requires_grad=False)
    card = ModelCard("vit-base", "ViT-B/16", Family.VISION, "", 12, 12, 768, 0, "", "",
                     Origin.DIRECTORY)  # fmt: skip
    return VisionModel(card, module, create_transform(224, crop_pct=1.0), module_paths(module))


@dataclass(frozen=True)
class Prepared:
    """A transform that hands out a picture that is ready."""

    pixels: torch.Tensor
    transforms: Any

    def __call__(self, _: Image.Image) -> torch.Tensor:
        return self.pixels


def ways(model: VisionModel) -> dict[str, Callable[[], Any]]:
    """The same picture three times; preparing it belongs to none of them."""
    photograph = Image.fromarray(skimage.data.chelsea()).resize((224, 224))
    pixels = model.transform(photograph)[None]
    handed_out = Prepared(pixels[0], model.transform.transforms)
    prepared = VisionModel(model.card, model.module, handed_out, model.paths)

    def bare() -> object:
        with torch.inference_mode():
            return model.module(pixels)

    def traced() -> object:
        return prepared.trace(photograph)

    def with_rollout() -> object:
        trace = prepared.trace(photograph)
        return trace, rollout_row(trace, 0)

    return {"bare": bare, "traced": traced, "traced, rollout": with_rollout}


def report(title: str, seconds: dict[str, list[float]], base: str) -> None:
    rounds = len(seconds[base])
    say(f"\n{title}, {rounds} rounds, {torch.get_num_threads()} threads")
    for name, times in seconds.items():
        ratios = [one / first for one, first in zip(times, seconds[base], strict=True)]
        low, middle, high = statistics.quantiles(ratios, n=4)
        say(
            f"  {name:20} {statistics.median(times) * 1e3:8.1f} ms   "
            f"÷ {base} {middle:6.3f}   (quartiles {low:.3f} to {high:.3f})"
        )


def many_tokens() -> dict[str, Callable[[], Any]]:
    """From random fused maps."""
    raw = np.random.default_rng(0).random((LAYERS, MANY_TOKENS, MANY_TOKENS), dtype=np.float32)
    maps = list(raw / raw.sum(axis=-1, keepdims=True))
    start = one_hot(MANY_TOKENS, 0)
    return {
        "one row": lambda: row_of_maps(maps, start),
        "film of the row": lambda: film_of_maps(maps, start),
        "whole product": lambda: rollout_of_maps(maps),
    }


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    if len(sys.argv) > 2:
        torch.set_num_threads(int(sys.argv[2]))
    say(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} CPUs, torch {torch.__version__}")
    report("ViT-B/16, random weights", interleaved(ways(vit_base()), rounds), "bare")
    report(f"{MANY_TOKENS} tokens", interleaved(many_tokens(), max(4, rounds // 3)), "one row")


if __name__ == "__main__":
    main()
