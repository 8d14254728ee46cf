"""Questions on a number that a model computes: which of those on offer is nearest?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from app.services import encoder
from app.services.questions.answers import Answers, Wait
from app.services.questions.merges import NextMerge
from app.services.questions.pictures import sample, shares
from app.services.questions.texts import MARKS, OfMaps, head, place
from app.services.questions.words import told
from core.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Number(OfMaps):
    """How large is it? The nearest of `choices` is right, and all within `tolerance` of it."""

    of: str  # a name of AMOUNTS
    choices: str
    tolerance: str = "0"
    model: str = ""
    text: str = ""
    head: str = ""
    word: str = ""
    to: str = ""
    picture: str = ""
    corpus: str = ""
    end: str = "separate"
    list: str = ""
    merges: str = "10"

    def answers(self, wait: Wait) -> Answers:
        choices, tolerance = self.choices.split(","), _number(self.tolerance)
        measured = AMOUNTS.get(self.of)
        if measured is None:
            raise InputError(f"“{self.of}” is no number here; {', '.join(AMOUNTS)} go.")
        amount = measured(self, wait)
        off = [abs(_number(choice) - amount) for choice in choices]
        right = off.index(min(off))
        return Answers(
            tuple(map(str.strip, choices)),
            tuple(float(place == right) for place in range(len(choices))),
            self.of,
            right,
            frozenset(at for at, one in enumerate(off) if at == right or one <= tolerance),
            amount=amount,
        )


def _weight(asked: Number, wait: Wait) -> float:
    seen = asked.seen(wait)
    row = seen.row(head(asked.head), place(seen.queries, asked.word))
    return float(row[place(seen.keys, asked.to)])


def _follows(asked: Number, wait: Wait) -> float:
    return wait(encoder.next_sentence(asked.model, asked.text, asked.pair)).probability


def _probability(asked: Number, wait: Wait) -> float:
    said, vocabulary = told(asked.model, asked.text, wait)
    bare = [token.lstrip(MARKS) for token in vocabulary]
    tokens = [at for at, token in enumerate(bare) if token == asked.word]
    if not tokens:
        raise InputError(f"“{asked.word}” is no token of this model.")
    return max(map(said.probability, tokens))


def _sureness(asked: Number, wait: Wait) -> float:
    return float(shares(asked.model, sample(asked.picture), wait).max())


def _pieces(asked: Number, wait: Wait) -> float:
    encoded = NextMerge(
        asked.corpus, end=asked.end, merges=asked.merges, word=asked.word, list=asked.list
    )
    return float(len(encoded.pieces(wait)))


AMOUNTS: Final[Mapping[str, Callable[[Number, Wait], float]]] = {
    "attention weight": _weight,
    "probability that it follows": _follows,
    "probability": _probability,
    "probability of the class": _sureness,
    "pieces": _pieces,
}


def _number(given: str) -> float:
    try:
        return float(given)
    except ValueError:
        raise InputError(f"“{given.strip()}” is no number.") from None
