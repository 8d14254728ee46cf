"""Words with several senses, and sentences for them."""

from dataclasses import dataclass

from app.views.bert import state


@dataclass(frozen=True)
class WordExample:
    """A word with several senses, and sentences."""

    word: str
    sentences: tuple[str, ...]


EXAMPLES = {
    "match": WordExample("match", state.MATCH),
    "bark": WordExample(
        "bark",
        (
            "The bark of the tree is brown.",
            "The bark of the oak is rough and grey.",
            "The dog began to bark.",
            "I heard the dog bark at night.",
        ),
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
    ),
    "book": WordExample(
        "book",
        (
            "He wrote a book about birds.",
            "The book was published in 1905.",
            "We want to book a room in the hotel.",
            "You can book a table.",
        ),
    ),
    "may": WordExample(
        "may",
        (
            "He was born in May 1905.",
            "The film was released in May.",
            "It may rain in the morning.",
            "You may go home now.",
        ),
    ),
}
