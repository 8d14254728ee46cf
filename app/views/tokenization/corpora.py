"""Corpora: the chips, what a reader types, and what a reader uploads."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from app.ui.params import Param
from app.views.tokenization.state import BYTES, END, FORK, LECTURE, MERGES, SPLIT, WORD
from core.errors import InputError

MOST_COUNTED: Final = 50_000  # words of a typed list
LARGEST_COUNT: Final = 1_000_000_000
LARGEST_UPLOAD: Final = 5  # MB
_ENTRY: Final = re.compile(r"(\S.*?)[\s:=×]+(\d{1,19})", re.DOTALL)

Counts = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Example:
    """A corpus behind a chip; `settings` are those that differ from the defaults."""

    label: str
    text: str
    read: str = "counts"
    settings: Mapping[Param[Any], object] = field(default_factory=dict[Param[Any], object])


COURSE = (
    "This is the Hugging Face Course.\nThis chapter is about tokenization.\n"
    "This section shows several tokenizer algorithms.\nHopefully, you will be able to understand "
    "how they are trained and generate tokens."
)
GERMAN = (
    "Die Abwasserbehandlungsanlage behandelt das Abwasser der Stadt. In der Anlage wird das "
    "Wasser behandelt, und nach der Behandlung ist das Abwasser wieder Wasser. Eine Wasseranlage "
    "ohne Abwasserbehandlung ist keine Behandlungsanlage."
)
MANY = "naïve café · 你好 你好吗 你好世界 · привет мир · 👍🏽 👍🏿 👍 · नमस्ते नमस्ते · שלום שלום"

EXAMPLES: Final = (
    Example("low, lower …", LECTURE),
    Example("</w> glued", LECTURE, settings={FORK: "end-glued"}),
    Example(
        "hug, pug, pun",
        "hug 10, pug 5, pun 12, bun 4, hugs 5",
        settings={END: "none", WORD: "bug"},
    ),
    Example(
        "the HF course",
        COURSE,
        "text",
        {MERGES: 19, BYTES: True, SPLIT: "gpt2", WORD: " tokens"},
    ),
    Example(
        "aaa: count ≠ merges",
        "aaabdaaabac",
        "text",
        {END: "none", MERGES: 4, WORD: "aaab"},
    ),
    Example(
        "German",
        GERMAN,
        "text",
        {
            MERGES: 60,
            SPLIT: "words-and-punctuation",
            WORD: "Abwasserbehandlungsanlage",
        },
    ),
    Example(
        "many scripts",
        MANY,
        "text",
        {MERGES: 40, BYTES: True, SPLIT: "gpt2", WORD: "你好"},
    ),
)


def read_counts(text: str) -> Counts:
    """ "low 5, lower 2" → (("low", 5), ("lower", 2)); a word that comes twice is added up."""
    counts: dict[str, int] = {}
    for entry in re.split(r"[,;\n]", text):
        bare = entry.strip()
        if not bare:
            continue
        found = _ENTRY.fullmatch(bare)
        if found is None:
            raise InputError(
                f"“{bare[:60]}” is no word with its count. Write each word and its number, such as "
                "“low 5, lower 2”, or read the corpus as a text."
            )
        word, count = found[1], int(found[2])
        if not 1 <= count <= LARGEST_COUNT:
            raise InputError(f"“{word[:60]}” has the count {count}; 1 to {LARGEST_COUNT:,} go.")
        counts[word] = min(LARGEST_COUNT, counts.get(word, 0) + count)
    if not counts:
        raise InputError("The corpus is empty. Write words with their counts: “low 5, lower 2”.")
    if len(counts) > MOST_COUNTED:
        raise InputError(f"{len(counts):,} words with counts; {MOST_COUNTED:,} go. Upload a text.")
    return tuple(counts.items())


def write_counts(counts: Counts) -> str | None:
    """The same in one line; None where a word would not come back as it is."""
    text = ", ".join(f"{word} {count}" for word, count in counts)
    try:
        return text if read_counts(text) == counts else None
    except InputError:
        return None
