"""The data-hunger experiment on made-up photographs, a few steps long."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch

from core.data.data_hunger import Kind, read
from core.training import data_hunger
from core.training.vision.classes import LABELS
from core.training.vision.contestants import BATCH_SIZE, SIDE, network, settings_of
from core.training.vision.hunger import KEPT_SIDE, accuracy, n_photos, pretrained, small, thinned
from core.training.vision.prepare import Album


@pytest.fixture(scope="module")
def squares(album: Album) -> Album:
    return small(album)


@pytest.fixture(scope="module")
def encoder(squares: Album) -> dict[str, torch.Tensor]:
    return pretrained(squares, steps=1, seed=0, device="cpu")


def test_photographs_are_scaled_and_nothing_else(album: Album, squares: Album) -> None:
    assert squares.pixels.shape == (len(album.pixels), 3, KEPT_SIDE, KEPT_SIDE)
    assert squares.pixels.dtype == np.uint8
    means = (one.pixels.mean(axis=(2, 3)) for one in (album, squares))
    np.testing.assert_allclose(*means, atol=1.0)


def test_a_smaller_share_lies_within_a_larger_one_and_nothing_is_held_out(squares: Album) -> None:
    chosen = [
        set(thinned(squares, share, 0).training(of_a_category=True)) for share in (0.1, 0.3, 1.0)
    ]
    assert all(few < more for few, more in pairwise(chosen))
    assert not any(squares.held_out[list(photos)].any() for photos in chosen)
    everything = (squares.labels >= 0) & ~squares.held_out
    assert len(chosen[-1]) == everything.sum()
    other = set(thinned(squares, 0.3, 1).training(of_a_category=True))
    assert other != chosen[1]
    assert len(other) == len(chosen[1])


def test_every_class_keeps_its_share_and_one_at_least(squares: Album) -> None:
    for share in (0.01, 0.3):
        few = thinned(squares, share, 0)
        photos = few.training(of_a_category=True)
        counts = np.bincount(few.outputs[photos])
        of_all = np.bincount(squares.labels[(squares.labels >= 0) & ~squares.held_out])
        assert counts.tolist() == [max(1, round(share * n)) for n in of_all]
        assert n_photos(few) == counts.sum()
        assert (few.outputs[photos] == squares.labels[photos]).all()


def test_all_are_of_one_size(encoder: dict[str, torch.Tensor]) -> None:
    """1.2 to 1.3 million parameters each."""
    for kind in Kind:
        model = network(kind, classes=len(LABELS), device="cpu", encoder=encoder)
        assert 1.2e6 < sum(p.numel() for p in model.parameters()) < 1.3e6
        assert model.eval()(torch.zeros(2, 3, SIDE, SIDE)).shape == (2, len(LABELS))


def test_the_pretrained_vit_begins_with_the_encoder_and_the_other_does_not(
    encoder: dict[str, torch.Tensor],
) -> None:
    torch.manual_seed(3)
    begun = network(Kind.VIT_AFTER_MAE, classes=5, device="cpu", encoder=encoder).state_dict()
    fresh = network(Kind.VIT, classes=5, device="cpu", encoder=encoder).state_dict()
    assert begun.keys() == fresh.keys() == {*encoder, "head.weight", "head.bias"}
    for name, weights in encoder.items():
        torch.testing.assert_close(begun[name], weights)
    assert not torch.equal(fresh["patch_embed.proj.weight"], encoder["patch_embed.proj.weight"])


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_only_what_belongs_to_a_vit_differs(device: str) -> None:
    cnn, swin, vit, after = (settings_of(kind, device) for kind in Kind)
    assert cnn == swin
    assert vit == after
    assert replace(vit, patch_drop=0.0) == cnn
    assert cnn.batch_size == BATCH_SIZE[device]


def test_what_is_learned_is_told_of_photographs_never_seen(squares: Album) -> None:
    """A class is a colour here, which a convolution finds at once; other labels are guessed."""
    few = [replace(squares, **_of_three(squares, wrong=wrong)) for wrong in (False, True)]
    right, wrong = (
        accuracy(Kind.CNN, thinned(album, 1.0, 0), steps=25, seed=0, device="cpu") for album in few
    )
    assert right > 0.9
    assert wrong < 0.5


def _of_three(album: Album, *, wrong: bool) -> dict[str, np.ndarray]:
    """Three classes alone; `wrong`: what is held out is called the next one."""
    labels = np.where(album.labels < 3, album.labels, -1)
    if wrong:
        labels = np.where(album.held_out & (labels >= 0), (labels + 1) % 3, labels)
    return {"labels": labels}


def test_the_experiment_is_written_and_goes_on_where_it_stopped(
    photo_data: Path, photo_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data_hunger, "SHARES", (0.3, 1.0))
    monkeypatch.setattr(data_hunger, "SEEDS", (0, 1))
    place, cache = tmp_path / "hunger.json", photo_cache / "hunger"
    command = [
        *("--data", str(photo_data), "--device", "cpu", "--steps", "1"),
        *("--pretraining-steps", "1", "--cache", str(cache), "--out", str(place)),
    ]
    assert data_hunger.main(command) == 0
    measured = read(place)
    assert len(measured.points) == 2 * len(Kind)
    assert all(len(point.accuracies) == 2 for point in measured.points)
    assert measured.classes == len(LABELS)
    done = cache / "1-1" / "vit-1.0-1.json"
    done.write_text('{"accuracy": 0.625, "seconds": 1.0}')
    monkeypatch.setattr(data_hunger, "accuracy", None)  # no training is made again
    assert data_hunger.main([*command[:-1], str(tmp_path / "again.json")]) == 0
    again = read(tmp_path / "again.json")
    assert again.at(Kind.VIT, 1.0).accuracies[1] == 0.625
    assert again.at(Kind.CNN, 0.3) == measured.at(Kind.CNN, 0.3)


def test_the_interval_is_students() -> None:
    """Of 1, 2, 3: deviation 1, and t of two degrees of freedom is 4.303."""
    mean, half = data_hunger.interval([1.0, 2.0, 3.0])
    assert mean == 2.0
    assert half == pytest.approx(4.302653 / 3**0.5)


def test_a_bad_data_folder_is_a_message(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert data_hunger.main(["--data", str(tmp_path), "--cache", str(tmp_path / "c")]) == 1
    assert "images/caltech101-136.tar" in caplog.text
