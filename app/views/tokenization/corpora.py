"""Corpora: the chips, and how large an upload may be."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from app.ui.params import Param
from app.views.tokenization.state import BYTES, END, FORK, LECTURE, MERGES, SPLIT, WORD

LARGEST_UPLOAD: Final = 5  # MB


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
