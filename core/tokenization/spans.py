"""A text cut into tokens, each with its place in characters and in UTF-8 bytes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Span:
    """A token at its place in a text.

    A token may hold only some bytes of a character. Its bytes are then exact, and its
    characters are all those it touches, so that neighbours share one.
    """

    token: str
    id: int | None
    start: int
    """First character, and one past the last."""
    end: int
    byte_start: int
    byte_end: int
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class TokenizedText:
    """What one tokenizer makes of a text."""

    tokenizer: str
    text: str
    spans: tuple[Span, ...]

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens alone."""
        return tuple(span.token for span in self.spans)

    @property
    def ids(self) -> tuple[int | None, ...]:
        """The ids alone; None where a tokenizer has none."""
        return tuple(span.id for span in self.spans)


@runtime_checkable
class TextTokenizer(Protocol):
    """Anything that cuts a text into tokens with their places."""

    @property
    def title(self) -> str:
        """Name for readers."""
        ...

    @property
    def vocabulary_size(self) -> int:
        """Number of different tokens."""
        ...

    def tokenize(self, text: str) -> TokenizedText:
        """Cut a text, without special tokens around it; InputError for lone surrogates."""
        ...


@dataclass(frozen=True, slots=True)
class TextMap:
    """Where the characters of a text lie among its UTF-8 bytes, and the other way round."""

    byte_of: Sequence[int]
    """First byte of each character, and at the end the number of bytes."""
    character_of: Sequence[int]
    """Character of each byte, and at the end the number of characters."""

    def characters(self, byte_start: int, byte_end: int) -> tuple[int, int]:
        """All characters that a range of bytes touches."""
        if byte_end <= byte_start:
            place = self.character_of[byte_start]
            return place, place
        return self.character_of[byte_start], self.character_of[byte_end - 1] + 1


def text_map(text: str) -> TextMap:
    """The map of a text that UTF-8 can hold."""
    if text.isascii():
        places = range(len(text) + 1)
        return TextMap(places, places)
    byte_of: list[int] = []
    character_of: list[int] = []
    for number, character in enumerate(text):
        byte_of.append(len(character_of))
        character_of.extend([number] * len(character.encode()))
    byte_of.append(len(character_of))
    character_of.append(len(text))
    return TextMap(byte_of, character_of)
