"""The corpus between two merges: which pairs compete, and how its words look.

Everything here is read from the training's log when it is asked for: a state costs nothing
until then, and it is the same whether one stepped forward or back to it.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from jaxtyping import Int64

from core.tokenization.bpe.settings import BPESettings
from core.tokenization.bpe.tie_rules import TieKey, TieRule, TokenNames, takes_greatest, tie_key
from core.tokenization.corpus import WordCounts
from core.tokenization.merge_log import MergeLog

Pair = tuple[str, str]

MAX_TOKENS: Final = 5_000
"""Tokens of a word that a view holds: a text without borders is one word of millions."""

_ORDERED_TIES: Final = 20_000
"""Equal pairs that are put in order; beyond, a table shows the first ones by id."""


@dataclass(frozen=True, slots=True)
class MergeStep:
    """One merge of a training, and the corpus right after it."""

    rank: int
    pair: Pair
    token: str
    count: int
    """How often the pair stood in the corpus; aaa holds (a, a) twice."""
    replacements: int
    """How often it was replaced; aaa becomes aa a, which is once."""
    n_tied: int
    """Pairs with this very count, the chosen one included."""
    forced: bool
    vocabulary_size: int
    corpus_length: int


@dataclass(frozen=True, slots=True)
class PairRow:
    """A pair that competes, in the table of a state."""

    pair: Pair
    token: str
    count: int
    replacements: int
    tied: bool
    """Whether it has the highest count of all."""
    key: TieKey | None
    """What the tie rule compares; None for first-seen, which compares `place`."""
    place: tuple[int, int]
    """Word index and symbol index (among the word's initial symbols) of its first place."""


@dataclass(frozen=True, slots=True)
class PairTable:
    """The most frequent pairs: highest count first, and among equals as the tie rule has it."""

    rows: tuple[PairRow, ...]
    n_pairs: int
    """All pairs that occur and may be merged."""
    n_tied: int
    """Pairs that share the highest count."""
    n_too_long: int = 0
    """Pairs that occur and whose token would be too long."""


@dataclass(frozen=True, slots=True)
class WordView:
    """A word of the corpus, cut as it is at this point."""

    index: int
    word: str
    count: int
    tokens: tuple[str, ...]
    """Its tokens; of a word with very many only the first MAX_TOKENS."""
    n_tokens: int


@dataclass(frozen=True, slots=True, eq=False)
class BPEState:
    """The corpus after `step` merges."""

    step: int
    corpus_length: int
    """Tokens in the running text."""
    vocabulary: tuple[str, ...]
    n_initial: int
    settings: BPESettings
    corpus: WordCounts
    log: MergeLog = field(repr=False)

    def pairs(self, limit: int = 20) -> PairTable:
        """The ranked table of pairs, with every tie that fits in `limit` rows."""
        counts = self.log.counts(self.step)
        n_too_long = 0
        if (longest := self.settings.max_token_length) is not None:
            sizes, known = self.log.sizes, slice(0, len(counts))
            too_long = sizes[self.log.left[known]] + sizes[self.log.right[known]] > longest
            n_too_long = int(np.count_nonzero(counts[too_long]))
            counts[too_long] = 0
        n_pairs = int(np.count_nonzero(counts))
        if not n_pairs or limit < 1:
            return PairTable((), n_pairs, 0, n_too_long)
        shown = min(limit, n_pairs)
        last_count = int(np.partition(counts, -shown)[-shown])
        slots = np.flatnonzero(counts >= last_count)
        best = int(counts[slots].max())
        n_tied = int(np.count_nonzero(counts[slots] == best))
        # several groups of equals may be cut by the limit only at its end
        slots = slots[np.argsort(-counts[slots], kind="stable")][: max(shown, _ORDERED_TIES)]
        names = TokenNames(self.vocabulary, self.log.sizes.tolist(), self.settings.byte_level)
        ordered = self._ordered(slots, counts, names)[:shown]
        rows = tuple(self._row(slot, int(counts[slot]), best, names) for slot in ordered)
        return PairTable(rows, n_pairs, n_tied, n_too_long)

    def words(self, limit: int = 50, *, start: int = 0) -> tuple[WordView, ...]:
        """The most frequent words, from place `start` on, as they are cut now."""
        order = self.log.by_frequency[start : start + limit]
        return tuple(self.word(int(index)) for index in order)

    def word(self, index: int) -> WordView:
        """One word of the corpus as it is cut now."""
        tokens = self.log.word_tokens(index, self.step, MAX_TOKENS)
        return WordView(
            index=index,
            word=self.corpus.words[index],
            count=self.corpus.counts[index],
            tokens=tuple(self.vocabulary[token] for token in tokens),
            n_tokens=self.log.word_length(index, self.step),
        )

    def token_counts(self) -> tuple[int, ...]:
        """How often each token of the vocabulary occurs now; 0 for one that was swallowed."""
        return tuple(self.log.token_counts(self.step).tolist())

    def pair_count(self, pair: Pair) -> int:
        """How often a pair stands in the corpus now; 0 if it does not."""
        log = self.log
        if pair[0] not in self.vocabulary or pair[1] not in self.vocabulary:
            return 0
        left, right = self.vocabulary.index(pair[0]), self.vocabulary.index(pair[1])
        n_slots = int(log.slot_bounds[self.step])
        slots = np.flatnonzero((log.left[1:n_slots] == left) & (log.right[1:n_slots] == right)) + 1
        return int(log.counts(self.step)[slots].sum())

    def _ordered(
        self,
        slots: Int64[np.ndarray, " some"],
        counts: Int64[np.ndarray, " slot"],
        names: TokenNames,
    ) -> list[int]:
        chosen = slots.tolist()
        if self.settings.tie_rule is TieRule.FIRST_SEEN:
            first = dict(zip(chosen, self.log.first_places(slots, self.step).tolist(), strict=True))
            return sorted(chosen, key=lambda slot: (-counts[slot], first[slot]))
        # a stable sort by key, then by count
        greatest = takes_greatest(self.settings.tie_rule)
        by_key = sorted(chosen, key=lambda slot: self._key(slot, names), reverse=greatest)
        return sorted(by_key, key=lambda slot: -counts[slot])

    def _key(self, slot: int, names: TokenNames) -> TieKey:
        left, right = int(self.log.left[slot]), int(self.log.right[slot])
        return tie_key(self.settings.tie_rule, left, right, names)

    def _row(self, slot: int, count: int, best: int, names: TokenNames) -> PairRow:
        log = self.log
        left, right = int(log.left[slot]), int(log.right[slot])
        strings = self.vocabulary[left], self.vocabulary[right]
        place = int(log.first_places(np.asarray([slot]), self.step)[0])
        word = int(log.row.word_of[place])
        first_seen = self.settings.tie_rule is TieRule.FIRST_SEEN
        return PairRow(
            pair=strings,
            token="".join(strings),
            count=count,
            replacements=log.replacements(slot, self.step) if left == right else count,
            tied=count == best,
            key=None if first_seen else self._key(slot, names),
            place=(word, place - int(log.row.word_starts[word])),
        )
