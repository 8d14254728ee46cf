"""The texts that pages offer: the lectures' own, and a few that make a point."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Example:
    """A text (or a pair) behind a chip, and what to look for in it."""

    label: str
    text: str
    pair: str = ""
    heads: tuple[tuple[int, int], ...] = ((3, 1),)  # (layer, head)
    pin: int = -1  # the token whose attention is shown alone; -1: all
    cell: tuple[int, int] | None = None


ATTENTION = (
    Example(
        "a pronoun",
        "The animal didn't cross the street because it was too tired.",
        heads=((3, 1),),
        pin=10,
        cell=(10, 2),
    ),
    Example("subject and verb", "The keys to the old wooden cabinet are on the kitchen table."),
    Example("a sentence pair", "The man went to the store.", "He bought a gallon of milk."),
    Example("no pair", "The man went to the store.", "Penguins are flightless."),
    Example("special today", "The sewage treatment plant smells particularly special today"),
    Example(
        "two masks",
        "the man went to the [MASK] to buy a [MASK] of milk",
    ),
    Example("background music", "Background music from a"),
    Example("word pieces", "Tokenizers split antidisestablishmentarianism unapologetically."),
)
