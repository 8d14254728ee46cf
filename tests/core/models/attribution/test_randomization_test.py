"""Fresh last weights: of a copy, by the seed, from the answer downwards."""

from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

import core
from core.errors import InputError
from core.explain.attribution.rank_correlation import rank_correlation
from core.models.attribution.randomization_test import block_names, randomised
from core.targets import ClassTarget
from tests.tiny_pictures import save_picture_model

PICTURE = Image.fromarray(
    np.random.default_rng(0).integers(0, 255, (40, 48, 3), dtype=np.uint8), "RGB"
)


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> dict[str, Path]:
    return {
        name: save_picture_model(name, tmp_path_factory.mktemp(name))
        for name in ("vit", "swin", "siglip", "distilled")
    }


def weights(module: torch.nn.Module) -> dict[str, torch.Tensor]:
    return {name: value.clone() for name, value in module.state_dict().items()}


def changed(module: torch.nn.Module, copy: torch.nn.Module) -> set[str]:
    """The parts in which a copy differs."""
    theirs = copy.state_dict()
    parts = {n for n, value in module.state_dict().items() if not torch.equal(value, theirs[n])}
    return {name.rpartition(".")[0] for name in parts}


@pytest.mark.parametrize(
    ("family", "blocks", "after"),
    [
        ("vit", ["blocks.0", "blocks.1"], {"norm", "head"}),
        ("swin", [f"layers.{i}.blocks.{j}" for i in (0, 1) for j in (0, 1)], {"norm", "head.fc"}),
        ("distilled", ["blocks.0", "blocks.1"], {"norm", "head", "head_dist"}),
    ],
)
def test_the_head_and_the_last_blocks_are_fresh_and_nothing_else(folders, family, blocks, after):
    module = core.load(folders[family]).module
    assert block_names(module) == blocks
    before = weights(module)
    head_only = changed(module, randomised(module, blocks=0, seed=0))
    assert head_only <= after
    assert any(name.startswith("head") for name in head_only)
    one = changed(module, randomised(module, blocks=1, seed=0))
    assert all(name in after or name.startswith(blocks[-1]) for name in one)
    assert any(name.startswith(blocks[-1]) for name in one)
    after_all = weights(module)
    assert all(torch.equal(before[name], after_all[name]) for name in before)


def test_a_pooling_with_attention_belongs_to_the_head(folders):
    module = core.load(folders["siglip"]).module
    assert block_names(module) == ["blocks.0", "blocks.1"]
    assert any("attn_pool" in n for n in changed(module, randomised(module, blocks=0, seed=0)))


def test_the_seed_fixes_the_draw(folders):
    module = core.load(folders["vit"]).module
    copies = [randomised(module, blocks=1, seed=seed) for seed in (3, 3, 4)]
    assert not changed(copies[0], copies[1])
    assert changed(copies[0], copies[2])
    assert not changed(module, copies[0]) & {"patch_embed.proj", "blocks.0.mlp.fc1"}


def test_fresh_weights_are_spread_as_vits_and_norms_do_nothing(folders):
    module = core.load(folders["vit"]).module
    copy = randomised(module, blocks=2, seed=0).state_dict()
    fresh = copy["blocks.1.mlp.fc1.weight"]
    assert float(fresh.std()) == pytest.approx(0.02, rel=0.1)
    assert torch.equal(copy["blocks.1.mlp.fc1.bias"], torch.zeros_like(fresh[:, 0]))
    assert torch.equal(copy["norm.weight"], torch.ones_like(copy["norm.weight"]))


@pytest.mark.parametrize("blocks", [-1, 3])
def test_blocks_that_are_not_there_are_refused(folders, blocks):
    with pytest.raises(InputError, match="has 2 blocks"):
        randomised(core.load(folders["vit"]).module, blocks=blocks, seed=0)


def test_a_map_that_sees_no_class_does_not_notice_a_fresh_head(folders):
    model = core.load(folders["vit"])
    target = ClassTarget(1)
    for method, same in (("rollout", True), ("relevance", False)):
        bare = model.evidence(PICTURE, method, target)
        made = model.randomised_evidence(PICTURE, method, target, blocks=0, seed=1)
        assert made.blocks == 0
        assert (rank_correlation(bare, made.evidence) > 0.999) == same
    with pytest.raises(ValueError, match="read-only"):
        made.evidence[0, 0] = 1
    assert made.probability == pytest.approx(0.2, abs=0.1)  # of five classes: it knows none
    again = model.evidence(PICTURE, "relevance", target)
    np.testing.assert_array_equal(bare, again)


def test_a_blur_keeps_colours_and_loses_shapes(folders):
    from core import HidePatches

    model = core.load(folders["vit"])
    grey, blur = (
        model.probabilities(PICTURE, [(HidePatches(tuple(range(16)), fill),)])
        for fill in ("mean", "blur")
    )
    assert not np.allclose(grey, blur, atol=1e-6)
    flat = Image.new("RGB", (32, 32), (200, 30, 30))
    bare, hidden = model.probabilities(flat, [(), (HidePatches((0, 5, 9), "blur"),)])
    np.testing.assert_allclose(bare, hidden, atol=1e-5)  # the blur of one colour is that colour
    assert model.probabilities(flat, []).shape == (0, 5)
