"""One word axis for models with different tokenizers: what stands between white space.

Words of `core.explain.attention.merge_words` are each tokenizer's own ("didn't" is one, two or
three of them); white space is the same for all, so maps of two models can stand on one axis.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import regex
from jaxtyping import Float32

from core.explain.attention.merge_words import Words, merge_words
from core.trace import Encoding, read_only


@dataclass(frozen=True, slots=True, eq=False)
class SharedWords:
    """A text's words, and which of them each encoding's tokens belong to."""

    labels: tuple[str, ...]
    by_encoding: tuple[Words, ...]  # the labels, and one more for special tokens where there are


@dataclass(frozen=True, slots=True, eq=False)
class WordMap:
    """A map between words; what went to special tokens is left out and told."""

    weights: Float32[np.ndarray, "word word"]
    special_mass: Float32[np.ndarray, " word"]


def shared_words(text: str, encodings: Sequence[Encoding]) -> SharedWords | None:
    """The words of one text for each of its encodings.

    None where an encoding has no places in the text, or leaves a word without a token.
    """
    spans = [match.span() for match in regex.finditer(r"\S+", text)]
    starts = np.array([start for start, _ in spans])
    labels = tuple(text[start:end] for start, end in spans)
    found: list[Words] = []
    for encoding in encodings:
        ends = encoding.offsets[:, 1]
        if (ends < 0).any():
            return None
        # by its last character: a byte-level token owns the space before its word
        of_token = np.maximum(0, np.searchsorted(starts, ends - 1, side="right") - 1)
        special = encoding.special | (ends == 0)
        of_token = np.where(special, len(labels), of_token)
        if set(range(len(labels))) - set(of_token.tolist()):
            return None
        own = (*labels, "") if special.any() else labels
        found.append(Words(own, of_token.astype(np.int64)))
    return SharedWords(labels, tuple(found))


def word_map(weights: Float32[np.ndarray, "token token"], words: Words, n_words: int) -> WordMap:
    """One head's (or a mean's) map between the first `n_words` words."""
    merged = merge_words(weights[None], queries=words, keys=words)[0]
    return WordMap(
        weights=read_only(merged[:n_words, :n_words]),
        special_mass=read_only(merged[:n_words, n_words:].sum(axis=1)),
    )
