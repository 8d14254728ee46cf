"""What a BPE training is asked for: everything that, with a corpus, decides its merges."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.errors import InputError
from core.tokenization.bpe.tie_rules import TieRule
from core.tokenization.pre_tokenizers import GPT2, WHITESPACE, PreTokenizer, by_name
from core.tokenization.symbols import Marking

MAX_MERGES: Final = 100_000


@dataclass(frozen=True, slots=True)
class BPESettings:
    """The settings of one training, checked."""

    n_merges: int
    tie_rule: TieRule
    marking: Marking
    marker: str
    """The end-of-word marker; empty where there is none."""
    byte_level: bool
    pre_tokenizer: PreTokenizer
    min_frequency: int
    max_token_length: int | None = None
    """In the symbols that words start from: letters, or bytes; </w> apart is one."""


class StopReason(StrEnum):
    """Why a training ended."""

    AS_MANY_AS_ASKED = "as many merges as asked"
    NO_PAIR_LEFT = "no pair left"
    TOO_RARE = "all pairs below the minimum frequency"
    TOO_LONG = "every pair left makes too long a token"


def tie_rule_named(name: str) -> TieRule:
    """The tie rule of that name; InputError if there is none."""
    try:
        return TieRule(name)
    except ValueError as error:
        allowed = ", ".join(TieRule)
        raise InputError(f"There is no tie rule called {name!r}; there are {allowed}.") from error


def pre_tokenizer_for(choice: str | PreTokenizer | None, *, byte_level: bool) -> PreTokenizer:
    """The chosen pre-tokenizer; by default GPT-2's for bytes, and else whitespace."""
    if choice is None:
        return GPT2 if byte_level else WHITESPACE
    return by_name(choice) if isinstance(choice, str) else choice


def marking_for(end_of_word: str | None, *, glued: bool) -> Marking:
    """How the end of a word shows; InputError for a glued marker that does not exist."""
    if end_of_word:
        return Marking.GLUED if glued else Marking.SEPARATE
    if glued:
        raise InputError("glued=True needs an end-of-word marker to glue, such as '</w>'.")
    return Marking.NONE


def check_numbers(n_merges: int, min_frequency: int, max_token_length: int | None = None) -> None:
    """InputError for a number that is out of range."""
    if not 0 <= n_merges <= MAX_MERGES:
        raise InputError(f"{n_merges} merges were asked for; 0 to {MAX_MERGES:,} are allowed.")
    if min_frequency < 1:
        raise InputError(f"The minimum frequency is {min_frequency}; it starts at 1.")
    if max_token_length is not None and max_token_length < 2:
        raise InputError(
            f"Tokens of at most {max_token_length} symbol can't be merged from two: allow 2 or "
            "more, or set no limit."
        )
