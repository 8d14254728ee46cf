"""Low-rank updates and 8-bit weights of a tiny ViT: full rank is the fine-tuning, 0 its start."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from PIL import Image

from core import load
from core.blocks.int8 import quantise
from core.errors import InputError
from core.models.vision import fine_tuning
from core.models.vision.fine_tuning import (
    block_matrices,
    changed_matrices,
    cheap_logits,
    weight_update,
)
from core.outputs.fine_tuning import Int8, LowRank
from tests.tiny_pictures import save_picture_model


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return load(save_picture_model("vit", tmp_path_factory.mktemp("vit")))


@pytest.fixture
def start(model, monkeypatch) -> dict[str, torch.Tensor]:
    """What the tiny model is said to have begun with."""
    generator = torch.Generator().manual_seed(3)
    found = {
        name: weight + 0.1 * torch.randn(weight.shape, generator=generator)
        for name, weight in block_matrices(model.module).items()
    }
    fine_tuning.weight_updates.cache_clear()
    monkeypatch.setattr(fine_tuning, "starting_weights", lambda _: found)
    return found


@pytest.fixture(scope="module")
def picture() -> Image.Image:
    pixels = np.random.default_rng(0).integers(0, 256, (40, 40, 3), dtype=np.uint8)
    return Image.fromarray(pixels)


def test_full_rank_is_the_fine_tuned_model_and_rank_0_its_start(model, start, picture):
    pixels = model._pixels(picture)
    before = {name: p.clone() for name, p in model.module.state_dict().items()}
    none, whole = cheap_logits(model.card, model.module, pixels, (LowRank(0), LowRank(10**6)))
    torch.testing.assert_close(whole, model.module(pixels), atol=1e-4, rtol=1e-4)
    at_start = torch.func.functional_call(model.module, start, (pixels,))
    torch.testing.assert_close(none, at_start, atol=1e-4, rtol=1e-4)
    assert not torch.allclose(none, whole, atol=1e-2)
    for name, weight in model.module.state_dict().items():
        torch.testing.assert_close(weight, before[name], atol=0, rtol=0)


@pytest.mark.usefixtures("start")
def test_a_rank_between_comes_nearer(model, picture):
    changes = tuple(LowRank(rank) for rank in (0, 6, 18, 24))
    pixels = model._pixels(picture)
    found = cheap_logits(model.card, model.module, pixels, changes)[:, 0]
    off = [float((row - found[-1]).norm()) for row in found]
    assert off[0] > off[1] > off[2] > off[3] == 0


def test_int8_equals_rounding_every_matrix_by_hand(model, picture):
    made = changed_matrices(model.module, Int8(8), {})
    for name, weight in block_matrices(model.module).items():
        np.testing.assert_array_equal(made[name], quantise(weight.numpy(), 8).restored)
    pixels = model._pixels(picture)
    (found,) = cheap_logits(model.card, model.module, pixels, (Int8(8),))
    by_hand = torch.func.functional_call(model.module, made, (pixels,))
    torch.testing.assert_close(found, by_hand)
    probabilities = model.cheap_probabilities(picture, (Int8(8), Int8(None)))
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(probabilities[0], by_hand[0].softmax(-1), atol=1e-5)


def test_only_the_blocks_matrices_are_changed(model):
    names = list(block_matrices(model.module))
    assert names[0] == "blocks.0.attn.qkv.weight"
    assert not any("head" in name or "embed" in name for name in names)
    depth = len(model.module.blocks)
    assert len(names) == 4 * depth


def test_an_updates_spectra_are_numpys():
    rng = np.random.default_rng(0)
    start, weight = (rng.normal(size=(6, 4)).astype(np.float32) for _ in range(2))
    found = weight_update("w", start, weight)
    np.testing.assert_allclose(
        found.update.values, np.linalg.svd(weight - start, compute_uv=False), rtol=1e-5
    )
    np.testing.assert_allclose(
        found.weight_values, np.linalg.svd(weight, compute_uv=False), rtol=1e-5
    )


def test_a_model_without_a_start_says_so(model):
    fine_tuning.weight_updates.cache_clear()
    with pytest.raises(InputError, match="no starting point"):
        model.weight_updates()
    with pytest.raises(InputError, match="no starting point"):
        fine_tuning.starting_weights(replace(model.card, starts_from="nothing"))
