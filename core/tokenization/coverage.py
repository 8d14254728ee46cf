"""Why subwords: what a vocabulary of whole words can't say, at every size.

A word-level model knows the n most frequent words of its training text. Everything else is
[UNK], and "dog", "dog!" and " dog" are three words unless something makes them one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import regex

from core.errors import InputError
from core.tokenization.bpe.training import BPETraining
from core.tokenization.corpus import WordCounts
from core.tokenization.spans import TextTokenizer


@dataclass(frozen=True, slots=True)
class CoveragePoint:
    """A word vocabulary of one size, on a text."""

    vocabulary_size: int
    coverage: float
    """Share of the running words that are in the vocabulary."""
    unknown_words: int
    """Distinct words that are not."""
    unknown_running: int
    """Running words that are not."""


@dataclass(frozen=True, slots=True)
class SizePoint:
    """A BPE vocabulary of one size, on its training corpus."""

    vocabulary_size: int
    n_merges: int
    corpus_length: int
    """Tokens in the running text."""
    tokens_per_word: float
    compression: float
    """Initial symbols that a token stands for."""


@dataclass(frozen=True, slots=True)
class WordForm:
    """One way a word is written in a text, with its number in a word-level vocabulary."""

    form: str
    count: int
    tokens: tuple[str, ...]


def word_coverage(
    training: WordCounts, test: WordCounts | None = None, sizes: Sequence[int] | None = None
) -> tuple[CoveragePoint, ...]:
    """Coverage of a text by the most frequent words of the training text, for some sizes.

    Without a test text the training text itself is covered. Sizes default to 1, 2, 5, 10 …
    up to all words.
    """
    order = training.most_frequent(len(training.words))
    place = {training.words[index]: rank for rank, index in enumerate(order)}
    measured = training if test is None else test
    n_words = len(training.words)
    ranks = np.asarray([place.get(word, n_words) for word in measured.words], dtype=np.int64)
    counts = np.asarray(measured.counts, dtype=np.int64)
    total = int(counts.sum())
    points: list[CoveragePoint] = []
    for size in _sizes(n_words) if sizes is None else sizes:
        if size < 0:
            raise InputError(f"A vocabulary of {size} words: sizes start at 0.")
        unknown = ranks >= min(size, n_words)
        running = int(counts[unknown].sum())
        points.append(
            CoveragePoint(size, 1 - running / total, int(np.count_nonzero(unknown)), running)
        )
    return tuple(points)


def size_trade_off(
    training: BPETraining, sizes: Sequence[int] | None = None
) -> tuple[SizePoint, ...]:
    """Corpus length and fertility against the number of merges."""
    lengths = training.corpus_lengths()
    words = training.corpus.total()
    merges = [0, *_sizes(len(training.steps))] if sizes is None else sizes
    points: list[SizePoint] = []
    for n_merges in merges:
        if not 0 <= n_merges < len(lengths):
            raise InputError(f"{n_merges} merges: this training has {len(lengths) - 1}.")
        length = lengths[n_merges]
        points.append(
            SizePoint(
                vocabulary_size=training.n_initial + n_merges,
                n_merges=n_merges,
                corpus_length=length,
                tokens_per_word=length / words,
                compression=lengths[0] / length,
            )
        )
    return tuple(points)


def word_forms(text: str, word: str, tokenizer: TextTokenizer) -> tuple[WordForm, ...]:
    """The category rule: all forms in which a word stands in a text (dog, dog!, ␣dog, Dog).

    A form is the word with the space before it and the marks that touch it. The tokens show
    which forms share a piece.
    """
    if not word.strip():
        raise InputError("Give a word to look for.")
    pattern = regex.compile(rf" ?[^\s\w]*(?i:{regex.escape(word)})[^\s\w]*(?!\w)")
    counts: dict[str, int] = {}
    for match in pattern.finditer(text, timeout=5.0):
        start = match.start()
        if start and text[start].isalnum() and text[start - 1].isalnum():
            continue
        counts[match.group()] = counts.get(match.group(), 0) + 1
    forms = sorted(counts, key=lambda form: -counts[form])
    return tuple(WordForm(form, counts[form], tokenizer.tokenize(form).tokens) for form in forms)


def _sizes(largest: int) -> list[int]:
    sizes: list[int] = []
    decade = 1
    while decade <= largest:
        sizes.extend(size for size in (decade, 2 * decade, 5 * decade) if size < largest)
        decade *= 10
    return [*sizes, largest] if largest else []
