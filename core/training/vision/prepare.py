"""Every photograph decoded once: squares of 8-bit pixels in one file of the cache."""

import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Bool, Int, UInt8
from PIL import Image, ImageOps

from core.errors import InputError
from core.training.common.cache_dir import cached_folder
from core.training.common.datafiles import data_folder
from core.training.vision.classes import BACKGROUND, LABELS, NO_CLASS, category_of
from core.training.vision.photos import ARCHIVES, read_photos

SIDE = 128  # pixels of a square; crops of it become the models' 112


@dataclass(frozen=True, slots=True, eq=False)
class Album:
    """All photographs in the order of their archives."""

    pixels: UInt8[np.ndarray, "photo 3 row column"]
    labels: Int[np.ndarray, " photo"]  # index in LABELS, or NO_CLASS
    outputs: Int[np.ndarray, " photo"]  # the label; the other categories count on from 27
    held_out: Bool[np.ndarray, " photo"]

    def training(self, *, of_a_category: bool = False) -> Int[np.ndarray, " chosen"]:
        """The photographs to train on: all, or those with an output."""
        chosen = np.flatnonzero(~self.held_out)
        return chosen[self.outputs[chosen] != NO_CLASS] if of_a_category else chosen

    def unseen(self, *, of_a_class: bool = False) -> Int[np.ndarray, " chosen"]:
        """The held-out photographs: all, or those of the 27 classes."""
        chosen = np.flatnonzero(self.held_out)
        return chosen[self.labels[chosen] != NO_CLASS] if of_a_class else chosen

    @property
    def n_outputs(self) -> int:
        """The 27 classes and the other categories."""
        return int(self.outputs.max()) + 1


def prepare(data: Path, cache: Path) -> Album:
    """Make or reopen the cached squares of these very archives. Raises InputError."""
    folder = data_folder(data, needs=ARCHIVES)

    def fill(target: Path) -> None:
        squares: list[UInt8[np.ndarray, "row column 3"]] = []
        labels: list[int] = []
        categories: list[str] = []
        held_out: list[bool] = []
        for photo in read_photos(folder):
            squares.append(np.asarray(square(photo.picture())))
            labels.append(photo.label)
            categories.append(category_of(photo.name))
            held_out.append(photo.held_out)
        _require_every_class(folder, labels)
        np.save(target / "pixels.npy", np.stack(squares).transpose(0, 3, 1, 2))
        np.save(target / "labels.npy", np.array(labels))
        np.save(target / "outputs.npy", _outputs(labels, categories))
        np.save(target / "held_out.npy", np.array(held_out))

    sizes = [(name, (folder / name).stat().st_size) for name in ARCHIVES]
    made = cached_folder(cache / f"photos-{zlib.crc32(repr((sizes, SIDE)).encode()):08x}", fill)
    return Album(
        np.load(made / "pixels.npy", mmap_mode="r"),
        np.load(made / "labels.npy"),
        np.load(made / "outputs.npy"),
        np.load(made / "held_out.npy"),
    )


def _outputs(labels: list[int], categories: list[str]) -> Int[np.ndarray, " photo"]:
    """Labels from 0 to 26, then a number for every other category; none for the background."""
    pairs = list(zip(labels, categories, strict=True))
    others = {name for label, name in pairs if label == NO_CLASS} - {BACKGROUND}
    numbers = {name: len(LABELS) + number for number, name in enumerate(sorted(others))}
    return np.array(
        [numbers.get(name, NO_CLASS) if label == NO_CLASS else label for label, name in pairs]
    )


def square(picture: Image.Image) -> Image.Image:
    """The shorter side scaled to SIDE pixels, the middle of the longer one."""
    return ImageOps.fit(picture, (SIDE, SIDE), Image.Resampling.BICUBIC)


def _require_every_class(folder: Path, labels: list[int]) -> None:
    missing = [label for index, label in enumerate(LABELS) if index not in labels]
    if missing:
        raise InputError(
            f"--data {folder}: the archives hold no photograph of {', '.join(missing)}; "
            "copy them again from their source"
        )
