"""Questions on heads: where one looks, which one looks there, which one an answer needs."""

from dataclasses import dataclass

import numpy as np

from app.services import silencing
from app.services.questions.answers import Answers, Grid, Wait, largest
from app.services.questions.texts import OfMaps, asked, head, named, place
from app.style.visible_space import visible
from core.explain.predictions.token_distribution import TokenDistribution
from core.interventions import SilenceHead


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
