"""Do registers help a ViT as small as vit-mini?

    .venv/bin/python -m tests.benchmarks.registers --data DIR --steps 400

Darcet et al. 2024, "Vision Transformers Need Registers", https://arxiv.org/abs/2309.16588: tokens
without a place, beside the class token, into which a large ViT writes what it otherwise writes
into patches of little content; those patches' vectors then stand out by their length. Trained twice
from mae-mini's encoder, with vit-mini's own settings and steps: without registers, and with four.
"""

import argparse
import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file

from core.errors import InputError
from core.training.common.command import CACHES, MODELS
from core.training.vision.augment import centre_crops
from core.training.vision.classify import ClassifierRecipe
from core.training.vision.heads import NEAR, attention_maps, mean_distance
from core.training.vision.network import VIT, Architecture, picture_size
from core.training.vision.prepare import Album, prepare
from core.training.vision.recipe import SEED
from core.training.vit_mini import SETTINGS, before_tuning

REGISTERS = (0, 4)
PICTURES = 64  # unseen ones, for the lengths and the heads
TOLD_EVERY = 50  # steps
LONG = 2.0  # times the median length of a patch's vector
log = logging.getLogger("registers")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Train vit-mini with registers and without.")
    parser.add_argument("--data", type=Path, required=True, help="folder with images/")
    parser.add_argument("--steps", type=int, default=400, help="of either training")
    parser.add_argument("--cache", type=Path, default=CACHES / "registers")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    try:
        album = prepare(options.data, options.cache.parent / "photos")
    except InputError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(
        "registers  right of unseen  longest ÷ median patch  patches of twice the median  "
        "near heads  on registers\n"
    )
    for registers in REGISTERS:
        sys.stdout.write(f"{registers:9d}  {told(*trained(album, registers, options.steps))}\n")
        sys.stdout.flush()
    return 0


def trained(album: Album, registers: int, steps: int) -> tuple[ClassifierRecipe, Any]:
    """The recipe after its last step, and its model."""
    settings = SETTINGS["cpu"]
    torch.manual_seed(SEED)
    made = Architecture(VIT.name, {**VIT.arguments, "reg_tokens": registers})
    model, optimiser = before_tuning(made, settings, classes=album.n_outputs, device="cpu")
    start(model, registers)
    recipe = ClassifierRecipe(
        model, optimiser, album, settings, moment=lambda _: {}, device="cpu", compiled=False
    )
    for step in range(steps):
        loss = recipe.step(step / steps)
        if step % TOLD_EVERY == 0:
            log.info("%d registers, step %d: loss %.3f", registers, step, loss)
    return recipe, model


def start(model: Any, registers: int) -> None:
    """Give it mae-mini's encoder; the registers have no place: theirs are zeros."""
    weights = load_file(MODELS / "mae-mini" / "model.safetensors")
    places = weights["pos_embed"]  # (1, class token and patches, d_model)
    none = places.new_zeros(1, registers, places.shape[-1])
    weights["pos_embed"] = torch.cat([places[:, :1], none, places[:, 1:]], dim=1)
    missing, unexpected = model.load_state_dict(weights, strict=False)
    new = [name for name in missing if not name.startswith("head.")]
    if unexpected or new != ["reg_token"] * bool(registers):
        raise InputError(f"mae-mini is not this model's encoder: it lacks {new}, has {unexpected}")


def told(recipe: ClassifierRecipe, model: Any) -> str:
    """A line of figures, of the photographs that nobody trained on."""
    right = float(recipe.snapshot()["metrics"][0])
    model.eval()
    unseen = recipe.album.unseen(of_a_class=True)[:PICTURES]
    pixels = torch.from_numpy(recipe.album.pixels[unseen])
    pictures = centre_crops(pixels, size=picture_size(model))
    lengths = patch_lengths(model, pictures)
    median = lengths.median()
    maps = attention_maps(model, pictures)
    columns = model.patch_embed.grid_size[1]
    even = mean_distance(np.full_like(maps, 1 / maps.shape[-1]), columns)
    near = int((mean_distance(maps, columns) < NEAR * even).sum())
    return (
        f"{right:15.1%}  {float(lengths.max() / median):23.2f}  "
        f"{float((lengths > LONG * median).float().mean()):28.2%}  {near:10d}  "
        f"{on_registers(model, pictures):12.1%}"
    )


def patch_lengths(model: Any, pictures: torch.Tensor) -> torch.Tensor:
    """Of every patch's vector behind the last block, before the norm; one row of them."""
    found: list[torch.Tensor] = []
    hook = model.blocks[-1].register_forward_hook(lambda *call: found.append(call[-1]))
    with torch.inference_mode():
        model(pictures)
    hook.remove()
    return found[0][:, model.num_prefix_tokens :].norm(dim=-1).flatten()


def on_registers(model: Any, pictures: torch.Tensor) -> float:
    """The share of the class token's attention that registers get, mean over layers and heads."""
    registers = model.num_prefix_tokens - 1
    shares: list[float] = []
    with torch.inference_mode():
        tokens = model._pos_embed(model.patch_embed(pictures))
        for block in model.blocks:
            own = block.attn
            states = own.qkv(block.norm1(tokens)).unflatten(-1, (3, own.num_heads, own.head_dim))
            queries, keys, _ = states.permute(2, 0, 3, 1, 4)
            asked = (queries[:, :, :1] * own.scale) @ keys.mT
            shares.append(float(asked.softmax(-1)[..., 1 : 1 + registers].sum(-1).mean()))
            tokens = block(tokens)
    return float(np.mean(shares))


if __name__ == "__main__":
    sys.exit(main())
