"""Prompts from examples: none, one, a few; no Streamlit here."""

from dataclasses import dataclass
from typing import Final

import numpy as np

Pair = tuple[str, str]
FORMATS: Final = {
    "arrow": ("{x} ->", " {y}\n"),
    "question": ("Q: {x}\nA:", " {y}\n\n"),
    "colon": ("{x}:", " {y}\n"),
    "sentence": ("{x} is to", " {y}. "),
}


@dataclass(frozen=True, slots=True)
class ShotSet:
    """Examples of one task, and the question whose answer is watched."""

    title: str
    pairs: tuple[Pair, ...]
    query: str
    answer: str


PRESETS: Final = {
    "capitals": ShotSet(
        "Capitals",
        (
            ("Germany", "Berlin"),
            ("Italy", "Rome"),
            ("Japan", "Tokyo"),
            ("Spain", "Madrid"),
            ("Russia", "Moscow"),
            ("Austria", "Vienna"),
            ("Poland", "Warsaw"),
            ("Greece", "Athens"),
        ),
        "France",
        "Paris",
    ),
    "opposites": ShotSet(
        "Opposites",
        (
            ("big", "small"),
            ("old", "new"),
            ("left", "right"),
            ("high", "low"),
            ("day", "night"),
            ("black", "white"),
            ("first", "last"),
            ("open", "closed"),
        ),
        "north",
        "south",
    ),
    "plurals": ShotSet(
        "Plurals",
        (
            ("town", "towns"),
            ("river", "rivers"),
            ("school", "schools"),
            ("book", "books"),
            ("house", "houses"),
            ("song", "songs"),
            ("year", "years"),
            ("car", "cars"),
        ),
        "game",
        "games",
    ),
    "copy": ShotSet(
        "Copy",
        (
            ("river", "river"),
            ("music", "music"),
            ("king", "king"),
            ("summer", "summer"),
            ("school", "school"),
            ("water", "water"),
            ("history", "history"),
            ("game", "game"),
        ),
        "church",
        "church",
    ),
}


def read_pairs(text: str, most: int) -> tuple[Pair, ...]:
    """One example a line, “input -> output” (→ and = do, too); other lines are left out."""
    pairs: list[Pair] = []
    for line in text.splitlines():
        for sign in ("->", "→", "="):
            left, found, right = line.partition(sign)
            if found and left.strip() and right.strip():
                pairs.append((left.strip(), right.strip()))
                break
    return tuple(pairs[:most])


def write_pairs(pairs: tuple[Pair, ...]) -> str:
    return "\n".join(f"{x} -> {y}" for x, y in pairs)


def build(pairs: tuple[Pair, ...], query: str, style: str) -> str:
    """The prompt up to where the answer begins, with its space."""
    ask, reply = FORMATS[style]
    shots = "".join(ask.replace("{x}", x) + reply.replace("{y}", y) for x, y in pairs)
    return shots + ask.replace("{x}", query)


def shuffled(pairs: tuple[Pair, ...], seed: int) -> tuple[Pair, ...]:
    """The same inputs with each other's outputs, none with its own where that can be."""
    if len(pairs) < 2:
        return pairs
    random = np.random.default_rng(seed)
    order = random.permutation(len(pairs))
    answers = [""] * len(pairs)
    for place, source in zip(order, np.roll(order, 1), strict=True):  # one cycle moves every one
        answers[place] = pairs[source][1]
    return tuple((x, y) for (x, _), y in zip(pairs, answers, strict=True))
