"""BERT's text cleaning and basic tokenizer, with the way back to the reader's own text.

Devlin et al., "BERT", NAACL 2019, https://arxiv.org/abs/1810.04805; google-research/bert,
tokenization.py, and normalizers/bert.rs of Hugging Face tokenizers, which this follows:
control characters go, whitespace becomes a space, Chinese characters stand alone, accents
are stripped where text is lowercased, and every punctuation mark is a word of its own.
"""

import unicodedata
from dataclasses import dataclass
from typing import Final

from core.tokenization.corpus import WordCounts, check_text

_CJK: Final = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
_ASCII_PUNCTUATION: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_KEPT_CONTROLS: Final = frozenset("\t\n\r")


@dataclass(frozen=True, slots=True)
class BasicWord:
    """A word of the cleaned text; `sources` are the characters that its letters came from."""

    text: str
    sources: tuple[int, ...]


def basic_words(text: str, *, lowercase: bool = True) -> tuple[BasicWord, ...]:
    """The words that WordPiece gets to see; InputError for lone surrogates."""
    check_text(text)
    words: list[BasicWord] = []
    letters: list[str] = []
    sources: list[int] = []

    def finish() -> None:
        if letters:
            words.append(BasicWord("".join(letters), tuple(sources)))
            letters.clear()
            sources.clear()

    for place, character in enumerate(text):
        for letter in _clean(character, lowercase=lowercase):
            if letter == " ":
                finish()
            elif is_punctuation(letter) or is_chinese(letter):
                finish()
                words.append(BasicWord(letter, (place,)))
            else:
                letters.append(letter)
                sources.append(place)
    finish()
    return tuple(words)


def count_basic_words(text: str, *, lowercase: bool = True) -> WordCounts:
    """Count the basic words of a text, first seen first."""
    counts: dict[str, int] = {}
    for word in basic_words(text, lowercase=lowercase):
        counts[word.text] = counts.get(word.text, 0) + 1
    return WordCounts(tuple(counts), tuple(counts.values()))


def is_punctuation(character: str) -> bool:
    """Punctuation to BERT: Unicode's, and all ASCII marks such as $ + ` too."""
    return character in _ASCII_PUNCTUATION or unicodedata.category(character).startswith("P")


def is_chinese(character: str) -> bool:
    """Whether a character lies in the CJK blocks that BERT takes apart (not kana, hangul)."""
    code_point = ord(character)
    return any(first <= code_point <= last for first, last in _CJK)


def _clean(character: str, *, lowercase: bool) -> str:
    if character in _KEPT_CONTROLS or character.isspace():
        # \v, \f and the separators below U+0020 are controls first, and so they go
        category = unicodedata.category(character)
        return " " if character in _KEPT_CONTROLS or category != "Cc" else ""
    if character == "\ufffd" or unicodedata.category(character).startswith("C"):
        return ""
    if not lowercase or character.isascii():
        return character.lower() if lowercase else character
    decomposed = unicodedata.normalize("NFD", character)
    return "".join(letter.lower() for letter in decomposed if unicodedata.category(letter) != "Mn")
