"""Choosing the next pair: the most frequent one, and a tie rule between equals.

Counts only fall, so pairs below a threshold can wait outside: as long as some pair inside
reaches the threshold, the best pair and everything tied with it are inside. When none
does, the threshold falls. That keeps a step's search to a few thousand counts.
"""

from typing import Final

import numpy as np
from jaxtyping import Int64

from core.tokenization.bpe.tie_rules import TieRule, TokenNames, takes_greatest, tie_key
from core.tokenization.pair_index import PairIndex

_ACTIVE: Final = 1024
"""Pairs that are kept inside when the threshold falls (ties may make it more)."""

_BLOCK: Final = 512
"""Places that are looked at in one go when a pair's first live place is sought."""


class PairChooser:
    """Finds the most frequent pairs of an index that is being merged."""

    def __init__(self, index: PairIndex, rule: TieRule, names: TokenNames) -> None:
        self._index = index
        self._rule = rule
        self._names = names
        self._threshold = np.iinfo(np.int64).max
        self._active: Int64[np.ndarray, " active"] = np.zeros(0, dtype=np.int64)
        self._seen = 1
        self._first_live: dict[int, int] = {}

    def most_frequent(self) -> tuple[int, Int64[np.ndarray, " tied"]]:
        """The highest count and all slots that reach it; count 0 when no pair is left."""
        counts = self._index.counts.view
        new = np.arange(self._seen, len(counts))
        self._seen = len(counts)
        newly_active = new[counts[new] >= self._threshold]
        if len(newly_active):
            self._active = np.concatenate([self._active, newly_active])
        active_counts = counts[self._active]
        best = int(active_counts.max(initial=0))
        if best < self._threshold:
            self._lower_threshold()
            active_counts = counts[self._active]
            best = int(active_counts.max(initial=0))
        tied = self._active[active_counts == best]
        if len(self._active) > 4 * _ACTIVE:
            self._active = self._active[active_counts >= self._threshold]
        return best, tied

    def choose(self, tied: Int64[np.ndarray, " tied"]) -> int:
        """The slot that the tie rule takes."""
        if len(tied) == 1:
            return int(tied[0])
        if self._rule is TieRule.FIRST_SEEN:
            return self._first_seen(tied)
        left, right = self._index.left.view, self._index.right.view
        if self._rule is TieRule.SMALLEST_IDS:
            keys = left[tied].astype(np.int64) << 32 | right[tied]
            return int(tied[keys.argmin()])
        best = max if takes_greatest(self._rule) else min
        return best(
            tied.tolist(),
            key=lambda slot: tie_key(self._rule, int(left[slot]), int(right[slot]), self._names),
        )

    def _lower_threshold(self) -> None:
        counts = self._index.counts.view[1:]
        if len(counts) <= 2 * _ACTIVE:
            self._threshold = 1
        else:
            self._threshold = max(1, int(np.partition(counts, -_ACTIVE)[-_ACTIVE]))
        self._active = 1 + np.flatnonzero(counts >= self._threshold)

    def _first_seen(self, tied: Int64[np.ndarray, " tied"]) -> int:
        # A first place only moves right, so an old one is a lower bound: seek on only
        # where the bound is the least, until the least one is exact.
        bounds = [self._place(slot) for slot in tied.tolist()]
        while True:
            least = min(range(len(bounds)), key=bounds.__getitem__)
            slot = int(tied[least])
            if self._index.slot_at[bounds[least]] == slot:
                return slot
            self._seek(slot)
            bounds[least] = self._place(slot)

    def _place(self, slot: int) -> int:
        cursor = self._first_live.get(slot)
        if cursor is None:
            cursor = int(self._index.place_ends.view[slot - 1])
        return int(self._index.places.view[cursor])

    def _seek(self, slot: int) -> None:
        start = self._first_live.get(slot, int(self._index.place_ends.view[slot - 1]))
        while True:
            block = self._index.places.view[start : start + _BLOCK]
            live = np.flatnonzero(self._index.slot_at[block] == slot)
            if len(live):
                self._first_live[slot] = start + int(live[0])
                return
            start += len(block)
