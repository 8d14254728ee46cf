"""vit-mini and swin-mini trained a few steps on made-up photographs, from where they begin on."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image
from safetensors.torch import load_file

import core
from core.errors import InputError
from core.training import evaluate, swin_mini, vit_mini
from core.training.common.checkpoint import load_checkpoint, save_checkpoint
from core.training.vision.classes import LABELS
from core.training.vision.classify import ClassifierRecipe, Settings, equally_often
from core.training.vision.export import write_autoencoder
from core.training.vision.layer_decay import LayerDecay
from core.training.vision.moments import swin_moment, vit_moment
from core.training.vision.network import build, build_autoencoder, start_from
from core.training.vision.prepare import Album
from core.training.vision.recipe import muon_and_adamw
from tests.core.training.vision.made_up_photos import TINY_DECODER, TINY_SWIN, TINY_VIT

SETTINGS = Settings(
    batch_size=32,
    learning_rate=5e-3,
    warmup=0.05,
    smallest_crop=0.5,
    magnitude=3,
    mixing=0.0,
    others=0.0,
)


@pytest.fixture
def started(tmp_path: Path) -> Path:
    """The folder of a random mae-mini."""
    torch.manual_seed(1)
    network = build_autoencoder(TINY_VIT, TINY_DECODER, device="cpu")
    folder = tmp_path / "mae-mini"
    write_autoencoder(network, folder, architecture=TINY_VIT, decoder=TINY_DECODER)
    return folder


def recipe_of(kind: str, album: Album, settings: Settings = SETTINGS) -> ClassifierRecipe:
    torch.manual_seed(0)
    model = build(
        {"vit": TINY_VIT, "swin": TINY_SWIN}[kind],
        classes=album.n_outputs,
        device="cpu",
        patch_drop=settings.patch_drop,
    )
    return ClassifierRecipe(
        model,
        LayerDecay(model, decay=0.75, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.05)
        if kind == "vit"
        else muon_and_adamw(model, betas=(0.9, 0.999), weight_decay=0.05),
        album,
        settings,
        moment={"vit": vit_moment, "swin": swin_moment}[kind],
        device="cpu",
        compiled=False,
    )


@pytest.mark.parametrize("kind", ["vit", "swin"])
def test_the_loss_falls(album: Album, kind: str) -> None:
    recipe = recipe_of(kind, album)
    losses = [recipe.step(0.06) for _ in range(30)]
    assert np.mean(losses[-3:]) < np.mean(losses[:3]) - 0.4


def test_half_of_the_patches_are_left_out_until_the_last_part(album: Album) -> None:
    recipe = recipe_of("vit", album, replace(SETTINGS, patch_drop=0.5))
    seen: list[int] = []
    block = recipe.model.get_submodule("blocks.0")
    block.register_forward_hook(lambda _, given, __: seen.append(given[0].shape[1]))
    n_patches = recipe.model.get_submodule("patch_embed").num_patches
    recipe.step(0.1)
    recipe.step(0.79)
    recipe.step(0.8)
    assert seen == [1 + n_patches // 2, 1 + n_patches // 2, 1 + n_patches]
    assert len(recipe.state()["model"]) == len(recipe_of("vit", album).state()["model"])


@pytest.mark.parametrize("kind", ["vit", "swin"])
def test_a_restored_recipe_goes_on_as_the_first_does(
    album: Album, tmp_path: Path, kind: str
) -> None:
    mixed = Settings(32, 5e-3, 0.05, smallest_crop=0.5, magnitude=9, mixing=0.5, others=0.1)
    first, second = recipe_of(kind, album, mixed), recipe_of(kind, album, mixed)
    first.step(0.06)
    save_checkpoint(tmp_path / "c.pt", first.state())
    expected = [first.step(0.07), first.step(0.08)]
    state = load_checkpoint(tmp_path / "c.pt")
    assert state is not None
    second.restore(state)
    assert [second.step(0.07), second.step(0.08)] == expected


def test_every_class_is_drawn_equally_often() -> None:
    weights = equally_often(np.array([0, 0, 1, 27, 28, 28]), others=0.2)
    torch.testing.assert_close(weights, torch.tensor([0.2, 0.2, 0.4, 0.1, 0.05, 0.05]))


def test_without_a_share_other_categories_are_never_drawn() -> None:
    weights = equally_often(np.array([0, 0, 1, 27]), others=0.0)
    torch.testing.assert_close(weights, torch.tensor([0.25, 0.25, 0.5, 0.0]))


def test_the_vit_starts_exactly_from_the_masked_autoencoders_encoder(started: Path) -> None:
    model = build(TINY_VIT, classes=27, device="cpu")
    start_from(model, started)
    shipped, begun = load_file(started / "model.safetensors"), model.state_dict()
    assert set(begun) - set(shipped) == {"head.weight", "head.bias"}
    for name, weight in shipped.items():
        torch.testing.assert_close(begun[name], weight.float(), rtol=0, atol=0)


def test_a_vit_without_its_start_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"can't be the start .* train mae-mini first"):
        start_from(build(TINY_VIT, classes=27, device="cpu"), tmp_path)


def test_another_models_weights_are_no_start(started: Path) -> None:
    with pytest.raises(InputError, match=r"train mae-mini first|is not this model's encoder"):
        start_from(build(TINY_SWIN, classes=27, device="cpu"), started)


def test_deeper_layers_learn_more_slowly(album: Album) -> None:
    recipe = recipe_of("vit", album)
    optimiser = recipe.optimiser
    assert isinstance(optimiser, LayerDecay)
    rates = {
        name: group["lr_scale"]
        for group in optimiser.part.param_groups
        for parameter in group["params"]
        for name, other in recipe.model.named_parameters()
        if other is parameter
    }
    assert set(rates) == {name for name, _ in recipe.model.named_parameters()}
    assert rates["head.weight"] == 1.0
    order = ("patch_embed.proj.weight", "blocks.0.mlp.fc1.weight", "blocks.1.mlp.fc1.weight")
    assert [rates[name] / rates["blocks.1.mlp.fc1.weight"] for name in order] == pytest.approx(
        [0.75**2, 0.75, 1.0]
    )


def test_snapshots_hold_what_each_kind_shows(album: Album) -> None:
    moment = recipe_of("vit", album).snapshot()
    assert moment["positions"].shape == (17, 32)
    assert moment["class_attention"].shape == (2, 2, 16)
    assert (moment["class_attention"].float().sum(dim=-1) < 1).all()  # the rest is its own
    moment = recipe_of("swin", album).snapshot()
    assert moment["relative_position_bias"].shape == (2 * 2 + 2 * 4, 7, 7)
    assert 0 <= moment["metrics"] <= 1


@pytest.mark.parametrize("kind", ["vit", "swin"])
def test_what_is_shipped_opens_and_its_card_is_reproduced(
    photo_data: Path,
    photo_cache: Path,
    started: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
) -> None:
    module = {"vit": vit_mini, "swin": swin_mini}[kind]
    monkeypatch.setattr(module, kind.upper(), {"vit": TINY_VIT, "swin": TINY_SWIN}[kind])
    monkeypatch.setattr(module, "SETTINGS", {"cpu": SETTINGS})
    monkeypatch.setattr(torch, "compile", lambda model, **_: model)
    models, name = started.parent, f"{kind}-mini"
    arguments = ["--data", str(photo_data), "--minutes", "0.02", "--device", "cpu"]
    cache = str(photo_cache / name)
    assert module.main([*arguments, "--cache", cache, "--out", str(models / name)]) == 0
    card = json.loads((models / name / "card.json").read_text(encoding="utf-8"))
    assert (card["id"], card["trained_on"]) == (name, "cpu")
    assert set(card["metrics"]) == {"top_1", "top_5", "mean_class_top_1"}
    assert set(card["metrics_meaning"]) == set(card["metrics"])
    assert len(card["examples"]) >= 4
    model = core.load(models / name)
    assert model.card.labels == LABELS
    picture = Image.new("RGB", (60, 40), "blue")
    probabilities = [p.probability for p in model.classify(picture, top_k=27)]
    assert sum(probabilities) == pytest.approx(1.0, abs=1e-5)
    assert model.trace(picture).n_layers() == card["layers"]
    assert evaluate.main([name, "--data", str(photo_data), "--models", str(models)]) == 0
