"""What a training did, kept so that the corpus after any number of merges can be read.

A symbol's time of death is the whole history of the corpus: after k merges, those symbols
live that did not die in merges 0 … k − 1, and each token reaches to the next one. So going
back costs what going forward costs, one look at one array, and no undo is ever stored.

A pair (left, right) that starts at a position is intact after k merges when its two symbols
live and the one that follows them does, too (a border never dies).
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int32, Int64

from core.tokenization.pair_index import PairIndex
from core.tokenization.symbols import BORDER, SymbolRow


@dataclass(frozen=True, slots=True, eq=False)
class MergeLog:
    """Read-only arrays about every position, every pair (*slot*) and every loss."""

    row: SymbolRow
    died: Int32[np.ndarray, " position"]
    """Number of the merge in which a symbol became part of its left neighbour."""
    sizes: Int32[np.ndarray, " token"]
    """Initial symbols in each token, in order of ids."""
    left: Int32[np.ndarray, " slot"]
    right: Int32[np.ndarray, " slot"]
    births: Int64[np.ndarray, " slot"]
    place_ends: Int64[np.ndarray, " slot"]
    places: Int32[np.ndarray, " place"]
    lost_slots: Int32[np.ndarray, " loss"]
    lost_weights: Int64[np.ndarray, " loss"]
    slot_bounds: Int64[np.ndarray, " state"]
    lost_bounds: Int64[np.ndarray, " state"]
    merged: Int32[np.ndarray, " merge"]
    """The slot that each merge took."""
    by_frequency: Int64[np.ndarray, " word"]
    """Word indices, most frequent first."""

    def counts(self, step: int) -> Int64[np.ndarray, " slot"]:
        """The count of every pair that has arisen, after `step` merges; slot 0 is none."""
        n_slots, n_lost = int(self.slot_bounds[step]), int(self.lost_bounds[step])
        lost = np.bincount(
            self.lost_slots[:n_lost], weights=self.lost_weights[:n_lost], minlength=n_slots
        )
        # float64 is exact here: a count is below 2^53
        counts = self.births[:n_slots] - lost.astype(np.int64)
        counts[self.merged[:step]] = 0
        counts[0] = 0
        return counts

    def places_of(self, slot: int, step: int) -> Int32[np.ndarray, " place"]:
        """Where the slot's pair starts after `step` merges, left to right."""
        places = self.places[self.place_ends[slot - 1] : self.place_ends[slot]]
        return places[self._intact(places, self.left[slot], self.right[slot], step)]

    def first_places(
        self, slots: Int64[np.ndarray, " some"], step: int
    ) -> Int64[np.ndarray, " some"]:
        """The first place of each of some pairs that occur after `step` merges."""
        return np.asarray([self._first_place(int(slot), step) for slot in slots], dtype=np.int64)

    def replacements(self, slot: int, step: int) -> int:
        """How often the pair would be replaced; below its count only in runs such as aaa."""
        places = self.places_of(slot, step)
        weights = self.row.frequencies[self.row.word_of[places]]
        if self.left[slot] != self.right[slot] or not len(places):
            return int(weights.sum())
        size = self.sizes[self.left[slot]]
        starts_run = np.ones(len(places), dtype=np.bool_)
        starts_run[1:] = np.diff(places) != size
        index = np.arange(len(places))
        run_start = np.maximum.accumulate(np.where(starts_run, index, 0))
        return int(weights[(index - run_start) % 2 == 0].sum())

    def live(self, step: int) -> Int64[np.ndarray, " token"]:
        """Positions of all tokens after `step` merges."""
        return np.flatnonzero((self.died >= step) & (self.row.symbols != BORDER))

    def word_tokens(self, word: int, step: int) -> tuple[int, ...]:
        """Token ids of one word after `step` merges."""
        start = int(self.row.word_starts[word])
        end = self._word_end(word)
        died = self.died[start:end]
        symbols = self.row.symbols[start:end].tolist()
        first_merged = len(self.row.alphabet)
        starts = np.flatnonzero(died >= step).tolist()
        tokens: list[int] = []
        for place, following in zip(starts, [*starts[1:], end - start], strict=True):
            inside = died[place + 1 : following]
            # the last merge inside a token is the one that made it
            tokens.append(first_merged + int(inside.max()) if len(inside) else symbols[place])
        return tuple(tokens)

    def token_counts(self, step: int) -> Int64[np.ndarray, " token"]:
        """How often each token occurs in the running text after `step` merges."""
        live = self.live(step)
        n_tokens = len(self.row.alphabet) + step
        if not len(live):
            return np.zeros(n_tokens, dtype=np.int64)
        inside = np.where(self.died < step, self.died, -1)
        made_by = np.maximum.reduceat(inside, live)
        ids = np.where(made_by < 0, self.row.symbols[live], len(self.row.alphabet) + made_by)
        weights = self.row.frequencies[self.row.word_of[live]]
        return np.bincount(ids, weights=weights, minlength=n_tokens).astype(np.int64)

    def touched(self, merge: int) -> tuple[Int64[np.ndarray, " word"], Int64[np.ndarray, " word"]]:
        """Words that a merge changed, in corpus order, and replacements inside each."""
        places = np.flatnonzero(self.died == merge)
        words, inside = np.unique(self.row.word_of[places], return_counts=True)
        return words.astype(np.int64), inside.astype(np.int64)

    def _first_place(self, slot: int, step: int) -> int:
        # most pairs keep their first places, so look at a few before looking at all
        start, end = int(self.place_ends[slot - 1]), int(self.place_ends[slot])
        block = 64
        while start < end:
            places = self.places[start : min(start + block, end)]
            intact = self._intact(places, self.left[slot], self.right[slot], step)
            if intact.any():
                return int(places[intact.argmax()])
            start += len(places)
            block *= 8
        raise ValueError(f"pair {slot} does not occur after {step} merges")

    def _intact(
        self, places: Int32[np.ndarray, " place"], left: np.int32, right: np.int32, step: int
    ) -> Bool[np.ndarray, " place"]:
        middle = places + self.sizes[left]
        following = middle + self.sizes[right]
        died = self.died
        return (died[places] >= step) & (died[middle] >= step) & (died[following] >= step)

    def _word_end(self, word: int) -> int:
        starts = self.row.word_starts
        return int(starts[word + 1]) - 1 if word + 1 < len(starts) else len(self.row.symbols) - 1


