"""The lattices of all words of a corpus in flat arrays, for training.

Every word has a node before each letter and one after the last; every piece that fits is
an edge. Nodes are treated level by level (all words' first letters, then their second …),
so that forward sums, backward sums and best paths are array operations on whole levels.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Bool, Float64, Int64


@dataclass(frozen=True, slots=True, eq=False)
class CorpusLattice:
    """Edges sorted by the place where they end (levels), and within a level by node."""

    n_nodes: int
    first_nodes: Int64[np.ndarray, " word"]
    last_nodes: Int64[np.ndarray, " word"]
    starts: Int64[np.ndarray, " edge"]
    ends: Int64[np.ndarray, " edge"]
    pieces: Int64[np.ndarray, " edge"]
    levels: Int64[np.ndarray, " edge"]
    """Letters of the word before the edge's end."""
    start_levels: Int64[np.ndarray, " edge"]

    def restricted(self, alive: Bool[np.ndarray, " piece"]) -> "CorpusLattice":
        """The same lattices without the edges of dropped pieces."""
        kept = alive[self.pieces]
        return CorpusLattice(
            self.n_nodes, self.first_nodes, self.last_nodes, self.starts[kept], self.ends[kept],
            self.pieces[kept], self.levels[kept], self.start_levels[kept],
        )  # fmt: skip

    def expected_counts(
        self,
        log_probabilities: Float64[np.ndarray, " piece"],
        frequencies: Float64[np.ndarray, " word"],
    ) -> tuple[Float64[np.ndarray, " piece"], float]:
        """The E-step: how often each piece is expected, and the corpus's log-likelihood."""
        values = log_probabilities[self.pieces]
        forward = self._sums(values, self.levels, self.ends, self.starts, self.first_nodes)
        order = np.lexsort((self.starts, -self.start_levels))
        backward = self._sums(
            values[order], -self.start_levels[order], self.starts[order], self.ends[order],
            self.last_nodes,
        )  # fmt: skip
        totals = np.zeros(self.n_nodes)
        weights = np.zeros(self.n_nodes)
        lengths = self.last_nodes - self.first_nodes + 1
        nodes = np.repeat(self.first_nodes, lengths) + _within(lengths)
        totals[nodes] = np.repeat(forward[self.last_nodes], lengths)
        weights[nodes] = np.repeat(frequencies, lengths)
        posterior = np.exp(forward[self.starts] + values + backward[self.ends] - totals[self.ends])
        counts = np.bincount(
            self.pieces,
            weights=posterior * weights[self.ends],
            minlength=len(log_probabilities),
        )
        return counts, float(frequencies @ forward[self.last_nodes])

    def best_edges(
        self, log_probabilities: Float64[np.ndarray, " piece"]
    ) -> tuple[Int64[np.ndarray, " node"], Float64[np.ndarray, " node"]]:
        """The last edge of the best cutting up to each node (−1: none), and its value."""
        values = log_probabilities[self.pieces]
        best = np.full(self.n_nodes, -np.inf)
        best[self.first_nodes] = 0.0
        edge_to = np.full(self.n_nodes, -1, dtype=np.int64)
        for first, last in _runs(self.levels):
            ends = self.ends[first:last]
            scores = best[self.starts[first:last]] + values[first:last]
            groups = np.flatnonzero(np.concatenate([[True], ends[1:] != ends[:-1]]))
            highest = np.maximum.reduceat(scores, groups)
            sizes = np.diff(np.append(groups, len(ends)))
            winners = np.flatnonzero(scores == np.repeat(highest, sizes))[::-1]
            edge_to[ends[winners]] = first + winners  # the first of equals is written last
            best[ends[groups]] = highest
        edge_to[~np.isfinite(best)] = -1
        return edge_to, best

    def walk(
        self, edge_to: Int64[np.ndarray, " node"]
    ) -> list[tuple[Int64[np.ndarray, " some"], Int64[np.ndarray, " some"]]]:
        """The best cuttings from behind: (word, edge) arrays, one for each step back."""
        words = np.arange(len(self.last_nodes))
        nodes = self.last_nodes.copy()
        steps: list[tuple[Int64[np.ndarray, " some"], Int64[np.ndarray, " some"]]] = []
        while True:
            going = (nodes != self.first_nodes[words]) & (edge_to[nodes] >= 0)
            words, nodes = words[going], nodes[going]
            if not len(words):
                return steps
            edges = edge_to[nodes]
            steps.append((words, edges))
            nodes = self.starts[edges]

    def _sums(
        self,
        values: Float64[np.ndarray, " edge"],
        levels: Int64[np.ndarray, " edge"],
        into: Int64[np.ndarray, " edge"],
        out_of: Int64[np.ndarray, " edge"],
        origins: Int64[np.ndarray, " word"],
    ) -> Float64[np.ndarray, " node"]:
        sums = np.full(self.n_nodes, -np.inf)
        sums[origins] = 0.0
        for first, last in _runs(levels):
            nodes = into[first:last]
            groups = np.flatnonzero(np.concatenate([[True], nodes[1:] != nodes[:-1]]))
            scores = sums[out_of[first:last]] + values[first:last]
            highest = np.maximum.reduceat(scores, groups)
            sizes = np.diff(np.append(groups, len(nodes)))
            shifted = np.exp(scores - np.repeat(highest, sizes))
            sums[nodes[groups]] = highest + np.log(np.add.reduceat(shifted, groups))
        return sums


