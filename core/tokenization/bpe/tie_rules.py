"""What decides between equally frequent pairs: five tools, five rules.

Ties are the normal case: of the first 1000 merges on subword-nmt's own test corpus, 809
are ties. None of the papers says what to do, so each tool has its own answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from core.tokenization import byte_alphabet


class TieRule(StrEnum):
    """Which of several equally frequent pairs is merged."""

    FIRST_SEEN = "first-seen"
    """Met first in the corpus as it stands: minbpe, tiktoken's educational code."""
    GREATEST_STRINGS = "greatest-strings"
    """Greatest (left, right), compared by code points: subword-nmt."""
    GREATEST_BYTES = "greatest-bytes"
    """Greatest (left, right), compared byte by byte: Stanford CS336."""
    SMALLEST_IDS = "smallest-ids"
    """Smallest (id of left, id of right): Hugging Face tokenizers."""
    SHORTEST_PIECE = "shortest-piece"
    """Fewest characters when joined, then the smallest string: SentencePiece."""


@dataclass(frozen=True, slots=True)
class TieRuleCard:
    """A tie rule for readers: who uses it, and how its comparison reads."""

    rule: TieRule
    title: str
    used_by: str
    comparison: str


TIE_RULES: Final = (
    TieRuleCard(
        TieRule.FIRST_SEEN,
        "First seen",
        "minbpe, tiktoken's educational code, Sennrich et al.'s toy",
        "the pair that comes first in the corpus as it stands now",
    ),
    TieRuleCard(
        TieRule.GREATEST_STRINGS,
        "Greatest strings",
        "subword-nmt",
        "the greatest (left, right) in the order of Unicode code points",
    ),
    TieRuleCard(
        TieRule.GREATEST_BYTES,
        "Greatest bytes",
        "Stanford CS336",
        "the greatest (left, right), byte by byte",
    ),
    TieRuleCard(
        TieRule.SMALLEST_IDS,
        "Smallest ids",
        "Hugging Face tokenizers",
        "the smallest (id of left, id of right): the oldest tokens first",
    ),
    TieRuleCard(
        TieRule.SHORTEST_PIECE,
        "Shortest piece",
        "SentencePiece",
        "the fewest characters when joined, then the smallest string",
    ),
)


@dataclass(frozen=True, slots=True)
class TokenNames:
    """What the rules may look at in a token; the lists grow while training goes on."""

    strings: Sequence[str]
    sizes: Sequence[int]
    """Length of each token in initial symbols."""
    byte_level: bool


TieKey: TypeAlias = tuple[str, str] | tuple[bytes, bytes] | tuple[int, int] | tuple[int, str]


def tie_key(rule: TieRule, left: int, right: int, names: TokenNames) -> TieKey:
    """What a rule compares; FIRST_SEEN compares places, which a pair does not know."""
    strings = names.strings[left], names.strings[right]
    match rule:
        case TieRule.GREATEST_STRINGS:
            return strings
        case TieRule.GREATEST_BYTES if names.byte_level:
            return byte_alphabet.to_bytes(strings[0]), byte_alphabet.to_bytes(strings[1])
        case TieRule.GREATEST_BYTES:
            return strings[0].encode(), strings[1].encode()
        case TieRule.SMALLEST_IDS:
            return left, right
        case TieRule.SHORTEST_PIECE:
            return names.sizes[left] + names.sizes[right], "".join(strings)
        case TieRule.FIRST_SEEN:
            raise ValueError("first-seen compares places in the corpus")


def takes_greatest(rule: TieRule) -> bool:
    """Whether the greatest key wins (and not the smallest)."""
    return rule in (TieRule.GREATEST_STRINGS, TieRule.GREATEST_BYTES)
