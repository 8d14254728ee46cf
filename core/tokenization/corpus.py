"""A corpus as trainers see it: its distinct words in order of first appearance, counted.

Counting words first is Sennrich et al.'s own device ("Neural Machine Translation of Rare
Words with Subword Units", ACL 2016, https://arxiv.org/abs/1508.07909, section 3.2): since
no merge crosses a border between words, a pair's count is the sum over distinct words.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import regex

from core.errors import InputError
from core.limits import CORPUS_CHARACTERS
from core.tokenization.pre_tokenizers import PreTokenizer

_LONE_SURROGATE: Final = regex.compile(r"[\uD800-\uDFFF]")


@dataclass(frozen=True, slots=True)
class WordCounts:
    """Distinct words, first seen first, and how often each occurs."""

    words: tuple[str, ...]
    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.words) != len(self.counts):
            raise ValueError(f"{len(self.words)} words but {len(self.counts)} counts")

    def total(self) -> int:
        """Words in the running text, repetitions included."""
        return sum(self.counts)

    def most_frequent(self, limit: int) -> tuple[int, ...]:
        """Indices of the most frequent words, highest count first, then first seen."""
        counts = np.asarray(self.counts, dtype=np.int64)
        return tuple(int(index) for index in np.argsort(-counts, kind="stable")[:limit])


def count_words(corpus: str | Mapping[str, int], pre_tokenizer: PreTokenizer) -> WordCounts:
    """Count the words of a text, or take the counts that are given.

    A given {word: count} is not split again. InputError for a corpus without words, for
    lone surrogates (no UTF-8 can hold them) and for counts below one.
    """
    if isinstance(corpus, str):
        check_text(corpus)
        counted: Mapping[str, int] = Counter(pre_tokenizer.words(corpus))
        if not counted:
            raise InputError(
                f"The corpus has no words: {len(corpus)} characters came, and the pre-tokenizer "
                f"“{pre_tokenizer.title}” found nothing to keep. Give a text with some letters."
            )
    else:
        counted = corpus
        _check_counts(counted)
    return WordCounts(tuple(counted), tuple(counted.values()))


def check_text(text: str) -> None:
    """InputError for a text that is too long or that UTF-8 cannot hold."""
    if len(text) > CORPUS_CHARACTERS:
        raise InputError(
            f"The text has {len(text):,} characters; at most {CORPUS_CHARACTERS:,} are read. "
            "Take a part of it."
        )
    found = None if text.isascii() else _LONE_SURROGATE.search(text)
    if found:
        raise InputError(
            f"Character {found.start()} of the text is a lone surrogate "
            f"(U+{ord(found.group()):04X}): half of a character, which no UTF-8 can hold. "
            "Save the text again as UTF-8, or remove it."
        )


def _check_counts(counts: Mapping[str, int]) -> None:
    if not counts:
        raise InputError("The corpus has no words: give at least one word with its count.")
    for word, count in counts.items():
        if not word:
            raise InputError("The corpus counts an empty word: every word needs a letter.")
        if count < 1:
            raise InputError(f"The word {word!r} has the count {count}; counts start at 1.")
    check_text("".join(counts))
