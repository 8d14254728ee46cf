"""The photographs: classes by name, the split, broken archives, the packed folder."""

import tarfile
from pathlib import Path

import numpy as np
import pytest

from core.errors import InputError
from core.training.vision import pack
from core.training.vision.classes import CLASSES, LABELS, LEFT_OUT, NO_CLASS, class_of
from core.training.vision.photos import ARCHIVES, is_held_out, read_photos
from core.training.vision.prepare import SIDE, prepare
from tests.core.training.vision.made_up_photos import PHOTOS, picture, write_archive, write_photos

N_CATEGORIES = sum(len(categories) for _, categories in CLASSES) + 2  # brain, background


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_photos(tmp_path_factory.mktemp("photos"))


def test_there_are_27_classes_and_none_is_left_out() -> None:
    assert len(set(LABELS)) == 27
    assert not LEFT_OUT & {category for _, categories in CLASSES for category in categories}


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("caltech101/airplanes/image_0001.jpg", "airplane"),
        ("caltech101/ketch/image_0001.jpg", "sailboat"),
        ("caltech101/schooner/image_0001.jpg", "sailboat"),
        ("caltech101/dalmatian/image_0001.jpg", "dog"),
        ("pets600/images/Abyssinian_1.jpg", "cat"),
        ("pets600/images/german_shorthaired_2.jpg", "dog"),
    ],
)
def test_a_name_tells_the_class(name: str, label: str) -> None:
    assert LABELS[class_of(name)] == label


@pytest.mark.parametrize("name", ["caltech101/flamingo_head/i.jpg", "caltech101/wild_cat/i.jpg"])
def test_other_categories_have_no_class(name: str) -> None:
    assert class_of(name) == NO_CLASS


def test_what_is_no_photograph_or_left_out_is_not_read(data: Path) -> None:
    names = [photo.name for photo in read_photos(data)]
    assert len(names) == len(set(names)) == N_CATEGORIES * PHOTOS
    assert not any("Faces" in name or "trimaps" in name for name in names)


def test_about_one_in_ten_names_is_held_out() -> None:
    names = [f"caltech101/crab/image_{number:04d}.jpg" for number in range(4_000)]
    assert abs(np.mean([is_held_out(name) for name in names]) - 0.1) < 0.015


def test_the_album_holds_every_photograph_once_and_parts_them(data: Path, tmp_path: Path) -> None:
    album = prepare(data, tmp_path)
    assert album.pixels.shape == (N_CATEGORIES * PHOTOS, 3, SIDE, SIDE)
    parts = [album.training(), album.unseen()]
    np.testing.assert_array_equal(np.sort(np.concatenate(parts)), np.arange(len(album.labels)))
    with_class = album.unseen(of_a_class=True)
    assert len(parts[1]) - len(with_class) == np.sum(album.labels[parts[1]] == NO_CLASS) > 0
    assert album.pixels[album.labels == 0].mean() > 30  # none of the black ones


def test_other_categories_have_outputs_of_their_own_but_the_background_has_none(
    data: Path, tmp_path: Path
) -> None:
    album = prepare(data, tmp_path)
    named = album.labels != NO_CLASS
    np.testing.assert_array_equal(album.outputs[named], album.labels[named])
    assert album.n_outputs == 28  # the 27 and brain
    counts = np.bincount(album.outputs + 1, minlength=29)
    assert (counts[0], counts[28]) == (PHOTOS, PHOTOS)  # background, brain
    assert set(album.outputs[album.training(of_a_category=True)]) == set(range(28))


def test_the_packed_folder_holds_the_same_photographs_smaller(data: Path, tmp_path: Path) -> None:
    assert pack.main(["--data", str(data), "--out", str(tmp_path / "packed")]) == 0
    before = {photo.name: photo for photo in read_photos(data)}
    after = {photo.name: photo for photo in read_photos(tmp_path / "packed")}
    assert list(after) == list(before)
    for name, photo in after.items():
        if photo.held_out:
            assert photo.content == before[name].content
        else:
            assert photo.picture().size == (SIDE, SIDE)
    assert any(photo.held_out for photo in after.values())


def test_packing_into_the_data_folder_itself_is_refused(
    data: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert pack.main(["--data", str(data), "--out", str(data)]) == 1
    assert "is the data folder itself" in caplog.text


def test_a_wrong_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    with pytest.raises(InputError, match=r"lacks images/caltech101-136.tar, images/pets600"):
        prepare(tmp_path, tmp_path / "cache")


@pytest.mark.parametrize("kept", [3, 700, 100_000])
def test_a_broken_archive_is_told_and_leaves_no_cache(tmp_path: Path, kept: int) -> None:
    data = write_photos(tmp_path / "data")
    archive = data / ARCHIVES[0]
    content = archive.read_bytes()
    archive.write_bytes(content[:kept])
    with pytest.raises(InputError, match=r"broken \.tar archive .*copy it again"):
        prepare(data, tmp_path / "cache")
    assert {path.suffix for path in (tmp_path / "cache").iterdir()} <= {".unfinished"}


@pytest.mark.parametrize("more", [0, 100])
def test_an_archive_cut_off_between_two_files_is_told(tmp_path: Path, more: int) -> None:
    data = write_photos(tmp_path / "data")
    archive = data / ARCHIVES[1]
    with tarfile.open(archive) as opened:
        last = opened.getmembers()[-1]
    archive.write_bytes(archive.read_bytes()[: last.offset + more])
    with pytest.raises(InputError, match=r"pets600-224.tar is a broken \.tar archive .it is cut"):
        list(read_photos(data))


def test_a_photograph_that_cannot_be_decoded_is_told(tmp_path: Path) -> None:
    data = write_photos(tmp_path / "data")
    broken = {"caltech101/crab/image_0001.jpg": picture(0, 0)[:200]}
    write_archive(data / ARCHIVES[0], broken)
    with pytest.raises(InputError, match=r"crab/image_0001\.jpg can't be decoded"):
        prepare(data, tmp_path / "cache")


def test_archives_without_a_class_are_told(tmp_path: Path) -> None:
    data = write_photos(tmp_path / "data")
    write_archive(data / ARCHIVES[1], {"pets600/images/beagle_1.jpg": picture(0, 0)})
    with pytest.raises(InputError, match=r"hold no photograph of cat"):
        prepare(data, tmp_path / "cache")
