"""120 everyday sentences of our own with a blank, and every word that fits it.

One half is for choosing settings, the other is only ever measured. No sentence is in the
training data with one of its answers. Every answer is one token of BERT's published vocabulary.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from core.training.common.datafiles import read_table

FILE: Final = Path(__file__).with_name("everyday.tsv")
BLANK: Final = "___"
FIRST: Final = 5  # guesses that count

MEANING: Final = (
    "everyday sentences of our own (core/training/common/everyday.tsv, the half that nothing is "
    "chosen by): share with a word that fits among the first five; "
)


class Half(StrEnum):
    """What a sentence may be used for."""

    CHOOSING = "choosing"
    MEASURED = "measured"


@dataclass(frozen=True, slots=True)
class Everyday:
    """A sentence with one `___`, and the words that fit there, in lower case."""

    sentence: str
    answers: frozenset[str]

    @property
    def beginning(self) -> str | None:
        """What stands before a blank that ends the sentence; None where more words follow."""
        before, after = self.sentence.split(BLANK)
        return None if any(character.isalpha() for character in after) else before.rstrip()


def everyday(half: Half) -> tuple[Everyday, ...]:
    """The sentences of one half, in the file's order."""
    rows = list(read_table(FILE, columns=3))[1:]  # without the header
    return tuple(
        Everyday(sentence, frozenset(answers.split()))
        for kept, sentence, answers in rows
        if kept == half
    )


def share_answered(
    questions: Iterable[Everyday], guesses: Callable[[Everyday], Iterable[str]]
) -> float:
    """Share of the questions with an answer among the model's first FIRST guesses.

    guesses: a model's tokens for a question, likeliest first; case and spaces don't count.
    """
    asked = list(questions)
    found = sum(
        not question.answers.isdisjoint(
            token.strip().lower() for token in list(guesses(question))[:FIRST]
        )
        for question in asked
    )
    return found / len(asked)
