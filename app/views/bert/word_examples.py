"""Words with several senses, and sentences for them."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.views.bert import state


@dataclass(frozen=True)
class WordExample:
    """A word with several senses, sentences, and which sense each has: one letter a sentence."""

    word: str
    sentences: tuple[str, ...]
    senses: str


EXAMPLES = {
    "book": WordExample("book", state.BOOK, "aabb"),
    "bark": WordExample(
        "bark",
        (
            "The bark of the tree is brown.",
            "The bark of the oak is rough and grey.",
            "The dog began to bark.",
            "I heard the dog bark at night.",
        ),
        "aabb",
    ),
    "bank": WordExample(
        "bank",
        (
            "He sat on the bank of the river.",
            "The boat came to the bank of the river.",
            "She took the money to the bank.",
            "The bank gave a loan to the company.",
            "He works for a bank in London.",
        ),
        "aabbb",
    ),
    "may": WordExample(
        "may",
        (
            "He was born in May 1905.",
            "The film was released in May.",
            "It may rain in the morning.",
            "You may go home now.",
        ),
        "aabb",
    ),
    "match": WordExample(
        "match",
        (
            "The team won the match.",
            "He played his first match in 1994.",
            "She lit a match in the dark.",
            "He struck a match and lit his pipe.",
        ),
        "aabb",
    ),
}


def senses_of(word: str, sentences: Sequence[str]) -> str:
    """The sentences' senses, where they are an example's; empty for a reader's own."""
    example = EXAMPLES.get(word.casefold())
    if example is None:
        return ""
    known = dict(zip(example.sentences, example.senses, strict=True))
    found = "".join(known.get(sentence, "") for sentence in sentences)
    return found if len(found) == len(sentences) else ""
