"""The benchmark of explanations, end to end on a data folder of a few kilobytes."""

import tarfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import core
from core.data.explanation_benchmark import curve_id, read_table, write_table
from core.data.pointing_game import Layout
from core.explain.attribution.bootstrap import Interval
from core.explain.attribution.registry import EVIDENCE
from core.targets import ClassTarget
from core.training.vision.photos import ARCHIVES, is_held_out
from tests.benchmarks.truth import main
from tests.benchmarks.truth_photos import TestPhoto, pet_cover, photographs
from tests.benchmarks.truth_scores import REVERSED, collage_scores, methods_of, pet_scores
from tests.tiny_pictures import save_picture_model

RNG = np.random.default_rng(0)


def held_out_names(pattern: str, count: int) -> list[str]:
    names = (pattern.format(number) for number in range(1000))
    return [name for name in names if is_held_out(name)][:count]


def picture() -> Image.Image:
    return Image.fromarray(RNG.integers(0, 255, (40, 60, 3), dtype=np.uint8), "RGB")


def add(archive: tarfile.TarFile, name: str, image: Image.Image) -> None:
    content = BytesIO()
    image.save(content, "PNG" if name.endswith("png") else "JPEG")
    member = tarfile.TarInfo(name)
    member.size = len(content.getvalue())
    archive.addfile(member, BytesIO(content.getvalue()))


def trimap() -> np.ndarray:
    """The left third is pet, a border of six columns, then background."""
    kinds = np.full((40, 60), 2, dtype=np.uint8)
    kinds[:, :26] = 1
    kinds[:, 26:34] = 3
    return kinds


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    (folder / "images").mkdir()
    with tarfile.open(folder / ARCHIVES[0], "w") as archive:
        for category in ("crab", "lotus", "Faces"):
            for name in held_out_names(f"caltech101/{category}/image_{{:04d}}.jpg", 3):
                add(archive, name, picture())
        add(archive, "caltech101/crab/trained_on.jpg", picture())
    with tarfile.open(folder / ARCHIVES[1], "w") as archive:
        for name in held_out_names("pets600/images/Abyssinian_{}.jpg", 2):
            add(archive, name, picture())
            add(
                archive,
                name.replace("images", "trimaps").replace("jpg", "png"),
                Image.fromarray(trimap()),
            )
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return save_picture_model("vit", tmp_path_factory.mktemp("vit"))


def test_pets_and_other_classes_come_in_turn_and_only_held_out_ones(data: Path):
    photos = photographs(data, 99, seed=0)
    assert len(photos) == 2 + 6
    assert [photo.trimap is not None for photo in photos] == [True, False] * 2 + [False] * 4
    assert all(is_held_out(photo.name) for photo in photos)
    others = [photo.label for photo in photos if photo.trimap is None]
    assert others[0] != others[1]  # class by class
    assert [p.name for p in photographs(data, 3, seed=0)] == [p.name for p in photos[:3]]


def test_a_trimap_meets_the_crop_that_the_model_sees(folder: Path):
    model = core.load(folder)
    pet, counted = pet_cover(model, trimap())
    # columns 10 to 50 of 60 are seen; the pet ends at 26, the border at 34
    np.testing.assert_allclose(pet.mean(axis=0), [1, 0.6, 0, 0], atol=0.13)
    np.testing.assert_allclose(counted.mean(axis=0), [1, 0.6, 0.6, 1], atol=0.13)


def test_uniform_scores_what_chance_does(folder: Path):
    model = core.load(folder)
    flat = np.ones((4, 4), dtype=np.float32)
    scores = pet_scores(model, TestPhoto("a", 0, picture(), trimap()), {"uniform": flat})
    assert scores["uniform"]["pointing"] == pytest.approx(50)
    assert scores["uniform"]["mass"] == pytest.approx(50, abs=5)


def test_a_collages_two_halves_share_a_class_blind_map(folder: Path):
    model = core.load(folder)
    asks = {name: ask for name, (_, ask) in methods_of(model).items()}
    pair = [TestPhoto("a", 0, picture(), None), TestPhoto("b", 3, picture(), None)]
    first, second = collage_scores(model, pair, Layout.SIDE_BY_SIDE, asks)
    for blind in (method.id for method in EVIDENCE if not method.class_specific):
        assert first[blind]["share"] + second[blind]["share"] == pytest.approx(100, abs=0.01)
    assert first["relevance"] != second["relevance"]
    unseen = [pair[0], TestPhoto("c", 9, picture(), None)]
    assert collage_scores(model, unseen, Layout.STACKED, asks) == []


def test_gradients_paired_with_the_wrong_layers_are_another_map(folder: Path):
    model = core.load(folder)
    asks = methods_of(model)
    image = picture()
    wrong = asks[REVERSED][1](model, image, ClassTarget(1))
    right = asks["gradient-rollout"][1](model, image, ClassTarget(1))
    assert wrong.shape == right.shape
    assert not np.allclose(wrong, right)


def test_one_command_writes_the_table(data: Path, folder: Path, tmp_path: Path, capsys):
    out = tmp_path / "truth.json"
    given = ["--data", str(data), "--model", str(folder), "--pictures", "3", "--out", str(out)]
    assert main([*given, "--threads", "1"]) == 0
    table = read_table(out)
    assert table.counts["photographs"] == 3
    assert {row.id for row in table.methods} == {method.id for method in EVIDENCE} | {REVERSED}
    assert table.command == (
        f"python -m tests.benchmarks.truth --data DIR --model {folder} --pictures 3 "
        "--out FILE --threads 1"
    )
    for row in table.methods:
        for fill in ("mean", "blur"):
            figures = [
                row.figures[curve_id(name, fill, "probability")].mean
                for name in ("negative", "positive", "gap")
            ]
            assert figures[0] - figures[1] == pytest.approx(figures[2], abs=0.02)
    assert table.methods[0].figures[curve_id("over-random", "mean", "kept")].mean == 0
    assert "Occlusion" in capsys.readouterr().out


def test_a_method_is_added_to_the_table_on_the_same_pictures(
    data: Path, folder: Path, tmp_path: Path, capsys
):
    out = tmp_path / "truth.json"
    given = ["--data", str(data), "--model", str(folder), "--pictures", "3", "--out", str(out)]
    assert main([*given, "--threads", "1"]) == 0
    whole = read_table(out)
    write_table(replace(whole, methods=tuple(r for r in whole.methods if r.id != "lrp")), out)
    assert main([*given, "--threads", "1", "--only", "lrp"]) == 0
    again = read_table(out)
    assert again.methods == whole.methods  # in the registry's order, every figure the same
    assert again.seconds > whole.seconds
    assert (again.date, again.command) == (whole.date, f"{whole.command}, then --only lrp")
    shifted = {name: Interval(1.0, 0.0, 2.0) for name in whole.methods[0].figures}
    other = replace(whole.methods[0], figures=shifted)
    write_table(replace(whole, methods=(other, *whole.methods[1:])), out)
    assert main([*given, "--threads", "1", "--only", "lrp"]) == 1
    assert "measured on other pictures" in capsys.readouterr().err
    assert main([*given, "--threads", "1", "--only", "magic"]) == 1


def test_a_missing_data_folder_is_said(tmp_path: Path, folder: Path, capsys):
    assert main(["--data", str(tmp_path / "no"), "--model", str(folder)]) == 1
    assert "not a folder" in capsys.readouterr().err
