"""Rules that can't work: illegal ones, and ones that no word ever reaches.

A training can't produce them, a hand-written or cut list can. Whether a rule is reached is
decided on the token's own letters: as long as no merge crosses its border, a token's inside
goes the same way in every word.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.tokenization.bpe.segmentation import MergeRanks, Pair, join_all, merge_ranks


class Flaw(StrEnum):
    """What is wrong with a rule."""

    DUPLICATE = "duplicate"
    MARKER = "end-of-word marker in the wrong place"
    MISSING_PART = "a part that nothing makes"
    LATE_PART = "a part that is made only later"
    UNREACHABLE = "never reached"


@dataclass(frozen=True, slots=True)
class RuleFlaw:
    """A rule and what is wrong with it, in words."""

    rank: int
    pair: Pair
    flaw: Flaw
    reason: str
    other: int | None
    """Rank of the rule that is the cause, where there is one."""


def audit(
    merges: Sequence[Pair],
    end_of_word: str | None = None,
    glued: bool = False,
    *,
    alphabet: Collection[str] | None = None,
) -> tuple[RuleFlaw, ...]:
    """All flaws of a list of merges, in order of rank.

    Without an alphabet every single character counts as an initial symbol.
    """
    marker = end_of_word or ""
    made_at: dict[str, int] = {}
    first: dict[Pair, int] = {}
    for rank, pair in enumerate(merges):
        made_at.setdefault("".join(pair), rank)
        first.setdefault(pair, rank)
    ranks = merge_ranks(merges)
    flaws: list[RuleFlaw] = []
    for rank, pair in enumerate(merges):
        flaw = _flaw(rank, pair, first, made_at, marker=marker, glued=glued, alphabet=alphabet)
        if flaw is None:
            flaw = _unreached(rank, pair, ranks, merges, marker=marker, glued=glued)
        if flaw is not None:
            flaws.append(flaw)
    return tuple(flaws)


def _flaw(
    rank: int,
    pair: Pair,
    first: dict[Pair, int],
    made_at: dict[str, int],
    *,
    marker: str,
    glued: bool,
    alphabet: Collection[str] | None,
) -> RuleFlaw | None:
    if first[pair] < rank:
        reason = f"the same rule stands at rank {first[pair]} already"
        return RuleFlaw(rank, pair, Flaw.DUPLICATE, reason, first[pair])
    if marker and marker in pair[0]:
        reason = f"{pair[0]!r} ends a word, so nothing can follow it"
        return RuleFlaw(rank, pair, Flaw.MARKER, reason, None)
    if marker and glued and pair[1] == marker:
        reason = f"{marker!r} stands alone here, but it is glued to the last letter"
        return RuleFlaw(rank, pair, Flaw.MARKER, reason, None)
    for part in pair:
        if _is_initial(part, marker, glued=glued, alphabet=alphabet):
            continue
        made = made_at.get(part)
        if made is None:
            reason = f"no rule makes {part!r}, and it is no initial symbol"
            return RuleFlaw(rank, pair, Flaw.MISSING_PART, reason, None)
        if made >= rank:
            reason = f"{part!r} is made only by rank {made}, after this rule"
            return RuleFlaw(rank, pair, Flaw.LATE_PART, reason, made)
    return None


def _unreached(
    rank: int,
    pair: Pair,
    ranks: MergeRanks,
    merges: Sequence[Pair],
    *,
    marker: str,
    glued: bool,
) -> RuleFlaw | None:
    symbols = _symbols("".join(pair), marker, glued=glued)
    joined = join_all(symbols, ranks)
    if joined and joined[-1].rank == rank and joined[-1].end - joined[-1].start == len(symbols):
        return None
    border = len(_symbols(pair[0], marker, glued=False))
    thief = next((merge for merge in joined if merge.start < border < merge.end), None)
    token = "".join(pair)
    if thief is None:
        last = joined[-1].rank if joined else None
        reason = f"the letters of {token!r} never become {pair[0]!r} and {pair[1]!r}"
        return RuleFlaw(rank, pair, Flaw.UNREACHABLE, reason, last)
    left, right = merges[thief.rank]
    reason = f"in {token!r}, rank {thief.rank} ({left} {right}) joins across its two parts first"
    return RuleFlaw(rank, pair, Flaw.UNREACHABLE, reason, thief.rank)


def _symbols(token: str, marker: str, *, glued: bool) -> list[str]:
    if not marker or not token.endswith(marker):
        return list(token)
    letters = list(token.removesuffix(marker))
    if glued and letters:
        letters[-1] += marker
        return letters
    return [*letters, marker]


def _is_initial(symbol: str, marker: str, *, glued: bool, alphabet: Collection[str] | None) -> bool:
    if alphabet is not None:
        return symbol in alphabet
    if len(symbol) == 1 or (marker and symbol == marker and not glued):
        return True
    return glued and len(symbol.removesuffix(marker)) == 1
