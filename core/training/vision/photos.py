"""The photographs of the data folder, read from their archives one after the other.

Whether a photograph is held out follows from its name alone, so every recipe, every
evaluation and the packed folder (`core.training.vision.pack`) split them alike.
"""

import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, UnidentifiedImageError

from core.errors import InputError
from core.training.common.datafiles import data_folder
from core.training.vision.classes import LEFT_OUT, category_of, class_of

ARCHIVES: Final = ("images/caltech101-136.tar", "images/pets600-224.tar")
HELD_OUT_SHARE = 10  # one photograph in so many is never trained on
SUFFIX = ".jpg"


@dataclass(frozen=True, slots=True)
class Photo:
    """A file of an archive: its name there, and its bytes."""

    name: str
    content: bytes

    @property
    def label(self) -> int:
        """The index of its class in LABELS, or NO_CLASS."""
        return class_of(self.name)

    @property
    def held_out(self) -> bool:
        return is_held_out(self.name)

    def picture(self) -> Image.Image:
        """Decode it. Raises InputError if it is broken."""
        try:
            return Image.open(BytesIO(self.content)).convert("RGB")
        except (UnidentifiedImageError, OSError) as error:
            raise InputError(
                f"{self.name} can't be decoded ({error}); copy its archive again from its source"
            ) from error


def is_held_out(name: str) -> bool:
    return zlib.crc32(name.encode()) % HELD_OUT_SHARE == 0


def read_photos(data: Path) -> Iterator[Photo]:
    """All photographs but those of the categories left out. Raises InputError."""
    folder = data_folder(data, needs=ARCHIVES)
    for archive in ARCHIVES:
        yield from read_archive(folder / archive)


def read_archive(path: Path) -> Iterator[Photo]:
    """The photographs of one archive, plain or compressed."""
    try:
        with tarfile.open(path) as archive:
            for member in archive:
                if not _is_wanted(member.name):
                    continue
                file = archive.extractfile(member)
                if file is not None:
                    yield Photo(member.name, file.read())
            _require_end(archive)
    except (tarfile.TarError, EOFError, zlib.error) as error:
        reason = str(error).splitlines()[0].rstrip(":")
        raise InputError(
            f"{path} is a broken .tar archive ({reason}); copy it again from its source"
        ) from error


def _require_end(archive: tarfile.TarFile) -> None:
    """An archive cut off between two files reads as if it ended there: look for its last block."""
    archive.fileobj.seek(archive.offset)
    if len(archive.fileobj.read(tarfile.BLOCKSIZE)) < tarfile.BLOCKSIZE:
        raise tarfile.ReadError("it is cut off")


def _is_wanted(name: str) -> bool:
    return name.endswith(SUFFIX) and category_of(name) not in LEFT_OUT
