"""Sentence pairs as token ids: parted by English sentence, encoded once, kept."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Int, UInt16
from tokenizers import Tokenizer

from core.errors import InputError
from core.training.common.cache_dir import cached_folder
from core.training.common.datafiles import data_folder, read_table
from core.training.translation.tokenizer import train_tokenizer

PAIRS_FILE = "translation/tatoeba-en-de.tsv.xz"
HELD_OUT_SHARE = 100  # one English sentence in so many is never trained on
HELD_OUT_REMAINDER = 7
AT_ONCE = 50_000  # sentences encoded together


@dataclass(frozen=True, slots=True, eq=False)
class Sentences:
    """Sentence i is tokens[ends[i]:ends[i+1]]; the last token of each is </s>."""

    tokens: UInt16[np.ndarray, " token"]
    ends: Int[np.ndarray, " end"]

    def __len__(self) -> int:
        return len(self.ends) - 1

    @property
    def lengths(self) -> Int[np.ndarray, " sentence"]:
        return np.diff(self.ends)

    def save(self, path: Path) -> None:
        np.savez(path, tokens=self.tokens, ends=self.ends)

    @classmethod
    def open(cls, path: Path) -> "Sentences":
        """What `save` wrote."""
        with np.load(path) as saved:
            return cls(saved["tokens"], saved["ends"])

    def padded(
        self, indices: Int[np.ndarray, " row"], width: int, fill: int
    ) -> Int[np.ndarray, "row token"]:
        """These sentences as rows, filled up to `width`."""
        rows = np.full((len(indices), width), fill, dtype=np.int64)
        for row, index in zip(rows, indices, strict=True):
            sentence = self.tokens[self.ends[index] : self.ends[index + 1]]
            row[: len(sentence)] = sentence
        return rows


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Sentence i of one language means sentence i of the other."""

    english: Sentences
    german: Sentences


@dataclass(frozen=True, slots=True)
class Question:
    """A held-out English sentence with all its German translations."""

    english: str
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """All that the training reads."""

    tokenizer: Tokenizer
    training: Pairs
    held_out: tuple[Question, ...]


def is_held_out(english: str) -> bool:
    """Drawn by the English sentence, so that all its translations are on the same side."""
    return zlib.crc32(english.encode()) % HELD_OUT_SHARE == HELD_OUT_REMAINDER


def read_pairs(data: Path) -> list[tuple[str, str]]:
    """(English, German), held-out ones included, in the file's order."""
    folder = data_folder(data, needs=(PAIRS_FILE,))
    return [(row[0], row[1]) for row in read_table(folder / PAIRS_FILE, columns=2)]


def held_out_questions(pairs: Sequence[tuple[str, str]]) -> tuple[Question, ...]:
    references: dict[str, list[str]] = {}
    for english, german in pairs:
        if is_held_out(english):
            references.setdefault(english, []).append(german)
    if not references:
        raise InputError(f"{PAIRS_FILE} has too few sentences to hold any out; give more")
    return tuple(Question(english, tuple(found)) for english, found in references.items())


def encode(tokenizer: Tokenizer, sentences: Sequence[str]) -> Sentences:
    pieces: list[list[int]] = []
    for start in range(0, len(sentences), AT_ONCE):
        batch = tokenizer.encode_batch_fast(list(sentences[start : start + AT_ONCE]))
        pieces.extend(encoding.ids for encoding in batch)
    tokens = np.fromiter((i for piece in pieces for i in piece), dtype=np.uint16)
    ends = np.concatenate([[0], np.cumsum([len(piece) for piece in pieces], dtype=np.int64)])
    return Sentences(tokens, ends)


def prepare(data: Path, cache: Path, *, vocabulary_size: int) -> Prepared:
    """Make or reopen the cached vocabulary and pairs of this very data file."""
    pairs = read_pairs(data)
    held_out = held_out_questions(pairs)
    training = [pair for pair in pairs if not is_held_out(pair[0])]
    sides = [english for english, _ in training], [german for _, german in training]

    def fill(target: Path) -> None:
        made = train_tokenizer((text for side in sides for text in side), size=vocabulary_size)
        for name, side in zip(("english", "german"), sides, strict=True):
            encode(made, side).save(target / f"{name}.npz")
        made.save(str(target / "tokenizer.json"))

    size = (data / PAIRS_FILE).stat().st_size
    key = zlib.crc32(repr((size, vocabulary_size, HELD_OUT_SHARE)).encode())
    folder = cached_folder(cache / f"data-{key:08x}", fill)
    english, german = (Sentences.open(folder / f"{name}.npz") for name in ("english", "german"))
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    return Prepared(tokenizer, Pairs(english, german), held_out)
