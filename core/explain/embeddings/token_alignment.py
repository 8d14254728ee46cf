"""One axis for models with different tokenizers, so that maps of two models can be laid together.

Words of `core.explain.attention.merge_words` are each tokenizer's own ("didn't" is one, two or
three of them). White space is the same for all; finer than that are the shortest stretches of
characters that no model's token crosses.
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
    left_out: tuple[str, ...] = ()  # stretches for which an encoding has no token


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
    labels = tuple(text[start:end] for start, end in spans)
    found: list[Words] = []
    for encoding in encodings:
        words = words_at(spans, labels, encoding)
        if words is None:
            return None
        found.append(words)
    return SharedWords(labels, tuple(found))


def words_at(
    spans: Sequence[tuple[int, int]], labels: tuple[str, ...], encoding: Encoding
) -> Words | None:
    """These words of a text, and one more, named "", for special tokens where there are any.

    spans: characters [start, end) of each. None where the encoding has no places in the text, or
    leaves a word without a token.
    """
    ends = encoding.offsets[:, 1]
    if (ends < 0).any():
        return None
    starts = np.array([start for start, _ in spans])
    # by its last character: a byte-level token owns the space before its word
    of_token = np.maximum(0, np.searchsorted(starts, ends - 1, side="right") - 1)
    special = encoding.special | (ends == 0)
    of_token = np.where(special, len(labels), of_token)
    if set(range(len(labels))) - set(of_token.tolist()):
        return None
    own = (*labels, "") if special.any() else labels
    return Words(own, of_token.astype(np.int64))


def shared_stretches(text: str, encodings: Sequence[Encoding]) -> SharedWords | None:
    """The shortest stretches of characters that consist of whole tokens in every encoding.

    "didn't" as didn · ' · t in one and as didn · 't in another gives didn and 't. What some
    encoding has no token for is left out and named; its tokens elsewhere count as special ones.

    None where an encoding has no places in the text, or nothing is left.
    """
    spans = [_bare_spans(text, encoding) for encoding in encodings]
    if any((encoding.offsets < 0).any() for encoding in encodings):
        return None
    within = np.zeros(len(text) + 1, dtype=bool)  # a token goes on over the start of a character
    for start, end in np.concatenate(spans):
        within[start + 1 : end] = True
    begins = [i for i, sign in enumerate(text) if not within[i] and not sign.isspace()]
    ends = [
        next((i for i in range(start + 1, len(text)) if not within[i]), len(text))
        for start in begins
    ]
    owners = [
        _owners(np.array(begins), found, encoding)
        for found, encoding in zip(spans, encodings, strict=True)
    ]
    kept = [i for i in range(len(begins)) if all(i in of_token for of_token in owners)]
    if not kept:
        return None
    labels = tuple(text[begins[i] : ends[i]] for i in kept)
    place = np.full(len(begins) + 1, len(kept))  # the last: special tokens'
    place[kept] = np.arange(len(kept))
    by_encoding = tuple(
        Words((*labels, "") if (place[of_token] == len(kept)).any() else labels, place[of_token])
        for of_token in owners
    )
    left_out = tuple(text[begins[i] : ends[i]] for i in range(len(begins)) if i not in kept)
    return SharedWords(labels, by_encoding, left_out)


def _bare_spans(text: str, encoding: Encoding) -> np.ndarray:
    """(token, 2): the characters [start, end) of each, without the white space around them."""
    spans: list[tuple[int, int]] = []
    for start, end in encoding.offsets.tolist():
        written = text[max(start, 0) : max(end, 0)]
        lead = len(written) - len(written.lstrip())
        spans.append((start + lead, start + max(lead, len(written.rstrip()))))
    return np.array(spans, dtype=np.int64).reshape(-1, 2)


def _owners(begins: np.ndarray, spans: np.ndarray, encoding: Encoding) -> np.ndarray:
    """(token,): the stretch that each belongs to, or as many as there are for none.

    A token of white space alone belongs to what follows it.
    """
    empty = spans[:, 0] == spans[:, 1]
    inside = np.searchsorted(begins, spans[:, 0], side="right") - 1
    after = np.searchsorted(begins, spans[:, 1], side="left")
    owner = np.where(empty, after, inside)
    return np.where(encoding.special, len(begins), owner).astype(np.int64)


def word_map(weights: Float32[np.ndarray, "token token"], words: Words, n_words: int) -> WordMap:
    """One head's (or a mean's) map between the first `n_words` words."""
    merged = merge_words(weights[None], queries=words, keys=words)[0]
    return WordMap(
        weights=read_only(merged[:n_words, :n_words]),
        special_mass=read_only(merged[:n_words, n_words:].sum(axis=1)),
    )
