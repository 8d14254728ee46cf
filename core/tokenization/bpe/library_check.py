"""The same corpus and settings through Hugging Face's own trainer: are the merges equal?

Its rule for ties is fixed (the smallest ids), so a run with another rule may part from it at
a tie. Our trainer under the library's rule must not part from it at all.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import tokenizers
from tokenizers import Tokenizer, models, trainers

from core.errors import InputError
from core.tokenization import byte_alphabet
from core.tokenization.bpe.merge_list import read_merges
from core.tokenization.bpe.settings import BPESettings
from core.tokenization.bpe.state import MergeStep, Pair
from core.tokenization.bpe.tie_rules import TieRule
from core.tokenization.bpe.training import BPETraining, train_words
from core.tokenization.corpus import WordCounts
from core.tokenization.symbols import Marking

MOST_WORDS: Final = 2_000_000
"""Words of the running text: the library takes no counts, so each is handed over."""

_STAND_IN: Final = "\U0010ffff"
"""One character for a marker that is a symbol of its own: the library cuts words to letters."""


@dataclass(frozen=True, slots=True, eq=False)
class LibraryCheck:
    """What the library merged, and where a run parts from it."""

    version: str
    merges: tuple[Pair, ...]
    """The library's, as many as the run was asked for."""
    first_difference: int | None
    """Number of the first merge, from 0, that is another one in the run; None: all equal."""
    ours: MergeStep | None
    theirs: Pair | None
    """What it takes there; None if it has ended."""
    their_count: int
    """How often that stands in the run's corpus at this point."""
    same_rule: BPETraining
    """Our trainer under the library's tie rule and ids."""
    same_rule_difference: int | None
    """Where that parts from the library: None, or one of the two is wrong."""

    @property
    def was_tie(self) -> bool:
        """Whether both pairs stood equally often where the runs part."""
        return bool(self.ours and self.theirs and self.ours.count == self.their_count)


def check_against_library(training: BPETraining) -> LibraryCheck:
    """Train `tokenizers` on a training's words with its settings, and compare all merges.

    InputError for a corpus of too many running words, and for one with forced merges.
    """
    if any(step.forced for step in training.steps):
        raise InputError("A run with a forced merge has no counterpart in the library.")
    merges, alphabet = _library(training.corpus, training.settings)
    rule = replace(training.settings, tie_rule=TieRule.SMALLEST_IDS)
    same_rule = train_words(training.corpus, rule, alphabet=alphabet)
    first = _first_difference(training.merges, merges)
    ours, theirs, their_count = None, None, 0
    if first is not None:
        ours = training.steps[first] if first < len(training.steps) else None
        theirs = merges[first] if first < len(merges) else None
        if theirs is not None:
            their_count = training.state_at(first).pair_count(theirs)
    return LibraryCheck(
        version=tokenizers.__version__,
        merges=merges,
        first_difference=first,
        ours=ours,
        theirs=theirs,
        their_count=their_count,
        same_rule=same_rule,
        same_rule_difference=_first_difference(same_rule.merges, merges),
    )


def _library(words: WordCounts, settings: BPESettings) -> tuple[tuple[Pair, ...], tuple[str, ...]]:
    """Its merges, and its initial symbols in order of their ids."""
    if (total := words.total()) > MOST_WORDS:
        raise InputError(
            f"The corpus has {total:,} running words, and the library takes them one by one; up "
            f"to {MOST_WORDS:,} are handed to it. Give smaller counts or a part of the text."
        )
    separate = settings.marking is Marking.SEPARATE
    if separate and any(_STAND_IN in word for word in words.words):
        raise InputError("The corpus has U+10FFFF, which here stands for </w>. Remove it.")
    tokenizer = Tokenizer(models.BPE())
    longest = settings.max_token_length
    letters = len(set("".join(words.words)))
    suffix: dict[str, Any] = {}  # None is refused
    if settings.marking is Marking.GLUED:
        suffix["end_of_word_suffix"] = settings.marker
    trainer = trainers.BpeTrainer(
        vocab_size=max(256, 2 * letters + 1) + settings.n_merges,
        min_frequency=settings.min_frequency,
        show_progress=False,
        **suffix,
        max_token_length=None if longest is None else longest + 1,  # theirs is exclusive
    )
    tokenizer.train_from_iterator(_running(words, settings), trainer)
    merges = list(read_merges(tokenizer.to_str()).merges)
    ids = tokenizer.get_vocab()
    made = {left + right for left, right in merges}
    symbols = sorted((token for token in ids if token not in made), key=ids.__getitem__)
    if separate:
        merges = [(_marked(a, settings.marker), _marked(b, settings.marker)) for a, b in merges]
        symbols = [_marked(symbol, settings.marker) for symbol in symbols]
    return tuple(merges[: settings.n_merges]), tuple(symbols)


def _running(words: WordCounts, settings: BPESettings) -> Iterator[str]:
    """Each word as often as it stands, in the library's characters; no pre-tokenizer is left."""
    end = _STAND_IN if settings.marking is Marking.SEPARATE else ""
    for word, count in zip(words.words, words.counts, strict=True):
        written = (byte_alphabet.from_text(word) if settings.byte_level else word) + end
        for _ in range(count):
            yield written


def _marked(symbol: str, marker: str) -> str:
    return symbol.replace(_STAND_IN, marker)


def _first_difference(one: tuple[Pair, ...], other: tuple[Pair, ...]) -> int | None:
    both = enumerate(zip(one, other, strict=False))
    first = next((place for place, (a, b) in both if a != b), None)
    if first is None and len(one) != len(other):
        return min(len(one), len(other))
    return first
