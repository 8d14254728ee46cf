"""The running text that the language models read, and which documents are held out."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from core.training.common.datafiles import read_documents

WIKI_FILE = "text/wiki-en.txt.xz"
BOOKS_FILE = "text/books-en.txt.xz"
HELD_OUT_SHARE = 200  # one Wikipedia article in so many is never trained on
CHAPTER_SHARE = 40  # and one chapter of the books, where a recipe holds out any


def training_articles(folder: Path) -> Iterator[tuple[str, ...]]:
    """All but the held-out Wikipedia articles."""
    for number, document in enumerate(read_documents(folder / WIKI_FILE)):
        if number % HELD_OUT_SHARE:
            yield document


def held_out_articles(folder: Path) -> Iterator[tuple[str, ...]]:
    yield from islice(read_documents(folder / WIKI_FILE), 0, None, HELD_OUT_SHARE)


def training_chapters(folder: Path) -> Iterator[tuple[str, ...]]:
    """All but the held-out chapters of the books."""
    for number, document in enumerate(read_documents(folder / BOOKS_FILE)):
        if number % CHAPTER_SHARE:
            yield document


def held_out_chapters(folder: Path) -> Iterator[tuple[str, ...]]:
    yield from islice(read_documents(folder / BOOKS_FILE), 0, None, CHAPTER_SHARE)
