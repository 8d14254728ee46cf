"""What a training did, kept so that the corpus after any number of merges can be read.

A symbol's time of death is the whole history of the corpus: after k merges, those symbols
live that did not die in merges 0 … k − 1, and each token reaches to the next one. So going
back costs what going forward costs, one look at one array, and no undo is ever stored.

A pair (left, right) that starts at a position is intact after k merges when its two symbols
live and the one that follows them does, too (a border never dies).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Bool, Int32, Int64

from core.tokenization.pair_index import PairIndex
from core.tokenization.symbols import BORDER, SymbolRow

_CHECKPOINTS: Final = 16


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
    checkpoints: tuple[tuple[int, Int64[np.ndarray, " _"]], ...]
    """Counts after some numbers of merges, so that no count is subtracted from afar."""
    by_frequency: Int64[np.ndarray, " word"]
    """Word indices, most frequent first."""

    def counts(self, step: int) -> Int64[np.ndarray, " slot"]:
        """The count of every pair that has arisen, after `step` merges; slot 0 is none."""
        start, counted = self._checkpoint(step)
        n_slots = int(self.slot_bounds[step])
        counts = self.births[:n_slots].copy()
        counts[: len(counted)] = counted
        between = slice(int(self.lost_bounds[start]), int(self.lost_bounds[step]))
        np.subtract.at(counts, self.lost_slots[between], self.lost_weights[between])
        counts[self.merged[start:step]] = 0
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

    def word_tokens(self, word: int, step: int, limit: int | None = None) -> tuple[int, ...]:
        """Ids of one word's tokens, or of its first `limit` ones, after `step` merges."""
        start, end = int(self.row.word_starts[word]), self._word_end(word)
        live = np.flatnonzero(self.died[start:end] >= step)
        if limit is not None and limit < len(live):
            end = start + int(live[limit])
            live = live[:limit]
        return tuple(self._ids(start, end, live, step).tolist())

    def word_length(self, word: int, step: int) -> int:
        """Number of a word's tokens after `step` merges."""
        start, end = int(self.row.word_starts[word]), self._word_end(word)
        return int(np.count_nonzero(self.died[start:end] >= step))

    def token_counts(self, step: int) -> Int64[np.ndarray, " token"]:
        """How often each token occurs in the running text after `step` merges."""
        live = self.live(step)
        n_tokens = len(self.row.alphabet) + step
        ids = self._ids(0, len(self.died), live, step)
        weights = self.row.frequencies[self.row.word_of[live]]
        return np.bincount(ids, weights=weights, minlength=n_tokens).astype(np.int64)

    def touched(self, merge: int) -> tuple[Int64[np.ndarray, " word"], Int64[np.ndarray, " word"]]:
        """Words that a merge changed, in corpus order, and replacements inside each."""
        places = np.flatnonzero(self.died == merge)
        words, inside = np.unique(self.row.word_of[places], return_counts=True)
        return words.astype(np.int64), inside.astype(np.int64)

    def _checkpoint(self, step: int) -> tuple[int, Int64[np.ndarray, " _"]]:
        return next(point for point in reversed(self.checkpoints) if point[0] <= step)

    def _ids(
        self, start: int, end: int, live: Int64[np.ndarray, " token"], step: int
    ) -> Int64[np.ndarray, " token"]:
        """Ids of the tokens that start at `live`, counted from `start`."""
        if not len(live):
            return live
        died = self.died[start:end]
        # the last merge inside a token is the one that made it
        made_by = np.maximum.reduceat(np.where(died < step, died, -1), live)
        symbols = self.row.symbols[start:end][live]
        return np.where(made_by < 0, symbols, len(self.row.alphabet) + made_by).astype(np.int64)

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
    lost_bounds = np.asarray(index.lost_bounds, dtype=np.int64)
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
        lost_bounds=lost_bounds,
        merged=np.asarray(merged, dtype=np.int32),
        checkpoints=_checkpoints(index, lost_bounds, merged),
        by_frequency=by_frequency,
    )
    for array in (log.died, log.sizes, log.slot_bounds, log.lost_bounds, log.merged, by_frequency):
        array.flags.writeable = False
    return log


def _checkpoints(
    index: PairIndex, lost_bounds: Int64[np.ndarray, " state"], merged: list[int]
) -> tuple[tuple[int, Int64[np.ndarray, " _"]], ...]:
    # at equal shares of all losses, for the early merges lose the most
    wanted = np.linspace(0, int(lost_bounds[-1]), _CHECKPOINTS, endpoint=False)
    steps = np.unique(np.searchsorted(lost_bounds, wanted, side="right") - 1)
    points: list[tuple[int, Int64[np.ndarray, " _"]]] = []
    counts, last = index.births.view.copy(), 0
    for step in steps.tolist():
        between = slice(int(lost_bounds[last]), int(lost_bounds[step]))
        np.subtract.at(counts, index.lost_slots.view[between], index.lost_weights.view[between])
        counts[merged[last:step]] = 0
        counted = counts[: index.slot_bounds[step]].copy()
        counted.flags.writeable = False
        points.append((step, counted))
        last = step
    return tuple(points)


def log_bytes(log: MergeLog) -> int:
    """Memory of the log's arrays, the corpus row included, in bytes."""
    arrays = (
        log.died, log.sizes, log.left, log.right, log.births, log.place_ends, log.places,
        log.lost_slots, log.lost_weights, log.slot_bounds, log.lost_bounds, log.merged,
        log.by_frequency, log.row.symbols, log.row.word_of, log.row.word_starts,
        log.row.frequencies,
    )  # fmt: skip
    counted = sum(counts.nbytes for _, counts in log.checkpoints)
    return counted + sum(array.nbytes for array in arrays)
