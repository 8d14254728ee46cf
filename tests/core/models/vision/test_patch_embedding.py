"""Patch embeddings of several families against the model's own forward."""

import numpy as np
import pytest
import timm
import torch

from core.catalog import Family, ModelCard, Origin
from core.errors import InputError
from core.models.vision.patch_embedding import patch_embedding
from core.models.vision.patch_grid import patches_of, prefix_of

SMALL = {"img_size": 32, "embed_dim": 32, "depth": 2, "num_heads": 4}
CARD = ModelCard(
    id="tiny",
    title="Tiny",
    family=Family.VISION,
    task="classes",
    layers=2,
    heads=4,
    d_model=32,
    parameters=0,
    licence="none",
    paper="none",
    origin=Origin.DIRECTORY,
)
FAMILIES = {  # positions of patches, of prefix tokens
    "vit": ("vit_tiny_patch16_224", SMALL | {"patch_size": 8}, True, 1),
    "distilled": ("deit_tiny_distilled_patch16_224", SMALL | {"patch_size": 8}, True, 2),
    "registers": ("vit_small_patch14_reg4_dinov2", SMALL | {"patch_size": 8}, True, 0),
    "beit": ("beit_base_patch16_224", SMALL | {"patch_size": 8}, False, 0),
    "siglip": ("vit_base_patch16_siglip_224", SMALL | {"patch_size": 8}, True, 0),
    "eva02": ("eva02_tiny_patch14_224", SMALL | {"patch_size": 8}, True, 1),
}


def embed(module: torch.nn.Module, pixels: torch.Tensor):
    grid = patches_of(module, tuple(pixels.shape[2:]))
    return patch_embedding(CARD, module.eval(), pixels, grid)


def pixels_of(height: int = 32, width: int = 32) -> torch.Tensor:
    return torch.randn(1, 3, height, width, generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize("family", FAMILIES)
def test_projection_and_positions_make_the_first_blocks_input(family):
    name, arguments, patches, prefix = FAMILIES[family]
    torch.manual_seed(0)
    module = timm.create_model(name, **arguments).eval()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.normal_(0, 0.2)
    found = embed(module, pixels_of())
    received: list[torch.Tensor] = []
    handle = module.blocks[0].register_forward_pre_hook(lambda _, args: received.append(args[0]))
    with torch.inference_mode():
        module(pixels_of())
    handle.remove()
    tokens = received[0][0].numpy()
    first = len(prefix_of(module))
    added = 0 if found.positions is None else found.positions
    np.testing.assert_allclose(tokens[first:], found.embedded + added, atol=1e-5)
    assert (found.positions is not None) == patches
    assert (0 if found.prefix_positions is None else len(found.prefix_positions)) == prefix
    np.testing.assert_array_equal(found.projected, found.embedded)
    assert found.norm == ""


def test_one_output_number_is_a_sum_of_products():
    module = timm.create_model("vit_tiny_patch16_224", **SMALL, patch_size=8)
    pixels = pixels_of()
    found = embed(module, pixels)
    patch = pixels[0, :, 8:16, 16:24].permute(1, 2, 0).numpy()  # row 1, column 2 of 4 × 4
    np.testing.assert_array_equal(found.pixels[6], patch)
    worked = found.worked(6, 5)
    weight = module.patch_embed.proj.weight[5].detach().permute(1, 2, 0).numpy()
    np.testing.assert_allclose(worked.products, patch * weight, rtol=1e-6)
    assert worked.products.sum() + worked.bias == pytest.approx(worked.value, abs=1e-5)
    assert worked.value == found.projected[6, 5]


def test_swin_norms_its_patches_and_adds_no_position():
    module = timm.create_model(
        "swin_tiny_patch4_window7_224",
        img_size=32,
        patch_size=2,
        embed_dim=16,
        depths=(2, 2),
        num_heads=(2, 4),
        window_size=4,
    ).eval()
    found = embed(module, pixels_of())
    assert found.norm == "LayerNorm"
    assert found.positions is None
    with torch.inference_mode():
        expected = module.patch_embed(pixels_of())[0].flatten(0, 1).numpy()
    np.testing.assert_allclose(found.embedded, expected, atol=1e-6)


def test_a_picture_that_is_not_square():
    module = timm.create_model(
        "vit_tiny_patch16_224", **SMALL | {"img_size": (16, 48)}, patch_size=8
    )
    found = embed(module, pixels_of(16, 48))
    assert (found.grid.rows, found.grid.columns) == (2, 6)
    np.testing.assert_allclose(
        found.worked(7, 0).total + found.bias[0], found.projected[7, 0], atol=1e-5
    )


@pytest.mark.parametrize("name", ["pvt_v2_b0", "resnetv2_50", "poolformer_s12"])
def test_a_model_without_one_linear_projection_is_declined(name):
    module = timm.create_model(name)
    pixels = pixels_of(224, 224)
    with pytest.raises(InputError, match="Tiny does not cut its picture into patches"):
        embed(module, pixels)
