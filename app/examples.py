"""The texts that pages offer: the lectures' own, and a few that make a point."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Example:
    """A text (or a pair) behind a chip, and what to look for in it."""

    label: str
    text: str
    pair: str = ""


ATTENTION = (
    Example("it → animal", "The animal didn't cross the street because it was too tired."),
    Example("subject and verb", "The keys to the old wooden cabinet are on the kitchen table."),
    Example("a sentence pair", "The man went to the store.", "He bought a gallon of milk."),
    Example("no pair", "The man went to the store.", "Penguins are flightless."),
    Example("special today", "The sewage treatment plant smells particularly special today"),
    Example("word pieces", "Tokenizers split antidisestablishmentarianism unapologetically."),
)