def build_lattice(
    words: Sequence[str], piece_ids: Mapping[str, int], longest: int, *, whole: bool = True
) -> CorpusLattice:
    """Find every piece in every word; whole=False leaves out edges over a whole word.

    Every letter must be a piece, or a word may have no cutting.
    """
    lengths = np.fromiter(map(len, words), dtype=np.int64, count=len(words))
    first_nodes = np.concatenate([[0], np.cumsum(lengths + 1)[:-1]]).astype(np.int64)
    starts: list[int] = []
    ends: list[int] = []
    pieces: list[int] = []
    start_levels: list[int] = []
    known = _with_prefixes(piece_ids)
    find = known.get
    for word, node in zip(words, first_nodes.tolist(), strict=True):
        size = len(word)
        for start in range(size):
            for end in range(start + 1, min(start + longest, size) + 1):
                piece = find(word[start:end])
                if piece is None:
                    break
                if piece >= 0 and (whole or end - start < size):
                    starts.append(node + start)
                    ends.append(node + end)
                    pieces.append(piece)
                    start_levels.append(start)
    start_array, end_array = np.asarray(starts, np.int64), np.asarray(ends, np.int64)
    start_level_array = np.asarray(start_levels, np.int64)
    levels = start_level_array + end_array - start_array
    order = np.lexsort((start_array, end_array, levels))
    return CorpusLattice(
        n_nodes=int((lengths + 1).sum()),
        first_nodes=first_nodes,
        last_nodes=first_nodes + lengths,
        starts=start_array[order],
        ends=end_array[order],
        pieces=np.asarray(pieces, np.int64)[order],
        levels=levels[order],
        start_levels=start_level_array[order],
    )


def _with_prefixes(piece_ids: Mapping[str, int]) -> dict[str, int]:
    """The pieces, and −1 for all beginnings of pieces: what is not here leads nowhere."""
    known: dict[str, int] = {}
    for piece in piece_ids:
        for end in range(len(piece) - 1, 0, -1):
            if piece[:end] in known:
                break
            known[piece[:end]] = -1
    known.update(piece_ids)
    return known


def _runs(levels: Int64[np.ndarray, " edge"]) -> list[tuple[int, int]]:
    if not len(levels):
        return []
    borders = [0, *(1 + np.flatnonzero(np.diff(levels))).tolist(), len(levels)]
    return list(pairwise(borders))


def _within(lengths: Int64[np.ndarray, " word"]) -> Int64[np.ndarray, " node"]:
    return np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
