"""Encoding with a list of merges: which neighbours join next, and in what order.

The lowest rank goes first and, where a rank occurs more than once, the leftmost place. That
is what GPT-2's encoder, subword-nmt, minbpe and Hugging Face tokenizers all come to for a
list that a training made, where a token's parts stand before it.
"""

import heapq
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

Pair = tuple[str, str]


class Variant(StrEnum):
    """How a pair's rank is found."""

    RANK = "rank"
    """By the pair: (left, right) must be a merge."""
    WHOLE_WORD = "whole-word"
    """By the pair, but a word that is a token stays whole (`ignore_merges`)."""
    CONCATENATION = "concatenation"
    """By the joined string alone (tiktoken), and a word that is a token stays whole."""


@dataclass(frozen=True, slots=True)
class Joined:
    """One merge at one place: the token starts at symbol `start` and reaches to `end`."""

    rank: int
    start: int
    middle: int
    end: int


@dataclass(frozen=True, slots=True)
class MergeRanks:
    """A list of merges made ready for encoding."""

    by_pair: Mapping[Pair, int]
    by_token: Mapping[str, int]
    """Rank of the first merge that makes each token."""
    variant: Variant

    def rank(self, left: str, right: str) -> int | None:
        """Rank of a pair of neighbours, or None if they do not merge."""
        if self.variant is Variant.CONCATENATION:
            return self.by_token.get(left + right)
        return self.by_pair.get((left, right))


def merge_ranks(merges: Sequence[Pair], variant: Variant = Variant.RANK) -> MergeRanks:
    """Look-up tables for a list of merges; of two equal rules the first counts."""
    by_pair: dict[Pair, int] = {}
    by_token: dict[str, int] = {}
    for rank, (left, right) in enumerate(merges):
        by_pair.setdefault((left, right), rank)
        by_token.setdefault(left + right, rank)
    return MergeRanks(by_pair, by_token, variant)


def join_all(symbols: Sequence[str], ranks: MergeRanks) -> list[Joined]:
    """Every merge of a word in order, in O(n log n)."""
    tokens: list[str | None] = list(symbols)
    size = len(symbols)
    following = list(range(1, size + 1))
    before = list(range(-1, size - 1))
    queue: list[tuple[int, int, int]] = []

    def consider(start: int) -> None:
        middle = following[start]
        left = tokens[start]
        if middle < size and left is not None:
            right = tokens[middle]
            rank = None if right is None else ranks.rank(left, right)
            if rank is not None:
                heapq.heappush(queue, (rank, start, middle))

    for start in range(size - 1):
        consider(start)
    done: list[Joined] = []
    while queue:
        rank, start, middle = heapq.heappop(queue)
        left = tokens[start]
        right = tokens[middle] if middle < size else None
        # an entry is old if either side has changed since
        if left is None or right is None or following[start] != middle:
            continue
        if ranks.rank(left, right) != rank:
            continue
        end = following[middle]
        tokens[start] = left + right
        tokens[middle] = None
        following[start] = end
        if end < size:
            before[end] = start
        done.append(Joined(rank, start, middle, end))
        consider(start)
        if before[start] >= 0:
            consider(before[start])
    return done


def join_with_dropout(
    symbols: Sequence[str], ranks: MergeRanks, dropout: float, seed: int
) -> list[Joined]:
    """As `join_all`, but each possible merge is left out with a probability, anew each time.

    Provilkov, Emelianenko & Voita, "BPE-Dropout", ACL 2020,
    https://arxiv.org/abs/1910.13267, algorithm 1. The word is finished when every merge
    that is possible was left out.
    """
    chance = random.Random(seed)
    tokens = list(symbols)
    starts = list(range(len(symbols) + 1))
    done: list[Joined] = []
    while True:
        best: tuple[int, int] | None = None
        for place in range(len(tokens) - 1):
            rank = ranks.rank(tokens[place], tokens[place + 1])
            if rank is None or chance.random() < dropout:
                continue
            if best is None or (rank, place) < best:
                best = rank, place
        if best is None:
            return done
        rank, place = best
        done.append(Joined(rank, starts[place], starts[place + 1], starts[place + 2]))
        tokens[place : place + 2] = [tokens[place] + tokens[place + 1]]
        del starts[place + 1]


def segment(symbols: Sequence[str], ranks: MergeRanks) -> list[str]:
    """The tokens of a word, without its history."""
    if ranks.variant is not Variant.RANK and "".join(symbols) in ranks.by_token:
        return ["".join(symbols)]
    dead = {joined.middle for joined in join_all(symbols, ranks)}
    starts = [place for place in range(len(symbols)) if place not in dead]
    ends = [*starts[1:], len(symbols)]
    return ["".join(symbols[a:b]) for a, b in zip(starts, ends, strict=True)] if symbols else []
