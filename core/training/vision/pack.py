"""A small data folder for a machine that little can be sent to, under 40 MB.

    python -m core.training.vision.pack --data DIR --out .cache/training/photos-packed

The folder that comes out is a data folder like the one that went in: give it as `--data`
to mae_mini, vit_mini and swin_mini. Training photographs become squares of 128 pixels, what
the recipes would make of them anyway; held-out ones stay as they are, byte for byte, so every
evaluation tells the same figures there and here.
"""

import argparse
import logging
import sys
import tarfile
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from core.errors import InputError
from core.trace.whole_file import write_whole
from core.training.common.datafiles import data_folder
from core.training.vision.photos import ARCHIVES, Photo, read_archive
from core.training.vision.prepare import square

QUALITY = 80  # of the JPEG files
log = logging.getLogger("pack")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Make a small data folder of the photographs.")
    parser.add_argument("--data", type=Path, required=True, help="folder with images/")
    parser.add_argument("--out", type=Path, required=True, help="the new folder")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    try:
        pack(options.data, options.out)
    except InputError as error:
        log.error("%s", error)
        return 1
    return 0


def pack(data: Path, out: Path) -> None:
    """Write both archives anew. Raises InputError."""
    folder = data_folder(data, needs=ARCHIVES)
    if out.resolve() == folder.resolve():
        raise InputError(f"--out {out} is the data folder itself; give another one")
    for name in ARCHIVES:
        write_whole(out / name, lambda file, name=name: _rewrite(folder / name, file))
        log.info("%s: %.1f MB", out / name, (out / name).stat().st_size / 1e6)


def _rewrite(source: Path, file: BinaryIO) -> None:
    with tarfile.open(fileobj=file, mode="w:gz") as archive:  # headers shrink, photographs don't
        for photo in read_archive(source):
            content = photo.content if photo.held_out else _small(photo)
            member = tarfile.TarInfo(photo.name)
            member.size = len(content)
            archive.addfile(member, BytesIO(content))


def _small(photo: Photo) -> bytes:
    content = BytesIO()
    square(photo.picture()).save(content, "JPEG", quality=QUALITY, optimize=True)
    return content.getvalue()


if __name__ == "__main__":
    sys.exit(main())
