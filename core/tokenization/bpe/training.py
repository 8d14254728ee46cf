"""Byte-pair encoding, trained: count neighbouring pairs, merge the most frequent, repeat.

Sennrich, Haddow & Birch, "Neural Machine Translation of Rare Words with Subword Units",
ACL 2016, https://arxiv.org/abs/1508.07909, algorithm 1. After Gage, "A New Algorithm for
Data Compression", 1994. Byte-level: Radford et al. 2019 (GPT-2).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.errors import InputError
from core.long_work import Progress, Report
from core.tokenization.bpe.selection import PairChooser
from core.tokenization.bpe.settings import (
    BPESettings,
    StopReason,
    check_numbers,
    marking_for,
    pre_tokenizer_for,
    tie_rule_named,
)
from core.tokenization.bpe.state import BPEState, MergeStep
from core.tokenization.bpe.tie_rules import TokenNames
from core.tokenization.corpus import WordCounts, count_words
from core.tokenization.merge_log import MergeLog, freeze_log, log_bytes
from core.tokenization.pair_index import PairIndex
from core.tokenization.pre_tokenizers import PreTokenizer
from core.tokenization.symbols import Marking, build_row

Pair = tuple[str, str]

_PROGRESS_EVERY = 64
"""Merges between two reports."""


@dataclass(frozen=True, slots=True, eq=False)
class BPETraining:
    """A finished training: its merges in order, and the corpus after any number of them."""

    merges: tuple[Pair, ...]
    vocabulary: tuple[str, ...]
    """All tokens, the initial symbols first; a token's id is its place here."""
    steps: tuple[MergeStep, ...]
    stopped: StopReason
    settings: BPESettings
    corpus: WordCounts
    initial_length: int
    """Symbols in the running text before any merge."""
    log: MergeLog = field(repr=False)

    @property
    def n_initial(self) -> int:
        """Number of initial symbols; merge k makes the token with id n_initial + k."""
        return len(self.vocabulary) - len(self.merges)

    def state_at(self, step: int) -> BPEState:
        """The corpus after `step` merges, 0 for none, exact in either direction."""
        if not 0 <= step <= len(self.steps):
            raise InputError(
                f"There is no state after {step} merges: this training has {len(self.steps)}."
            )
        return BPEState(
            step=step,
            corpus_length=self.steps[step - 1].corpus_length if step else self.initial_length,
            vocabulary=self.vocabulary[: self.n_initial + step],
            n_initial=self.n_initial,
            settings=self.settings,
            corpus=self.corpus,
            log=self.log,
        )

    def corpus_lengths(self) -> tuple[int, ...]:
        """Tokens in the running text after 0, 1, 2, … merges: the compression curve."""
        return (self.initial_length, *(step.corpus_length for step in self.steps))

    def memory(self) -> int:
        """Bytes that the event log holds."""
        return log_bytes(self.log)


def train(
    corpus: str | Mapping[str, int],
    n_merges: int,
    tie_rule: str = "first-seen",
    end_of_word: str | None = "</w>",
    glued: bool = False,
    byte_level: bool = False,
    pre_tokenizer: str | PreTokenizer | None = None,
    min_frequency: int = 1,
    max_token_length: int | None = None,
    *,
    alphabet: Sequence[str] | None = None,
    forced: Mapping[int, Pair] | None = None,
    on_progress: Report | None = None,
) -> BPETraining:
    """Learn up to `n_merges` merges from a text or from {word: count}.

    The end-of-word marker is a symbol of its own (Sennrich et al. 2016) or, glued, part of
    the last letter (subword-nmt since 0.2). Byte-level training takes none, for its words
    carry the space before them. A pair must occur `min_frequency` times, and its token have
    at most `max_token_length` of the symbols that words start from. `alphabet` fixes the
    ids of the initial symbols. `forced` maps merge numbers, from 0, to pairs that are
    taken there whatever their count. An exception in `on_progress` ends the training.

    InputError for a corpus without words, for lone surrogates, a word that holds the
    marker, a pattern that takes too long, and a forced pair that does not occur.
    """
    check_numbers(n_merges, min_frequency, max_token_length)
    marking = Marking.NONE if byte_level else marking_for(end_of_word, glued=glued)
    settings = BPESettings(
        n_merges=n_merges,
        tie_rule=tie_rule_named(tie_rule),
        marking=marking,
        marker=(end_of_word or "") if marking is not Marking.NONE else "",
        byte_level=byte_level,
        pre_tokenizer=pre_tokenizer_for(pre_tokenizer, byte_level=byte_level),
        min_frequency=min_frequency,
        max_token_length=max_token_length,
    )
    if on_progress:
        on_progress(Progress("counting words", 0, 1))
    words = count_words(corpus, settings.pre_tokenizer)
    return train_words(words, settings, alphabet=alphabet, forced=forced, on_progress=on_progress)


