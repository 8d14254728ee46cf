"""Two token sequences of one tokenizer, aligned: which tokens are the same, which stand alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

import numpy as np
from jaxtyping import Int64

from core.errors import InputError
from core.trace import Encoding, read_only

SHOWN = 60  # characters of a text that an error quotes


@dataclass(frozen=True, slots=True, eq=False)
class TokenPairs:
    """Which tokens of two sequences are the same, in their order."""

    first: Int64[np.ndarray, " pair"]  # their positions in the first sequence, rising
    second: Int64[np.ndarray, " pair"]
    lone_first: Int64[np.ndarray, " _"]  # positions without a partner
    lone_second: Int64[np.ndarray, " _"]

    def __len__(self) -> int:
        return len(self.first)

    @property
    def has_lone(self) -> bool:
        return len(self.lone_first) + len(self.lone_second) > 0

    def differing(self) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
        """Runs without a partner, as they stand in for each other; one of two may be empty."""
        ends = (len(self.first) + len(self.lone_first), len(self.second) + len(self.lone_second))
        places = [(-1, -1), *zip(self.first.tolist(), self.second.tolist(), strict=True), ends]
        runs = (
            (tuple(range(a + 1, c)), tuple(range(b + 1, d))) for (a, b), (c, d) in pairwise(places)
        )
        return tuple(run for run in runs if run != ((), ()))


def pair_tokens(first: Encoding, second: Encoding) -> TokenPairs:
    """Align two token sequences of one tokenizer.

    What both begin and end with is aligned first; between, the longest common runs (Ratcliff and
    Metzener's matching, Python's `difflib`). The same whichever comes first.

    Raises InputError where they have no token in common, special ones aside.
    """
    one, other = _signs(first), _signs(second)
    swapped = other < one  # difflib's answer depends on the order
    pairs = _matched(other, one) if swapped else _matched(one, other)
    ordered = [(b, a) for a, b in pairs] if swapped else pairs
    if all(first.special[a] for a, _ in ordered):
        raise InputError(
            f"“{_quoted(first)}” and “{_quoted(second)}” have no token in common, so nothing of "
            "them can be compared. Write two sentences that differ in a word or two."
        )
    firsts = np.array([a for a, _ in ordered], dtype=np.int64)
    seconds = np.array([b for _, b in ordered], dtype=np.int64)
    return TokenPairs(
        read_only(firsts),
        read_only(seconds),
        read_only(np.setdiff1d(np.arange(len(first)), firsts)),
        read_only(np.setdiff1d(np.arange(len(second)), seconds)),
    )


def _signs(encoding: Encoding) -> list[tuple[int, int]]:
    return list(zip(encoding.segments.tolist(), encoding.ids.tolist(), strict=True))


def _matched(
    one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    shorter = min(len(one), len(other))
    begin = next((i for i in range(shorter) if one[i] != other[i]), shorter)
    end = next((i for i in range(shorter - begin) if one[-1 - i] != other[-1 - i]), shorter - begin)
    between = SequenceMatcher(
        None, one[begin : len(one) - end], other[begin : len(other) - end], autojunk=False
    )
    return [
        *((i, i) for i in range(begin)),
        *(
            (begin + block.a + i, begin + block.b + i)
            for block in between.get_matching_blocks()
            for i in range(block.size)
        ),
        *((len(one) - end + i, len(other) - end + i) for i in range(end)),
    ]


def _quoted(encoding: Encoding) -> str:
    words = " ".join(
        token
        for token, special in zip(encoding.tokens, encoding.special, strict=True)
        if not special
    )
    return words if len(words) <= SHOWN else f"{words[:SHOWN].rstrip()} …"
