r"""What a reader sees as one character, and what a tokenizer gets: code points and bytes.

Grapheme clusters are Unicode's (UAX #29), found by the regex package's \X: a family emoji
is one glyph, seven code points and 25 bytes.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import regex

from core.tokenization import byte_alphabet
from core.tokenization.corpus import check_text
from core.tokenization.spans import Span

_GRAPHEME: Final = regex.compile(r"\X")
_NAMES: Final = {"\n": "LINE FEED", "\t": "TAB", "\r": "CARRIAGE RETURN", "\0": "NULL"}


@dataclass(frozen=True, slots=True)
class Glyph:
    """One grapheme cluster with everything below it."""

    text: str
    start: int
    end: int
    byte_start: int
    byte_end: int
    code_points: tuple[str, ...]
    """U+0041 and so on."""
    names: tuple[str, ...]
    """Unicode's names of the code points."""
    bytes: tuple[int, ...]
    aliases: tuple[str, ...]
    """The bytes in GPT-2's alphabet."""
    visible: bool
    """False for spaces, controls and what else has no picture of its own."""


@dataclass(frozen=True, slots=True)
class NormalForm:
    """A text in one of Unicode's normal forms."""

    name: str
    text: str
    code_points: int
    byte_length: int
    is_input: bool
    """Whether the text came in this form."""


def glyphs(text: str) -> tuple[Glyph, ...]:
    """The grapheme clusters of a text; InputError for lone surrogates."""
    check_text(text)
    found: list[Glyph] = []
    byte_start = 0
    for match in _GRAPHEME.finditer(text):
        cluster = match.group()
        data = cluster.encode()
        found.append(
            Glyph(
                text=cluster,
                start=match.start(),
                end=match.end(),
                byte_start=byte_start,
                byte_end=byte_start + len(data),
                code_points=tuple(f"U+{ord(character):04X}" for character in cluster),
                names=tuple(_name(character) for character in cluster),
                bytes=tuple(data),
                aliases=tuple(byte_alphabet.from_bytes(data)),
                visible=any(
                    unicodedata.category(character)[0] not in "CZ" for character in cluster
                ),
            )
        )
        byte_start += len(data)
    return tuple(found)


def normal_forms(text: str) -> tuple[NormalForm, ...]:
    """A text composed (NFC), decomposed (NFD), and the same with compatibility (NFKC, NFKD)."""
    check_text(text)
    forms: list[NormalForm] = []
    for name in ("NFC", "NFD", "NFKC", "NFKD"):
        changed = unicodedata.normalize(name, text)
        forms.append(
            NormalForm(name, changed, len(changed), len(changed.encode()), changed == text)
        )
    return tuple(forms)


def splits_glyph(span: Span, clusters: Sequence[Glyph]) -> bool:
    """Whether a token begins or ends inside a grapheme cluster."""
    return any(
        cluster.byte_start < border < cluster.byte_end
        for border in (span.byte_start, span.byte_end)
        for cluster in clusters
    )


def _name(character: str) -> str:
    return _NAMES.get(character) or unicodedata.name(character, f"U+{ord(character):04X}")
