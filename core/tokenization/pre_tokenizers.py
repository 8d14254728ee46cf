r"""Splitting a text into words before any merge: no token crosses such a border.

The patterns are the published ones. GPT-2: openai/gpt-2, encoder.py. r50k, cl100k and
o200k: openai/tiktoken, openai_public.py. They need the `regex` package (\p{L}, possessive
quantifiers). A pattern that a reader gives runs under a time limit: `(a+)+$` would hold
the interpreter for ever.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import regex

from core.errors import InputError

TIME_LIMIT: Final = 20.0
"""Seconds that one pattern may take over one text; the built-in ones need 1 s for 10 MB."""

_CUSTOM_TIME_LIMIT: Final = 5.0


@dataclass(frozen=True, slots=True)
class PreTokenizer:
    """A named way to split a text: every match of the pattern is a word."""

    name: str
    title: str
    pattern: str
    time_limit: float = TIME_LIMIT

    def words(self, text: str) -> list[str]:
        """All words of a text, in order; InputError when the pattern takes too long."""
        pattern = self._compiled()
        try:
            if pattern.groups:  # findall would return the groups and not the words
                found = [match.group() for match in self._matches(text)]
            else:
                found = pattern.findall(text, timeout=self.time_limit)
        except TimeoutError as error:
            raise self._too_slow() from error
        return [word for word in found if word]

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Start and end of each word of a text, in characters."""
        try:
            for match in self._matches(text):
                if match.end() > match.start():
                    yield match.span()
        except TimeoutError as error:
            raise self._too_slow() from error

    def _matches(self, text: str) -> Iterator["regex.Match[str]"]:
        return self._compiled().finditer(text, timeout=self.time_limit)

    def _compiled(self) -> "regex.Pattern[str]":
        # regex keeps compiled patterns, so this is a look-up after the first time
        return regex.compile(self.pattern)

    def _too_slow(self) -> InputError:
        return InputError(
            f"The pattern {self.pattern!r} was stopped after {self.time_limit:g} s. Nested "
            "repeats such as (a+)+ explode: write them without nesting, or with a++."
        )


WHOLE_TEXT: Final = PreTokenizer("whole-text", "The whole text is one word", r"(?s).+")
WHITESPACE: Final = PreTokenizer("whitespace", "Words between whitespace", r"[^\p{White_Space}]+")
WORDS_AND_PUNCTUATION: Final = PreTokenizer(
    "words-and-punctuation", "Words, punctuation apart", r"\w+|[^\w\s]+"
)
GPT2: Final = PreTokenizer(
    "gpt2",
    "GPT-2",
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
)
CL100K: Final = PreTokenizer(
    "cl100k",
    "GPT-4 (cl100k)",
    # tiktoken writes $ for (?![\s\S]), but there it means the very end of the text
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++(?![\s\S])|\s*[\r\n]|\s+(?!\S)|\s",
)
O200K: Final = PreTokenizer(
    "o200k",
    "GPT-4o (o200k)",
    "|".join(
        (
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
            r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
            r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"\p{N}{1,3}",
            r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
            r"\s*[\r\n]+",
            r"\s+(?!\S)",
            r"\s+",
        )
    ),
)

PRE_TOKENIZERS: Final = (WHITESPACE, WORDS_AND_PUNCTUATION, GPT2, CL100K, O200K, WHOLE_TEXT)


def custom(pattern: str, time_limit: float = _CUSTOM_TIME_LIMIT) -> PreTokenizer:
    """A reader's own pattern, whose every match is a word; InputError if it does not compile."""
    try:
        regex.compile(pattern)
    except (regex.error, OverflowError, RecursionError) as error:
        raise InputError(
            f"The pattern {pattern!r} does not compile: {error}. Every match becomes a word; "
            r"\S+ for instance splits at whitespace."
        ) from error
    return PreTokenizer("custom", f"Pattern {pattern}", pattern, time_limit)


def by_name(name: str) -> PreTokenizer:
    """The built-in pre-tokenizer of that name."""
    for pre_tokenizer in PRE_TOKENIZERS:
        if pre_tokenizer.name == name:
            return pre_tokenizer
    allowed = ", ".join(pre_tokenizer.name for pre_tokenizer in PRE_TOKENIZERS)
    raise InputError(f"There is no pre-tokenizer called {name!r}; there are {allowed}.")