def freeze_log(index: PairIndex, row: SymbolRow, sizes: list[int], merged: list[int]) -> MergeLog:
    """Copy what a finished index knows into read-only arrays."""
    by_frequency = np.argsort(-row.frequencies, kind="stable")
    log = MergeLog(
        row=row,
        died=index.died.copy(),
        sizes=np.asarray(sizes, dtype=np.int32),
        left=index.left.frozen(),
        right=index.right.frozen(),
        births=index.births.frozen(),
        place_ends=index.place_ends.frozen(),
        places=index.places.frozen(),
        lost_slots=index.lost_slots.frozen(),
        lost_weights=index.lost_weights.frozen(),
        slot_bounds=np.asarray(index.slot_bounds, dtype=np.int64),
        lost_bounds=np.asarray(index.lost_bounds, dtype=np.int64),
        merged=np.asarray(merged, dtype=np.int32),
        by_frequency=by_frequency,
    )
    for array in (log.died, log.sizes, log.slot_bounds, log.lost_bounds, log.merged, by_frequency):
        array.flags.writeable = False
    return log


def log_bytes(log: MergeLog) -> int:
    """Memory of the log's arrays, the corpus row included, in bytes."""
    arrays = (
        log.died, log.sizes, log.left, log.right, log.births, log.place_ends, log.places,
        log.lost_slots, log.lost_weights, log.slot_bounds, log.lost_bounds, log.merged,
        log.by_frequency, log.row.symbols, log.row.word_of, log.row.word_starts,
        log.row.frequencies,
    )  # fmt: skip
    return sum(array.nbytes for array in arrays)
