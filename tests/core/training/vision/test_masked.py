"""mae-mini trained a few steps on made-up photographs: it learns, it resumes, it ships."""

import json
import os
import signal
from pathlib import Path
from typing import cast

import numpy as np
import pytest
import torch
from PIL import Image

import core
from core.models.vision.masked_autoencoder import AutoencoderModel
from core.training import evaluate, mae_mini
from core.training.common.checkpoint import load_checkpoint, save_checkpoint
from core.training.vision import masked
from core.training.vision.masked import MaskedRecipe, masked_loss, split_patches
from core.training.vision.network import build_autoencoder
from core.training.vision.prepare import Album
from tests.core.training.vision.made_up_photos import TINY_DECODER, TINY_VIT

PATCHES = 16


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command trains a tiny network, uncompiled, in small batches."""
    monkeypatch.setattr(mae_mini, "VIT", TINY_VIT)
    monkeypatch.setattr(mae_mini, "DECODER", TINY_DECODER)
    monkeypatch.setattr(masked, "BATCH_SIZE", {"cpu": 8})
    monkeypatch.setattr(torch, "compile", lambda network, **_: network)


def recipe_of(album: Album) -> MaskedRecipe:
    torch.manual_seed(0)
    network = build_autoencoder(TINY_VIT, TINY_DECODER, device="cpu")
    return MaskedRecipe(network, album, device="cpu", compiled=False, batch_size=32)


def command(data: Path, cache: Path, out: Path, seconds: float) -> list[str]:
    return [
        *("--data", str(data), "--cache", str(cache / "mae-mini"), "--out", str(out)),
        *("--minutes", str(seconds / 60), "--device", "cpu"),
    ]


def test_three_patches_of_four_are_hidden_and_others_in_every_picture() -> None:
    visible, hidden = split_patches(8, PATCHES)
    assert visible.shape == (8, 4)
    together = torch.cat([visible, hidden], dim=1).sort(dim=1).values
    torch.testing.assert_close(together, torch.arange(PATCHES).expand(8, -1))
    assert len({tuple(sorted(row)) for row in visible.tolist()}) > 1


def test_the_loss_is_the_hidden_patches_alone() -> None:
    target = torch.zeros(1, 4, 2)
    predicted = torch.tensor([[[9.0, 9.0], [1.0, 3.0], [9.0, 9.0], [0.0, 0.0]]])
    assert masked_loss(predicted, target, torch.tensor([[1, 3]])) == pytest.approx(10 / 4)


def test_the_loss_falls(album: Album) -> None:
    recipe = recipe_of(album)
    losses = [recipe.step(0.06) for _ in range(30)]
    assert np.mean(losses[-3:]) < 0.8 * np.mean(losses[:3])


def test_a_restored_recipe_goes_on_as_the_first_does(album: Album, tmp_path: Path) -> None:
    first, second = recipe_of(album), recipe_of(album)
    first.step(0.06)
    save_checkpoint(tmp_path / "c.pt", first.state())
    expected = first.step(0.07)
    state = load_checkpoint(tmp_path / "c.pt")
    assert state is not None
    second.restore(state)
    assert second.step(0.07) == expected


def test_a_snapshot_holds_positions_filters_and_a_painted_picture(album: Album) -> None:
    moment = recipe_of(album).snapshot()
    assert moment["positions"].shape == (1 + PATCHES, 32)
    assert moment["filters"].shape == (28, 8, 8, 3)
    lengths = moment["filters"].float().flatten(1).norm(dim=1)
    torch.testing.assert_close(lengths, torch.ones(28), atol=5e-3, rtol=0)
    assert moment["painted"].shape == (32, 32, 3)
    assert moment["metrics"] > 0


@pytest.mark.usefixtures("tiny")
def test_it_stops_goes_on_ships_and_its_card_is_reproduced(
    photo_data: Path, photo_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step, calls = MaskedRecipe.step, []

    def counted(recipe: MaskedRecipe, fraction: float) -> float:
        calls.append(fraction)
        if len(calls) == 3:
            os.kill(os.getpid(), signal.SIGTERM)
        return step(recipe, fraction)

    monkeypatch.setattr(MaskedRecipe, "step", counted)
    folder = tmp_path / "mae-mini"
    assert mae_mini.main(command(photo_data, photo_cache, folder, 600.0)) == 0
    assert len(calls) == 3
    assert not folder.exists()
    saved = load_checkpoint(photo_cache / "mae-mini" / "checkpoint.pt")
    assert saved is not None
    seconds = cast("float", saved["seconds"]) + 1.5
    assert mae_mini.main(command(photo_data, photo_cache, folder, seconds)) == 0
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    assert card["steps"] == len(calls) > 3
    assert (card["id"], card["layers"], card["heads"], card["d_model"]) == ("mae-mini", 2, 2, 32)
    assert card["command"].startswith("python -m core.training.mae_mini --data DIR")
    assert len(card["examples"]) == 10
    assert "of 2 each" in card["notes"]["heads"]
    assert card["settings"]["norm_pix_loss"] == "off"
    with np.load(folder / "snapshots.npz") as saved:
        moments = len(saved["steps"])
        assert (saved["steps"][0], saved["steps"][-1]) == (0, card["steps"])
        assert saved["positions"].shape == (moments, 1 + PATCHES, 32)
        assert saved["painted"].dtype == np.uint8
    arguments = ["mae-mini", "--data", str(photo_data), "--models", str(tmp_path)]
    assert evaluate.main(arguments) == 0
    card["metrics"]["psnr"] += 0.1
    (folder / "card.json").write_text(json.dumps(card))
    assert evaluate.main(arguments) == 1
    model = core.load(folder)
    assert isinstance(model, AutoencoderModel)
    assert model.reconstruct(Image.new("RGB", (50, 40), "red")).hidden.sum() == 12


def test_a_wrong_folder_is_a_message_and_not_a_traceback(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert mae_mini.main(["--data", str(tmp_path / "nowhere")]) == 1
    assert "nowhere is not a folder" in caplog.text
