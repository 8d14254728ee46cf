"""Text as one long array of token ids that knows its sentences and documents.

Tokenised once, kept as memory-mapped arrays in an ignored cache folder.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from jaxtyping import Int, UInt16
from tokenizers import Tokenizer

from core.errors import InputError
from core.training.common.datafiles import read_documents
from core.training.common.texts import BOOKS_FILE, training_articles

DOCUMENTS_AT_ONCE = 2_000
LONGEST_SENTENCE = 100  # tokens; hardly any is longer
SENTENCE_END = re.compile(r"""(?<=[.!?])["')]*\s+(?=["'(]*[A-Z0-9])""")


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Sentence i is tokens[sentences[i]:sentences[i+1]]; document j likewise holds sentences."""

    tokens: UInt16[np.ndarray, " token"]
    sentences: Int[np.ndarray, " sentence_and_end"]
    documents: Int[np.ndarray, " document_and_end"]

    @property
    def n_sentences(self) -> int:
        return len(self.sentences) - 1

    @property
    def n_documents(self) -> int:
        return len(self.documents) - 1

    def span(self, first: int, end: int) -> UInt16[np.ndarray, " token"]:
        """The tokens of the sentences first … end − 1."""
        return self.tokens[self.sentences[first] : self.sentences[end]]


def split_sentences(paragraph: str) -> list[str]:
    """Cut after . ! ? where a capital or a digit follows. "A b. C d." -> ["A b.", "C d."]"""
    return SENTENCE_END.split(paragraph)


def training_documents(folder: Path) -> Iterator[tuple[str, ...]]:
    """All books and all but the held-out articles."""
    yield from training_articles(folder)
    yield from read_documents(folder / BOOKS_FILE)


def tokenise(documents: Iterable[tuple[str, ...]], tokenizer: Tokenizer) -> Corpus:
    """Tokenise sentence by sentence; empty sentences and documents are left out."""
    pieces: list[UInt16[np.ndarray, " token"]] = []
    sentence_lengths: list[int] = []
    document_lengths: list[int] = []
    stream = iter(documents)
    while batch := list(islice(stream, DOCUMENTS_AT_ONCE)):
        split = [[s for p in document for s in split_sentences(p)] for document in batch]
        encoded = tokenizer.encode_batch_fast(
            [sentence for document in split for sentence in document], add_special_tokens=False
        )
        lengths = iter([len(encoding.ids) for encoding in encoded])
        pieces.append(np.array([i for e in encoded for i in e.ids], dtype=np.uint16))
        for document in split:
            found = [n for n in islice(lengths, len(document)) if n]
            sentence_lengths.extend(found)
            document_lengths.extend([len(found)] if found else [])
    if not pieces:
        raise ValueError("no document came")
    return Corpus(np.concatenate(pieces), _ends(sentence_lengths), _ends(document_lengths))


def require_long_documents(corpus: Corpus, length: int) -> None:
    """Two documents must be long enough to fill a sequence: one for A, another for B."""
    longest = np.sort(np.diff(corpus.sentences[corpus.documents]))[-2:]
    if len(longest) < 2 or longest[0] <= length + LONGEST_SENTENCE:
        raise InputError(
            f"the text needs two documents of more than {length + LONGEST_SENTENCE} tokens; "
            f"the longest that came have {longest[::-1].tolist()}: give --data with more text"
        )


def save_corpus(corpus: Corpus, folder: Path) -> None:
    np.save(folder / "tokens.npy", corpus.tokens)
    np.save(folder / "sentences.npy", corpus.sentences)
    np.save(folder / "documents.npy", corpus.documents)


def open_corpus(folder: Path) -> Corpus:
    """Open the saved arrays; the tokens stay on disk until they are read."""
    return Corpus(
        np.load(folder / "tokens.npy", mmap_mode="r"),
        np.load(folder / "sentences.npy"),
        np.load(folder / "documents.npy"),
    )


def _ends(lengths: list[int]) -> Int[np.ndarray, " end"]:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
