"""GPT-2's alphabet of 256 printable characters, one for each byte.

Byte-level BPE works on the bytes of UTF-8, and its files want text: printable Latin-1
bytes stand for themselves, the other 68 move up to U+0100 and beyond, so that the space
is written Ġ and the newline Ċ. Radford et al., "Language Models are Unsupervised
Multitask Learners", 2019; `bytes_to_unicode` in openai/gpt-2's encoder.py.
"""

from typing import Final

from core.errors import InputError

_PRINTABLE: Final = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))
_MOVED: Final = tuple(byte for byte in range(256) if byte not in _PRINTABLE)

BYTE_TO_CHARACTER: Final = tuple(
    chr(byte) if byte in _PRINTABLE else chr(0x100 + _MOVED.index(byte)) for byte in range(256)
)
ALPHABET: Final = tuple(sorted(BYTE_TO_CHARACTER))
"""The characters in order of code point: the order of GPT-2's first 256 ids."""

_TO_BYTE: Final = {character: byte for byte, character in enumerate(BYTE_TO_CHARACTER)}


def from_bytes(data: bytes) -> str:
    """Write bytes with one printable character each."""
    return "".join([BYTE_TO_CHARACTER[byte] for byte in data])


def from_text(text: str) -> str:
    """Write the UTF-8 bytes of a text with one printable character each."""
    return from_bytes(text.encode("utf-8"))


def to_bytes(token: str) -> bytes:
    """Read a byte-level token back; InputError if a character stands for no byte."""
    try:
        return bytes([_TO_BYTE[character] for character in token])
    except KeyError as error:
        raise InputError(
            f"{token!r} is not a byte-level token: {error.args[0]!r} stands for no byte. "
            "Byte-level tokens are written with GPT-2's 256 characters (a space is Ġ)."
        ) from error


def is_byte_level(token: str) -> bool:
    """Whether every character of a token stands for a byte."""
    return all(character in _TO_BYTE for character in token)


def fallback_tokens(data: bytes) -> list[str]:
    """The tokens that stand for single bytes in vocabularies of characters: <0xE2> and so on."""
    return [f"<0x{byte:02X}>" for byte in data]
