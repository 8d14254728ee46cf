"""Held-out photographs for the benchmark of explanations: half pets, half of the other classes.

Pets come with trimaps (Parkhi et al. 2012): 1 pet, 2 background, 3 border.
"""

import tarfile
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
from jaxtyping import Float32, UInt8
from PIL import Image

from core.models.vision.classifier import VisionModel
from core.training.common.datafiles import data_folder
from core.training.vision.classes import LABELS, NO_CLASS
from core.training.vision.photos import ARCHIVES, Photo, read_photos

PETS = ARCHIVES[1]
COLOURS = np.array([[0, 0, 0], [255, 0, 0], [0, 255, 0], [0, 0, 255]], dtype=np.uint8)


@dataclass(frozen=True)
class TestPhoto:
    """A photograph that no training saw; a pet's with its trimap."""

    __test__ = False  # no test class, whatever pytest thinks

    name: str
    label: int
    picture: Image.Image
    trimap: UInt8[np.ndarray, "height width"] | None


def photographs(data: Path, count: int, seed: int) -> list[TestPhoto]:
    """`count` held-out photographs of the 27 classes, pets and others in turn.

    The others come class by class, so that the many airplanes don't decide. Raises InputError.
    """
    folder = data_folder(data, needs=ARCHIVES)
    held_out = [p for p in read_photos(folder) if p.held_out and p.label != NO_CLASS]
    rng = np.random.default_rng(seed)
    shuffled = [held_out[index] for index in rng.permutation(len(held_out))]
    pets = [photo for photo in shuffled if "/images/" in photo.name]
    others = _class_by_class([photo for photo in shuffled if "/images/" not in photo.name])
    in_turn = [photo for pair in zip(pets, others, strict=False) for photo in pair]
    in_turn += others[len(pets) :] or pets[len(others) :]
    with tarfile.open(folder / PETS) as archive:
        return [
            TestPhoto(photo.name, photo.label, photo.picture(), _trimap(archive, photo))
            for photo in in_turn[:count]
        ]


def pet_cover(
    model: VisionModel, trimap: UInt8[np.ndarray, "height width"]
) -> tuple[Float32[np.ndarray, "row column"], Float32[np.ndarray, "row column"]]:
    """Of each patch of the crop that the model sees: the pet's share, and the share that counts.

    The trimap goes through the model's own crop, as a picture in three pure colours.
    """
    seen = model.seen(Image.fromarray(COLOURS[trimap]))
    kinds = seen.picture.argmax(axis=-1)  # 0 pet, 1 background, 2 border
    cells = kinds.reshape(seen.grid.rows, seen.patch_pixels[0], seen.grid.columns, -1)
    pet = (cells == 0).mean(axis=(1, 3), dtype=np.float32)
    border = (cells == 2).mean(axis=(1, 3), dtype=np.float32)
    return pet, 1 - border


def _class_by_class(photos: list[Photo]) -> list[Photo]:
    """The first of every class, then the second of every class, …"""
    groups = [[photo for photo in photos if photo.label == n] for n in range(len(LABELS))]
    rounds = max(map(len, groups), default=0)
    return [group[n] for n in range(rounds) for group in groups if n < len(group)]


def _trimap(archive: tarfile.TarFile, photo: Photo) -> np.ndarray | None:
    if "/images/" not in photo.name:
        return None
    name = photo.name.replace("/images/", "/trimaps/").replace(".jpg", ".png")
    file = archive.extractfile(name)
    if file is None:
        raise ValueError(f"{name} is no file")
    return np.asarray(Image.open(BytesIO(file.read())))
