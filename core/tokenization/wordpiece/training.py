"""WordPiece, trained: merge the pair that raises the likelihood of the corpus most.

Schuster & Nakajima, "Japanese and Korean Voice Search", ICASSP 2012, section 3. Google never
published its trainer. The score count(ab) / (count(a) · count(b)) is the usual reading of the
paper (Hugging Face course, chapter 6); Hugging Face tokenizers itself trains by frequency,
which is BPE with ## before letters inside a word. Both are here, under their names.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from jaxtyping import Int64

from core.errors import InputError
from core.long_work import Progress, Report
from core.tokenization.bpe.selection import PairChooser
from core.tokenization.bpe.settings import check_numbers, pre_tokenizer_for
from core.tokenization.bpe.tie_rules import TieRule, TokenNames
from core.tokenization.corpus import WordCounts, count_words
from core.tokenization.merge_log import MergeLog, freeze_log
from core.tokenization.pair_index import PairIndex
from core.tokenization.pre_tokenizers import PreTokenizer
from core.tokenization.symbols import Marking, build_row
from core.tokenization.wordpiece.encoding import PREFIX


class Score(StrEnum):
    """What makes a pair the best one."""

    LIKELIHOOD = "likelihood"
    """count(ab) / (count(a) · count(b)); among equals the one first seen."""
    FREQUENCY = "frequency"
    """count(ab), the same rule as Hugging Face's trainer, whose own runs differ where pairs tie;
    among equals the smallest ids."""


@dataclass(frozen=True, slots=True)
class WordPieceStep:
    """One merge: its counts, and the score they come to."""

    rank: int
    pair: tuple[str, str]
    token: str
    count: int
    left_count: int
    right_count: int
    score: float
    n_tied: int
    vocabulary_size: int
    corpus_length: int


@dataclass(frozen=True, slots=True, eq=False)
class WordPieceTraining:
    """A finished training; only the vocabulary serves the encoder."""

    vocabulary: tuple[str, ...]
    steps: tuple[WordPieceStep, ...]
    score: Score
    corpus: WordCounts
    initial_length: int
    log: MergeLog = field(repr=False)

    def ids(self, upto: int | None = None) -> dict[str, int]:
        """Token to id after `upto` merges (all if None)."""
        size = len(self.vocabulary)
        if upto is not None:
            size = size - len(self.steps) + min(max(upto, 0), len(self.steps))
        return {token: number for number, token in enumerate(self.vocabulary[:size])}

    def words_at(self, step: int, limit: int = 50) -> tuple[tuple[str, int, tuple[str, ...]], ...]:
        """The most frequent words, their counts, and how they are cut after `step` merges."""
        if not 0 <= step <= len(self.steps):
            raise InputError(
                f"There is no state after {step} merges: this training has {len(self.steps)}."
            )
        frequent: list[int] = self.log.by_frequency[:limit].tolist()
        return tuple(
            (
                self.corpus.words[index],
                self.corpus.counts[index],
                tuple(self.vocabulary[token] for token in self.log.word_tokens(index, step)),
            )
            for index in frequent
        )


def train(
    corpus: str | Mapping[str, int],
    n_merges: int,
    score: str = "likelihood",
    *,
    pre_tokenizer: str | PreTokenizer | None = "words-and-punctuation",
    min_frequency: int = 1,
    on_progress: Report | None = None,
) -> WordPieceTraining:
    """Learn up to `n_merges` tokens beyond the letters, from a text or {word: count}.

    InputError as in `bpe.train`, and for an unknown score.
    """
    check_numbers(n_merges, min_frequency)
    words = count_words(corpus, pre_tokenizer_for(pre_tokenizer, byte_level=False))
    return train_words(
        words,
        n_merges,
        _score_named(score),
        min_frequency=min_frequency,
        on_progress=on_progress,
    )


def train_words(
    words: WordCounts,
    n_merges: int,
    score: Score,
    *,
    min_frequency: int = 1,
    on_progress: Report | None = None,
) -> WordPieceTraining:
    """Train on words that are counted already."""
    row = build_row(words, Marking.CONTINUING, PREFIX)
    index = PairIndex(row)
    initial_length = index.length
    names, sizes = list(row.alphabet), [1] * len(row.alphabet)
    rule = TieRule.FIRST_SEEN if score is Score.LIKELIHOOD else TieRule.SMALLEST_IDS
    chooser = PairChooser(index, rule, TokenNames(names, sizes, byte_level=False))
    token_counts = np.zeros(len(names) + n_merges, dtype=np.int64)
    inside = row.symbols >= 0
    np.add.at(token_counts, row.symbols[inside], row.frequencies[row.word_of[inside]])
    steps: list[WordPieceStep] = []
    merged: list[int] = []
    for number in range(n_merges):
        if score is Score.LIKELIHOOD:
            tied = _most_likely(index, token_counts, min_frequency)
        else:
            best, tied = chooser.most_frequent()
            tied = tied if best >= min_frequency else tied[:0]
        if not len(tied):
            break
        slot = chooser.choose(tied)
        left, right = int(index.left.view[slot]), int(index.right.view[slot])
        count = int(index.counts.view[slot])
        counts = int(token_counts[left]), int(token_counts[right])
        names.append(names[left] + names[right].removeprefix(PREFIX))
        sizes.append(sizes[left] + sizes[right])
        merged.append(slot)
        replacements = index.merge(slot)
        token_counts[left] -= replacements
        token_counts[right] -= replacements
        token_counts[len(names) - 1] = replacements
        steps.append(
            WordPieceStep(
                rank=number,
                pair=(names[left], names[right]),
                token=names[-1],
                count=count,
                left_count=counts[0],
                right_count=counts[1],
                score=count / (counts[0] * counts[1]),
                n_tied=len(tied),
                vocabulary_size=len(names),
                corpus_length=index.length,
            )
        )
        if on_progress and number % 64 == 0:
            on_progress(Progress("merging", number, n_merges))
    return WordPieceTraining(
        vocabulary=tuple(names),
        steps=tuple(steps),
        score=score,
        corpus=words,
        initial_length=initial_length,
        log=freeze_log(index, row, sizes, merged),
    )


def _most_likely(
    index: PairIndex, token_counts: Int64[np.ndarray, " token"], min_frequency: int
) -> Int64[np.ndarray, " tied"]:
    slots = 1 + np.flatnonzero(index.counts.view[1:] >= min_frequency)
    if not len(slots):
        return slots
    left = token_counts[index.left.view[slots]]
    right = token_counts[index.right.view[slots]]
    scores = index.counts.view[slots] / (left * right)
    return slots[scores == scores.max()]


def _score_named(name: str) -> Score:
    try:
        return Score(name)
    except ValueError as error:
        allowed = ", ".join(Score)
        raise InputError(f"There is no score called {name!r}; there are {allowed}.") from error
