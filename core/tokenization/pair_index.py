"""Pair counts that follow the merges: only what a merge touches is counted again.

Every pair of neighbours gets a *slot* when it first arises, with the list of its places.
After that it only loses places, for a token is made by one merge alone: as long as no
merge crosses the border of a string, the string's inside goes through the same states at
every place, so all its places become that token in the same merge. Hence a pair's places
need no update, its count never rises, and its first place never moves left.

All work on one merge is done on arrays, so a step costs the same few calls whether the
pair occurs three times or three hundred thousand times.
"""

import numpy as np
from jaxtyping import Bool, Int32, Int64

from core.tokenization.growing import GrowingArray
from core.tokenization.symbols import BORDER, SymbolRow

NO_PAIR = 0
"""Slot of a position where no pair starts: borders, dead symbols, ends of words."""

ALIVE = np.iinfo(np.int32).max
"""The time of death of a symbol that still lives."""


class PairIndex:
    """The corpus between two merges: live symbols, their pairs, and where each pair lies."""

    def __init__(self, row: SymbolRow, *, longest: int | None = None) -> None:
        """`longest`: pairs whose token had more initial symbols count 0, so none is chosen."""
        self.longest = longest
        self.sizes = GrowingArray(np.int32)
        self.sizes.extend(np.ones(len(row.alphabet), dtype=np.int32))
        size = len(row.symbols)
        self.symbols: Int32[np.ndarray, " position"] = row.symbols.copy()
        self.weights: Int64[np.ndarray, " position"] = row.frequencies[row.word_of]
        self.next: Int32[np.ndarray, " position"] = np.arange(1, size + 1, dtype=np.int32)
        self.previous: Int32[np.ndarray, " position"] = np.arange(-1, size - 1, dtype=np.int32)
        self.died: Int32[np.ndarray, " position"] = np.full(size, ALIVE, dtype=np.int32)
        self.slot_at: Int32[np.ndarray, " position"] = np.zeros(size, dtype=np.int32)
        self.n_tokens = len(row.alphabet)
        self.n_merges = 0
        self.length = int(self.weights[row.symbols != BORDER].sum())

        self.left = GrowingArray(np.int32)
        self.right = GrowingArray(np.int32)
        self.counts = GrowingArray(np.int64)
        self.births = GrowingArray(np.int64)
        """The count of each slot's pair when it arose."""
        self.place_ends = GrowingArray(np.int64)
        """Slot s has places[place_ends[s - 1]:place_ends[s]]."""
        self.places = GrowingArray(np.int32)
        self.lost_slots = GrowingArray(np.int32)
        """Every loss in order: the slot, and in lost_weights how much its count fell."""
        self.lost_weights = GrowingArray(np.int64)
        self.slot_bounds: list[int] = []
        """Number of slots after each number of merges."""
        self.lost_bounds: list[int] = [0]

        for array in (self.left, self.right, self.counts, self.births, self.place_ends):
            array.extend(np.zeros(1, dtype=np.int64))  # slot 0 is NO_PAIR
        starts = np.flatnonzero((row.symbols[:-1] != BORDER) & (row.symbols[1:] != BORDER))
        starts = starts.astype(np.int32)
        self._add_slots(starts, row.symbols[starts], row.symbols[starts + 1])
        self.slot_bounds.append(len(self.counts))

    def merge(self, slot: int) -> int:
        """Replace the slot's pair by a new token everywhere, left to right; how often it was."""
        left = int(self.left.view[slot])
        right = int(self.right.view[slot])
        token = self.n_tokens
        self.sizes.extend(self.sizes.view[[left]] + self.sizes.view[[right]])
        first = self.live_places(slot)
        if left == right:
            first = first[_without_overlap(first, self.next)]
        second = self.next[first]
        before = self.previous[first]
        after = self.next[second]

        self.died[second] = self.n_merges
        # where the neighbour on the left was merged too, its own pair is among `second`
        self._lose(np.concatenate([before[self.died[before] != self.n_merges], second]))
        self.counts.view[slot] = 0
        self.slot_at[first] = NO_PAIR
        self.slot_at[second] = NO_PAIR
        self.symbols[first] = token
        self.next[first] = after
        self.previous[after] = first
        self.n_tokens += 1
        self.n_merges += 1
        self._add_neighbours(first, self.previous[first], after, token)
        self.slot_bounds.append(len(self.counts))
        self.lost_bounds.append(len(self.lost_slots))

        replacements = int(self.weights[first].sum())
        self.length -= replacements
        return replacements

    def live_places(self, slot: int) -> Int32[np.ndarray, " place"]:
        """Positions where the slot's pair starts now, left to right."""
        start, end = self.place_ends.view[slot - 1], self.place_ends.view[slot]
        places = self.places.view[start:end]
        return places[self.slot_at[places] == slot]

    def has_pairs(self) -> bool:
        """Whether two symbols of a word still stand side by side, too long ones included."""
        return bool((self.slot_at != NO_PAIR).any())

    def _lose(self, starts: Int32[np.ndarray, " place"]) -> None:
        slots = self.slot_at[starts]
        weights = self.weights[starts]
        np.subtract.at(self.counts.view, slots, weights)
        self.lost_slots.extend(slots)
        self.lost_weights.extend(weights)

    def _add_neighbours(
        self,
        token_at: Int32[np.ndarray, " place"],
        before: Int32[np.ndarray, " place"],
        after: Int32[np.ndarray, " place"],
        token: int,
    ) -> None:
        symbol_before = self.symbols[before]
        symbol_after = self.symbols[after]
        has_left = symbol_before != BORDER
        # two new tokens in a row are a pair once: as the right one's left neighbour
        has_right = (symbol_after != BORDER) & (symbol_after != token)
        starts = np.concatenate([before[has_left], token_at[has_right]])
        n_left = int(np.count_nonzero(has_left))
        left = np.full(len(starts), token, dtype=np.int32)
        right = left.copy()
        left[:n_left] = symbol_before[has_left]
        right[n_left:] = symbol_after[has_right]
        self._add_slots(starts, left, right)

    def _add_slots(
        self,
        starts: Int32[np.ndarray, " place"],
        left: Int32[np.ndarray, " place"],
        right: Int32[np.ndarray, " place"],
    ) -> None:
        if not len(starts):
            return
        # stable, and each side comes left to right: so a slot's places do, too
        keys = left.astype(np.int64) << 32 | right
        order = np.argsort(keys, kind="stable")
        keys, starts = keys[order], starts[order]
        groups = np.flatnonzero(_changes(keys))
        counts = np.add.reduceat(self.weights[starts], groups)
        ends = np.append(groups[1:], len(keys))
        slots = np.arange(len(self.counts), len(self.counts) + len(groups), dtype=np.int32)
        self.slot_at[starts] = np.repeat(slots, ends - groups)
        self.left.extend(keys[groups] >> 32)
        self.right.extend(keys[groups] & 0xFFFFFFFF)
        self.counts.extend(np.where(self._too_long(keys[groups]), 0, counts))
        self.births.extend(counts)
        self.place_ends.extend(len(self.places) + ends)
        self.places.extend(starts)

    def _too_long(self, pairs: Int64[np.ndarray, " slot"]) -> Bool[np.ndarray, " slot"]:
        if self.longest is None:
            return np.zeros(len(pairs), dtype=np.bool_)
        sizes = self.sizes.view
        return sizes[pairs >> 32] + sizes[pairs & 0xFFFFFFFF] > self.longest


def _changes(keys: Int64[np.ndarray, " place"]) -> Bool[np.ndarray, " place"]:
    changes = np.empty(len(keys), dtype=np.bool_)
    changes[0] = True
    np.not_equal(keys[1:], keys[:-1], out=changes[1:])
    return changes


def _without_overlap(
    places: Int32[np.ndarray, " place"], following: Int32[np.ndarray, " position"]
) -> Bool[np.ndarray, " place"]:
    """Which places of a pair (a, a) are replaced: in a run such as aaaa every other one."""
    starts_run = np.ones(len(places), dtype=np.bool_)
    starts_run[1:] = following[places[:-1]] != places[1:]
    index = np.arange(len(places))
    run_start = np.maximum.accumulate(np.where(starts_run, index, 0))
    return (index - run_start) % 2 == 0
