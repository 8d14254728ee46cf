"""Reading the training data: what is wrong with a folder or an archive is said plainly.

The data are not part of the project; each recipe takes their folder as `--data`.
Its layout: text/wiki-en.txt.xz, text/books-en.txt.xz, facts/facts.tsv.xz, facts/patterns.tsv, …
"""

import lzma
from collections.abc import Iterator
from pathlib import Path

from core.errors import InputError


def data_folder(path: str | Path, *, needs: tuple[str, ...]) -> Path:
    """Check that the folder is there and holds the files a recipe needs."""
    folder = Path(path)
    if not folder.is_dir():
        raise InputError(f"--data {folder} is not a folder; give the folder that holds {needs[0]}")
    missing = [name for name in needs if not (folder / name).is_file()]
    if missing:
        raise InputError(
            f"--data {folder} lacks {', '.join(missing)}; "
            f"give the folder that holds all of {', '.join(needs)}"
        )
    return folder


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a text file, plain or .xz, without their line ends."""
    opener = lzma.open if path.suffix == ".xz" else open
    try:
        with opener(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                yield line.rstrip("\n")
    except (lzma.LZMAError, EOFError) as error:
        raise InputError(
            f"{path} is a broken .xz archive ({error}); copy it again from its source"
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text ({error.reason}); copy it again") from error


def read_documents(path: Path) -> Iterator[tuple[str, ...]]:
    """Documents as tuples of paragraphs; blank lines part them, `= Title =` lines are left out."""
    paragraphs: list[str] = []
    for line in read_lines(path):
        if line and not (line.startswith("= ") and line.endswith(" =")):
            paragraphs.append(line)
        elif not line and paragraphs:
            yield tuple(paragraphs)
            paragraphs = []
    if paragraphs:
        yield tuple(paragraphs)


def read_table(path: Path, *, columns: int) -> Iterator[tuple[str, ...]]:
    """The rows of a tab-separated file, each with exactly so many columns."""
    for number, line in enumerate(read_lines(path), start=1):
        row = tuple(line.split("\t"))
        if len(row) != columns:
            raise InputError(
                f"{path}, line {number}: {len(row)} columns came, {columns} are expected; "
                "copy the file again from its source"
            )
        yield row
