"""Curves against the size of a vocabulary: words, pieces, letters; no Streamlit here."""

from dataclasses import dataclass

import numpy as np
import regex

from app.services import tokenizers
from app.services.tokenizers import Corpus
from core.errors import InputError
from core.tokenization import WordCounts, bpe
from core.tokenization.bpe import BPETraining
from core.tokenization.coverage import CoveragePoint, SizePoint, size_trade_off, word_coverage

MOST_MERGES = 8_000
MOST_TESTED = 2_000  # distinct held-out words that are cut at every size
MOST_SIZES = 14


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """What a vocabulary learned on one half of a corpus does with the other half."""

    train_words: int
    test_words: int
    words: tuple[CoveragePoint, ...]
    pieces: tuple["PiecePoint", ...]
    trade_off: tuple[SizePoint, ...]


@dataclass(frozen=True, slots=True)
class PiecePoint:
    """BPE of one size on the held-out half; its letters are the training half's."""

    vocabulary_size: int
    writable: float
    """Share of running words without an unknown letter."""
    whole: float
    """Share of running words that are one token."""
    tokens_per_word: float


def held_out(corpus: Corpus) -> HeldOut:
    """Split, count, train, and measure on the half that was not seen."""
    first, second = halves(corpus)
    training = tokenizers.train_bpe(dict(first), _merges_for(first), byte_level=False)
    train, test = training.corpus, WordCounts(tuple(second), tuple(second.values()))
    sizes = _sizes(len(training.merges))
    return HeldOut(
        train_words=train.total(),
        test_words=test.total(),
        words=word_coverage(train, test),
        pieces=tuple(_piece_point(training, test, size) for size in sizes),
        trade_off=size_trade_off(training),
    )


def halves(corpus: Corpus) -> tuple[dict[str, int], dict[str, int]]:
    """Every second sentence, or of counted words every second word, is held out."""
    if not isinstance(corpus, str):
        items = list(corpus.items())
        parts = dict(items[::2]), dict(items[1::2])
    else:
        sentences = regex.split(r"(?<=[.!?。！？])\s+|\n+", corpus)
        if len(sentences) < 2:
            sentences = corpus.split()
        parts = _counts(sentences[::2]), _counts(sentences[1::2])
    if not all(parts):
        raise InputError(
            "The corpus is too short to hold a half of it out. Give at least two words."
        )
    return parts


def _counts(sentences: list[str]) -> dict[str, int]:
    words: dict[str, int] = {}
    for sentence in sentences:
        for word in regex.findall(r"\w+|[^\w\s]+", sentence):
            words[word] = words.get(word, 0) + 1
    return words


def _merges_for(words: dict[str, int]) -> int:
    return min(MOST_MERGES, 4 * len(words))


def _sizes(n_merges: int) -> list[int]:
    if not n_merges:
        return [0]
    sizes: list[int] = np.unique(np.geomspace(1, n_merges, MOST_SIZES).astype(int)).tolist()
    return [0, *sizes]


def _piece_point(training: BPETraining, test: WordCounts, merges: int) -> PiecePoint:
    """Distinct words are cut once; of many, the most frequent stand for all."""
    tokenizer = bpe.from_training(training, merges)
    letters = frozenset(training.vocabulary[: training.n_initial])
    total = writable = whole = tokens = 0
    for index in test.most_frequent(MOST_TESTED):
        word, count = test.words[index], test.counts[index]
        n_tokens = len(bpe_cut(word, tokenizer))
        total += count
        tokens += count * n_tokens
        known = letters.issuperset(word)
        writable += count * known
        whole += count * (known and n_tokens == 1)
    return PiecePoint(
        vocabulary_size=training.n_initial + merges,
        writable=writable / total,
        whole=whole / total,
        tokens_per_word=tokens / total,
    )


def bpe_cut(word: str, tokenizer: bpe.BPETokenizer) -> tuple[str, ...]:
    """A word's tokens."""
    return tokenizer.tokenize(word).tokens
