"""What a training keeps at its eight moments: positions, filters, where the class token looks.

The fixed picture is Chelsea the cat, from scikit-image's package (CC0, Stéfan van der Walt);
its other pictures are in the public domain too.
"""

from typing import Any

import torch
from jaxtyping import Float
from PIL import Image, ImageOps
from torch import Tensor, nn

from core.capture import Recorder
from core.capture.module_path import module_paths
from core.trace import AttentionKind
from core.training.vision.augment import normalise
from core.training.vision.network import picture_size

PICTURE = "chelsea"
FILTERS = 28  # principal components, as many as in figure 7 of the ViT paper


def fixed_picture(size: int, name: str = PICTURE) -> Float[Tensor, "1 3 size size"]:
    """Its middle square, so many pixels a side, normalised."""
    import skimage.data
    from torchvision.transforms.v2 import functional

    picture = Image.fromarray(getattr(skimage.data, name)())
    square = ImageOps.fit(picture, (size, size), Image.Resampling.BICUBIC)
    return normalise(functional.pil_to_tensor(square)[None].float())


def filters(model: Any) -> Float[Tensor, "component row column 3"]:
    """The first principal components of the patch embedding's filters, each of length one.

    Dosovitskiy et al. 2021, figure 7 (left).
    """
    weight = model.patch_embed.proj.weight.detach().float().cpu()  # (d_model, 3, row, column)
    flat = weight.flatten(1)
    _, _, directions = torch.linalg.svd(flat - flat.mean(dim=0), full_matrices=False)
    return directions[:FILTERS].reshape(-1, *weight.shape[1:]).permute(0, 2, 3, 1)


def class_token_attention(
    model: nn.Module, pixels: Float[Tensor, "1 3 size size"]
) -> Float[Tensor, "layer head patch"]:
    """How much the class token gives to each patch, in every head of a ViT."""
    recorder = Recorder(module_paths(model), lambda _: AttentionKind.ENCODER, [()])
    with torch.inference_mode(), recorder:
        model(pixels)
    maps = [torch.tensor(call.layer_of(0, {}).weights[:, 0, 1:]) for call in recorder.calls]
    return torch.stack(maps)


def relative_position_bias(model: nn.Module) -> Float[Tensor, "head row column"]:
    """Swin's learned biases by offset, all heads of the first block, then of the next."""
    tables = [table for name, table in model.named_parameters() if "bias_table" in name]
    side = round(len(tables[0]) ** 0.5)  # 2M − 1 offsets along each axis
    heads = torch.cat([table.detach().float().cpu().T for table in tables])
    return heads.reshape(len(heads), side, side)


def vit_moment(model: Any) -> dict[str, Tensor]:
    """What vit-mini keeps: positions (token, d_model), filters, the class token's attention."""
    picture = fixed_picture(picture_size(model)).to(model.pos_embed.device)
    return {
        "positions": model.pos_embed[0].detach().half().cpu(),
        "filters": filters(model).half(),
        "class_attention": class_token_attention(model, picture).half(),
    }


def swin_moment(model: Any) -> dict[str, Tensor]:
    """What swin-mini keeps: relative position biases and filters."""
    return {
        "relative_position_bias": relative_position_bias(model).half(),
        "filters": filters(model).half(),
    }
