"""Questions on heads: where one looks, which one looks there, which one an answer needs."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from app.services import silencing
from app.services.questions.answers import Answers, Grid, Wait, largest
from app.services.questions.texts import OfMaps, asked, head, named, place
from app.style.number_format import three
from app.style.visible_space import visible
from core.explain.predictions.token_distribution import TokenDistribution
from core.interventions import Intervention, SilenceHead

FATES: Final = {  # of a probability: what is left of it is less than so many times what it was
    "less than half is left": 0.5,
    "it falls by a tenth or more": 0.9,
    "it stays, within a tenth": 1.1,
    "it rises by more than a tenth": np.inf,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AttendedToken(OfMaps):
    """Which token does a head's row give most weight to?"""

    head: str
    word: str

    def answers(self, wait: Wait) -> Answers:
        seen = self.seen(wait)
        query = place(seen.queries, self.word)
        row = seen.row(head(self.head), query)
        keys = np.flatnonzero(seen.allowed(query))
        return largest(
            [visible(seen.keys.tokens[key]) for key in keys],
            [float(row[key]) for key in keys],
            "attention weight",
            shares=True,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LookingHead(OfMaps):
    """Which of all heads gives most weight from one word to another?"""

    word: str
    to: str

    def answers(self, wait: Wait) -> Answers:
        seen = self.seen(wait)
        query, key = place(seen.queries, self.word), place(seen.keys, self.to)
        layers, heads = seen.shape
        every = [(layer, one) for layer in range(layers) for one in range(heads)]
        return largest(
            list(map(named, every)),
            [float(seen.row(one, query)[key]) for one in every],
            "attention weight",
            grid=Grid(layers, heads, ("layer", "head")),
        )


@dataclass(frozen=True, slots=True)
class Silenced:
    """What becomes of an answer's probability when the model is changed: silenced heads, edges."""

    at: silencing.Question
    changes: tuple[Intervention, ...]
    answer: int  # a token id

    def answers(self, wait: Wait) -> Answers:
        before, after = (
            said.probability(self.answer)
            for said in wait(silencing.predictions(self.at, self.changes))
        )
        right = next(place for place, most in enumerate(FATES.values()) if after < most * before)
        return Answers(
            tuple(FATES),
            tuple(float(place == right) for place in range(len(FATES))),
            f"its probability then; {three(before)} before",
            right,
            frozenset((right,)),
            amount=after,
        )


@dataclass(frozen=True, slots=True)
class CostliestHead:
    """Which of some heads, silenced, takes most from the model's own answer?"""

    model: str
    text: str
    heads: str

    def answers(self, wait: Wait) -> Answers:
        question = asked(self.model, self.text, wait)
        heads = tuple(map(head, self.heads.split(",")))
        runs = [silencing.predictions(question, (SilenceHead(*one),)) for one in heads]
        lost = [_lost(*wait(run)) for run in runs]
        return largest(list(map(named, heads)), lost, "loss of probability")


def _lost(before: TokenDistribution, after: TokenDistribution) -> float:
    answer = before.top(1)[0]
    return before.probability(answer) - after.probability(answer)
