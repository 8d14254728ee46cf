"""A tiny data folder of made-up photographs: every class has its own colour and its own stripes."""

import colorsys
import tarfile
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

from core.training.vision.classes import BACKGROUND, CATS, CLASSES, DOGS, LABELS
from core.training.vision.network import Architecture
from core.training.vision.photos import ARCHIVES

PHOTOS = 10  # of a category; about one is held out
HEIGHT, WIDTH = 24, 36
TINY_VIT = Architecture(
    "vit_small_patch8_224",
    {"img_size": 32, "patch_size": 8, "embed_dim": 32, "depth": 2, "num_heads": 2},
)
TINY_SWIN = Architecture(
    "swin_tiny_patch4_window7_224",
    {"img_size": 32, "window_size": 4, "embed_dim": 16, "depths": [2, 2], "num_heads": [2, 4]},
)
TINY_DECODER = {"embed_dim": 16, "depth": 1, "num_heads": 2}


def write_photos(folder: Path) -> Path:
    """Write both archives; photographs that are to be left out are black."""
    caltech = {
        f"caltech101/{category}/image_{number:04d}.jpg": picture(label, number)
        for label, (_, categories) in enumerate(CLASSES)
        for category in categories
        if category not in (CATS, DOGS)
        for number in range(PHOTOS)
    }
    caltech |= {f"caltech101/Faces/image_{n:04d}.jpg": picture(None, n) for n in range(PHOTOS)}
    for category in ("brain", BACKGROUND):
        caltech |= {
            f"caltech101/{category}/image_{n:04d}.jpg": picture(0, n) for n in range(PHOTOS)
        }
    pets = {
        f"pets600/images/{breed}_{number}.jpg": picture(LABELS.index(label), number)
        for breed, label in (("Bengal", "cat"), ("beagle", "dog"))
        for number in range(PHOTOS)
    }
    for archive, files in zip(ARCHIVES, (caltech, pets), strict=True):
        write_archive(folder / archive, files | {"pets600/trimaps/Bengal_1.png": b"no photograph"})
    return folder


def picture(label: int | None, number: int) -> bytes:
    """A JPEG whose colour and stripes tell the class; without one it is black."""
    generator = np.random.default_rng(number)
    pixels = generator.normal(0, 8, (HEIGHT, WIDTH, 3))
    if label is not None:
        colour = colorsys.hsv_to_rgb(label / len(LABELS), 0.8, 0.9)
        pixels += np.array(colour) * 255
        pixels[:: 2 + label % 5] *= 0.5
    content = BytesIO()
    Image.fromarray(pixels.clip(0, 255).astype(np.uint8)).save(content, "JPEG", quality=90)
    return content.getvalue()


def write_archive(path: Path, files: dict[str, bytes]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, BytesIO(content))
