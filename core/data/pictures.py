"""Pictures as values, and those on which heads are measured: squares of scikit-image's photographs.

Ten of each photograph, large and small, from everywhere in it: six scenes seen ten times, so
intervals over them say less of other scenes than as many photographs would.
"""

from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from typing import Final

import numpy as np
from PIL import Image

PHOTOGRAPHS: Final = ("chelsea", "astronaut", "coffee", "rocket", "horse", "camera")
CUTS: Final = 10  # of each photograph
SMALLEST: Final = 0.5  # side of a square, as a share of the photograph's shorter side
SIDE: Final = 256  # pixels of a square: no less than the models on board see


@dataclass(frozen=True)
class Picture:
    """A picture as a value; equal ones have equal digests. Stands in for a PIL image."""

    name: str
    digest: str
    image: Image.Image = field(compare=False, repr=False)
    whole: bool = False  # as core.outputs.vision.WholePicture: nothing of it is cropped

    @property
    def is_sample(self) -> bool:
        return self.name in PHOTOGRAPHS

    @property
    def is_square(self) -> bool:
        return self.image.width == self.image.height

    def convert(self, mode: str) -> Image.Image:
        """As PIL's own `convert`, which is all that the core asks of a picture."""
        return self.image.convert(mode)


@cache
def photograph(name: str) -> Image.Image:
    """One of PHOTOGRAPHS, in RGB."""
    import skimage.data  # opens files when it is imported

    return Image.fromarray(getattr(skimage.data, name)()).convert("RGB")


@cache
def squares(seed: int = 0) -> tuple[Image.Image, ...]:
    """SIDE pixels each, photograph by photograph."""
    random = np.random.default_rng(seed)
    return tuple(
        _square(photograph(name), *random.random(3)) for name in PHOTOGRAPHS for _ in range(CUTS)
    )


@cache
def squares_hash() -> str:
    """SHA-256 in hexadecimal of what `squares` are cut from, and how."""
    digest = sha256(repr((CUTS, SMALLEST, SIDE)).encode())
    for name in PHOTOGRAPHS:
        digest.update(photograph(name).tobytes())
    return digest.hexdigest()


def _square(image: Image.Image, size: float, across: float, down: float) -> Image.Image:
    side = min(image.size) * (SMALLEST + (1 - SMALLEST) * size)
    left, top = (image.width - side) * across, (image.height - side) * down
    box = (left, top, left + side, top + side)
    return image.resize((SIDE, SIDE), Image.Resampling.BICUBIC, box=box)
