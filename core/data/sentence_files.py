"""Sentences that a reader brings: a text file, one a line, checked before any model reads it."""

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from core.data.text_files import decoded
from core.errors import InputError
from core.limits import SENTENCE_CHARACTERS, SENTENCES

FEWEST: Final = 2  # one alone has no interval
LINE_END: Final = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Sentences:
    """What was read of a file."""

    name: str
    texts: tuple[str, ...]
    lines: tuple[int, ...]  # where each stands, from 1
    blank: int = 0  # lines left out, for there is nothing on them

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def digest(self) -> str:
        """SHA-256 of the sentences, in hexadecimal."""
        return sha256("\n".join(self.texts).encode()).hexdigest()


def read_sentences(name: str, content: bytes) -> Sentences:
    """Raises InputError for what is no text, holds no sentence, too many, or a line too long."""
    text = decoded(name, content)
    if "\0" in text:
        raise InputError(
            f"{name} is no plain text: it holds a byte 0. Save it as plain UTF-8 text, one "
            "sentence a line, and upload it again."
        )
    every = [line.strip() for line in LINE_END.split(text)]
    kept = [(number, line) for number, line in enumerate(every, 1) if line]
    _check(name, kept)
    blank = sum(1 for line in every[: kept[-1][0]] if not line)
    numbers, texts = zip(*kept, strict=True)
    return Sentences(name, texts, numbers, blank)


def _check(name: str, kept: list[tuple[int, str]]) -> None:
    if len(kept) < FEWEST:
        raise InputError(
            f"{name} holds {'one sentence' if kept else 'no sentence'}; {FEWEST} to {SENTENCES} "
            "go. Write one sentence a line, and upload it again."
        )
    long = [(number, len(line)) for number, line in kept if len(line) > SENTENCE_CHARACTERS]
    if long:
        number, size = long[0]
        more = f" So are {len(long) - 1} more lines." if long[1:] else ""
        raise InputError(
            f"Line {number:,} of {name} is {size:,} characters long; up to "
            f"{SENTENCE_CHARACTERS:,} go.{more} Write one sentence a line, or leave such lines "
            "out, and upload it again."
        )
    if len(kept) > SENTENCES:
        raise InputError(
            f"{name} holds {len(kept):,} sentences; up to {SENTENCES} go. Keep {SENTENCES} of its "
            "lines, and upload it again."
        )
