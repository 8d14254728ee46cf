"""Several tokenizers on one text: where they cut, and where they do not agree.

Only cuts between two letters of a word are compared. A space is the token's own in one
tokenizer and dropped in the next, so a cut beside a space says nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import regex

from core.errors import InputError
from core.tokenization.spans import TextTokenizer, TokenizedText

_WORD = regex.compile(r"[\p{L}\p{N}\p{M}]+(?:['’\-][\p{L}\p{N}\p{M}]+)*")


@dataclass(frozen=True, slots=True)
class Cut:
    """A place inside a word where some tokenizer cuts."""

    byte: int
    """Place in the text's UTF-8 bytes."""
    made_by: tuple[bool, ...]
    """For each tokenizer, whether it cuts here."""

    @property
    def disputed(self) -> bool:
        """Whether some cut here and some do not."""
        return not all(self.made_by)


@dataclass(frozen=True, slots=True)
class TextComparison:
    """One text through several tokenizers."""

    text: str
    rows: tuple[TokenizedText, ...]
    cuts: tuple[Cut, ...]
    agreement: float
    """Share of the places inside words on which all agree, cut or not; 1 without any."""

    def disputed_spans(self, row: int) -> tuple[int, ...]:
        """Indices of a tokenizer's tokens that begin or end at a disputed place."""
        disputed = {cut.byte for cut in self.cuts if cut.disputed}
        return tuple(
            number
            for number, span in enumerate(self.rows[row].spans)
            if span.byte_start in disputed or span.byte_end in disputed
        )


@dataclass(frozen=True, slots=True)
class Fertility:
    """How many tokens one tokenizer spends on one text."""

    tokenizer: str
    sample: str
    tokens: int
    words: int
    characters: int
    bytes: int
    unknown: int
    """Tokens that stand for something the tokenizer can't write."""
    premium: float
    """Tokens compared with the same tokenizer's on the first sample."""

    @property
    def tokens_per_word(self) -> float:
        """Fertility as usually given; for scripts without spaces, see tokens_per_character."""
        return self.tokens / max(1, self.words)

    @property
    def tokens_per_character(self) -> float:
        """Tokens for one code point."""
        return self.tokens / max(1, self.characters)

    @property
    def bytes_per_token(self) -> float:
        """Compression: UTF-8 bytes that a token stands for."""
        return self.bytes / max(1, self.tokens)


def compare(text: str, tokenizers: Sequence[TextTokenizer]) -> TextComparison:
    """Cut one text with each tokenizer and mark where they disagree."""
    rows = tuple(tokenizer.tokenize(text) for tokenizer in tokenizers)
    inside = _inside_words(text)
    borders = [
        {span.byte_start for span in row.spans} | {span.byte_end for span in row.spans}
        for row in rows
    ]
    places = sorted(set[int]().union(*borders) & inside) if borders else []
    cuts = tuple(Cut(place, tuple(place in cut for cut in borders)) for place in places)
    disputed = sum(cut.disputed for cut in cuts)
    agreement = 1.0 - disputed / len(inside) if inside else 1.0
    return TextComparison(text, rows, cuts, agreement)


def fertilities(
    samples: Mapping[str, str], tokenizers: Sequence[TextTokenizer]
) -> tuple[Fertility, ...]:
    """Token counts of each tokenizer on each sample, such as one text in several languages.

    The first sample is what the premium compares with (Petrov et al., "Language Model
    Tokenizers Introduce Unfairness Between Languages", NeurIPS 2023,
    https://arxiv.org/abs/2305.15425). InputError without samples, or for an empty one.
    """
    if not samples or not all(text.strip() for text in samples.values()):
        raise InputError("Each sample needs a text: give at least one, and none that is empty.")
    rows: list[Fertility] = []
    for tokenizer in tokenizers:
        base: int | None = None
        for name, text in samples.items():
            spans = tokenizer.tokenize(text).spans
            base = max(1, len(spans)) if base is None else base
            rows.append(
                Fertility(
                    tokenizer=tokenizer.title,
                    sample=name,
                    tokens=len(spans),
                    words=len(_WORD.findall(text)),
                    characters=len(text),
                    bytes=len(text.encode()),
                    unknown=sum(span.unknown for span in spans),
                    premium=len(spans) / base,
                )
            )
    return tuple(rows)


def _inside_words(text: str) -> set[int]:
    """Bytes before which both neighbours belong to one word; inside characters, too."""
    inside: set[int] = set()
    byte, previous_is_letter = 0, False
    for character in text:
        size = len(character.encode())
        is_letter = not character.isspace()
        if is_letter:
            inside.update(range(byte if previous_is_letter else byte + 1, byte + size))
        byte += size
        previous_is_letter = is_letter
    return inside
