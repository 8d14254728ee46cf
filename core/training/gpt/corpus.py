"""Text as three long rows of tokens, of Wikipedia, books and sentences; batches are cut out."""

import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

import numpy as np
from jaxtyping import Int, UInt16
from tokenizers import Tokenizer

from core.errors import InputError
from core.training.common.cache_dir import cached_folder
from core.training.common.datafiles import data_folder
from core.training.common.texts import (
    BOOKS_FILE,
    WIKI_FILE,
    held_out_articles,
    held_out_chapters,
    training_articles,
    training_chapters,
)
from core.training.gpt.tokenizer import END, train_tokenizer
from core.training.translation.english import PAIRS_FILES, training_sentences

NEEDS = (WIKI_FILE, BOOKS_FILE, *PAIRS_FILES)
BOOKS_SHARE = 0.15  # of the sequences; of the text it is an eighth
# Short everyday sentences, one after another; they are a thirtieth of the text.
SENTENCES_SHARE = 0.1
# So many sequences say one short piece of text over and over: in little time, a model finds
# the heads that look back for what followed (induction) only where that pays.
REPEATED_SHARE = 0.03
REPEATED = (16, 128)  # tokens, the piece's length
VOCABULARY_TEXT = 8  # one article in so many trains the vocabulary, and all chapters
DOCUMENTS_AT_ONCE = 500
TEXTS = ("wiki", "books", "sentences")
Tokens = UInt16[np.ndarray, "_"]


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """All that the training reads: documents end to end, <|endoftext|> before each, or its like."""

    tokenizer: Tokenizer
    wiki: Tokens
    books: Tokens
    sentences: Tokens  # each a document, in any order
    held_out: "HeldOut"


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Whole documents, as they are written."""

    wiki: tuple[str, ...]
    books: tuple[str, ...]


def as_text(document: tuple[str, ...]) -> str:
    """Paragraphs, a line each."""
    return "\n".join(document)


def read_held_out(data: Path) -> HeldOut:
    folder = data_folder(data, needs=NEEDS)
    return HeldOut(
        tuple(map(as_text, held_out_articles(folder))),
        tuple(map(as_text, held_out_chapters(folder))),
    )


def tokenise(
    documents: Iterable[tuple[str, ...]],
    tokenizer: Tokenizer,
    *,
    before: int = END,
    behind: int | None = None,
) -> Tokens:
    """Documents end to end, the id `before` each and `behind` it, where there is one."""
    after = () if behind is None else (behind,)
    pieces: list[Tokens] = []
    stream = iter(documents)
    while batch := [as_text(document) for document in islice(stream, DOCUMENTS_AT_ONCE)]:
        encoded = tokenizer.encode_batch_fast(batch, add_special_tokens=False)
        ids = chain.from_iterable(chain((before,), one.ids, after) for one in encoded)
        pieces.append(np.fromiter(ids, dtype=np.uint16))
    return np.concatenate(pieces) if pieces else np.zeros(0, dtype=np.uint16)


def batch(
    prepared: Prepared, shape: tuple[int, int], generator: np.random.Generator
) -> Int[np.ndarray, "sequence token"]:
    """Sequences from anywhere in the text, each one token longer than `shape` says."""
    rows, length = shape
    texts = (prepared.books, prepared.sentences, prepared.wiki)
    upto = np.cumsum((BOOKS_SHARE, SENTENCES_SHARE))
    ids = np.empty((rows, length + 1), dtype=np.int64)
    for row in ids:
        text = texts[int(np.searchsorted(upto, generator.random(), side="right"))]
        start = int(generator.integers(len(text) - length))
        repeats = generator.random() < REPEATED_SHARE
        own = min(int(generator.integers(*REPEATED)), length) if repeats else length + 1
        row[:] = np.resize(text[start : start + own], length + 1)
    return ids


def prepare(data: Path, cache: Path, *, vocabulary_size: int, longest: int) -> Prepared:
    """Make or reopen the cached vocabulary and tokens of these very data files."""
    return prepared_with(
        data,
        cache,
        lambda: train_tokenizer(_vocabulary_text(data), size=vocabulary_size),
        key=(vocabulary_size, VOCABULARY_TEXT),
        longest=longest,
    )


def prepared_with(
    data: Path,
    cache: Path,
    made_tokenizer: Callable[[], Tokenizer],
    *,
    key: tuple[object, ...],
    longest: int,
    before: int = END,
    behind: int | None = None,
) -> Prepared:
    """The texts in the tokens of `made_tokenizer`, which `key` names in the cache.

    longest: tokens that a sequence may have. Raises InputError where a text has no more.
    """
    held_out = read_held_out(data)

    def fill(target: Path) -> None:
        tokenizer = made_tokenizer()
        texts = (
            training_articles(data),
            training_chapters(data),
            _shuffled(training_sentences(data)),
        )
        for name, text in zip(TEXTS, texts, strict=True):
            np.save(target / f"{name}.npy", tokenise(text, tokenizer, before=before, behind=behind))
        tokenizer.save(str(target / "tokenizer.json"))

    sizes = [(name, (data / name).stat().st_size) for name in NEEDS]
    named = zlib.crc32(repr((sizes, *key)).encode())
    made = cached_folder(cache / f"data-{named:08x}", fill)
    texts: list[Tokens] = [np.load(made / f"{name}.npy", mmap_mode="r") for name in TEXTS]
    if min(map(len, texts)) <= longest:
        told = ", ".join(f"{name}: {len(text)}" for name, text in zip(TEXTS, texts, strict=True))
        raise InputError(
            f"{data} has too few tokens to train on ({told}); each needs more than {longest}: "
            "give --data with more text"
        )
    wiki, books, sentences = texts
    tokenizer = Tokenizer.from_file(str(made / "tokenizer.json"))
    return Prepared(tokenizer, wiki, books, sentences, held_out)


def _shuffled(sentences: list[str]) -> Iterator[tuple[str]]:
    """Each a document of its own, both files' mixed."""
    for place in np.random.default_rng(0).permutation(len(sentences)):
        yield (sentences[int(place)],)


def _vocabulary_text(folder: Path) -> Iterator[str]:
    yield from map(as_text, islice(training_articles(folder), 0, None, VOCABULARY_TEXT))
    yield from map(as_text, training_chapters(folder))
