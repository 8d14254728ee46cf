"""Merge word pieces to words: mean over query pieces, sum over key pieces.

Clark et al. 2019, https://arxiv.org/abs/1906.04341, section 4.1: attention *to* a split
word is the sum over its pieces, attention *from* it the mean; rows still sum to one.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32, Int64

from core.trace import Encoding, read_only

PIECE_MARKS = ("##", "Ġ", "▁")


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The words of a token sequence; a special token is a word of its own."""

    labels: tuple[str, ...]
    of_token: Int64[np.ndarray, " token"]  # which word each token belongs to

    def __len__(self) -> int:
        return len(self.labels)

    def first_token(self, word: int) -> int:
        return int(np.flatnonzero(self.of_token == word)[0])


def words_of(encoding: Encoding) -> Words:
    """Group neighbouring tokens of the same word of the same sentence."""
    of_token: list[int] = []
    pieces: list[list[str]] = []
    previous: tuple[int, int] | None = None
    for position, token in enumerate(encoding.tokens):
        place = (int(encoding.segments[position]), int(encoding.words[position]))
        if place != previous or place[1] < 0:
            pieces.append([])
        pieces[-1].append(token)
        of_token.append(len(pieces) - 1)
        previous = place
    labels = tuple(_joined(group) for group in pieces)
    return Words(labels, np.array(of_token, dtype=np.int64))


def merge_words(
    maps: Float32[np.ndarray, "map query key"], *, queries: Words, keys: Words
) -> Float32[np.ndarray, "map query_word key_word"]:
    """Maps between words instead of tokens."""
    by_key = np.zeros((len(keys.of_token), len(keys)), dtype=np.float32)
    by_key[np.arange(len(keys.of_token)), keys.of_token] = 1  # (key, key_word): membership
    by_query = np.zeros((len(queries), len(queries.of_token)), dtype=np.float32)
    by_query[queries.of_token, np.arange(len(queries.of_token))] = 1
    merged = by_query @ maps @ by_key
    counts = np.bincount(queries.of_token, minlength=len(queries)).astype(np.float32)
    return read_only(merged / counts[:, None])


def _joined(pieces: list[str]) -> str:
    """The pieces as one label, markers between them dropped, the first one's kept."""
    rest = pieces[1:]
    for mark in PIECE_MARKS:
        rest = [piece.removeprefix(mark) for piece in rest]
    return pieces[0] + "".join(rest)