def train_words(
    words: WordCounts,
    settings: BPESettings,
    *,
    alphabet: Sequence[str] | None = None,
    forced: Mapping[int, Pair] | None = None,
    on_progress: Report | None = None,
) -> BPETraining:
    """Train on words that are counted already, with settings that are checked."""
    row = build_row(
        words,
        settings.marking,
        settings.marker,
        byte_level=settings.byte_level,
        alphabet=alphabet,
    )
    index = PairIndex(row, longest=settings.max_token_length)
    initial_length = index.length
    strings, sizes = list(row.alphabet), [1] * len(row.alphabet)
    chooser = PairChooser(index, settings.tie_rule, TokenNames(strings, sizes, settings.byte_level))
    steps: list[MergeStep] = []
    merged: list[int] = []
    stopped = StopReason.AS_MANY_AS_ASKED
    for number in range(settings.n_merges):
        best, tied = chooser.most_frequent()
        if forced and number in forced:
            slot = _slot_of(index, strings, forced[number], number)
            is_forced, n_tied = True, 1
        elif best < settings.min_frequency:
            stopped = StopReason.TOO_RARE if best else StopReason.NO_PAIR_LEFT
            if not best and index.has_pairs():
                stopped = StopReason.TOO_LONG
            break
        else:
            slot, is_forced, n_tied = chooser.choose(tied), False, len(tied)
        count = int(index.counts.view[slot])
        left, right = int(index.left.view[slot]), int(index.right.view[slot])
        replacements = index.merge(slot)
        strings.append(strings[left] + strings[right])
        sizes.append(sizes[left] + sizes[right])
        merged.append(slot)
        steps.append(
            MergeStep(
                rank=number,
                pair=(strings[left], strings[right]),
                token=strings[-1],
                count=count,
                replacements=replacements,
                n_tied=n_tied,
                forced=is_forced,
                vocabulary_size=len(strings),
                corpus_length=index.length,
            )
        )
        if on_progress and number % _PROGRESS_EVERY == 0:
            on_progress(Progress("merging", number, settings.n_merges))
    if on_progress:
        on_progress(Progress("merging", len(steps), len(steps)))
    return BPETraining(
        merges=tuple([step.pair for step in steps]),
        vocabulary=tuple(strings),
        steps=tuple(steps),
        stopped=stopped,
        settings=settings,
        corpus=words,
        initial_length=initial_length,
        log=freeze_log(index, row, sizes, merged),
    )


def _slot_of(index: PairIndex, strings: list[str], pair: Pair, number: int) -> int:
    left, right = index.left.view, index.right.view
    if pair[0] in strings and pair[1] in strings:
        wanted = (left == strings.index(pair[0])) & (right == strings.index(pair[1]))
        for slot in wanted.nonzero()[0]:
            if index.counts.view[slot] > 0:
                return int(slot)
    raise InputError(
        f"The pair {pair} can't be forced as merge {number + 1}: it does not occur in the corpus "
        "at that point. Take a pair from the table of that step."
    )
