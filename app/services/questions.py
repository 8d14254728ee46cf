"""Questions that a reader predicts the answer of: a model answers them, nobody writes them down.

A lesson names one of `QUESTIONS`, and what it is asked about stands in the step's link or beside
the name.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import MISSING, dataclass, fields
from typing import Final, Protocol, TypeVar

import numpy as np

from app.services import decoder, encoder, engine, models, silencing, text_maps
from app.services.engine import TextTrace
from app.style.visible_space import visible
from core.catalog import Family
from core.errors import InputError
from core.explain.predictions.token_distribution import TokenDistribution
from core.interventions import SilenceHead
from core.trace import AttentionKind, Encoding

Value = TypeVar("Value")
MARKS: Final = "Ġ▁#"  # of a token that begins a word, or goes on with one
OFFERED: Final = 5  # words to choose from


class Wait(Protocol):
    """How whoever asks waits for a model."""

    def __call__(self, future: Future[Value], /) -> Value: ...


@dataclass(frozen=True, slots=True)
class Answers:
    """All that can be said, and the model's number of each: the largest is right."""

    options: tuple[str, ...]
    values: tuple[float, ...]
    measure: str  # what the numbers are

    @property
    def right(self) -> int:
        return int(np.argmax(self.values))

    def is_right(self, option: int) -> bool:
        """Ties are right, too."""
        return self.values[option] == self.values[self.right]


class Question(Protocol):
    """What a lesson asks."""

    def answers(self, wait: Wait) -> Answers:
        """Raises InputError for what is not in the text, and what the model raises."""
        ...


@dataclass(frozen=True, slots=True)
class AttendedToken:
    """Which token does a head's row give most weight to?"""

    model: str
    text: str
    head: str
    word: str
    pair: str = ""

    def answers(self, wait: Wait) -> Answers:
        seen = _Seen.of(self.model, self.text, self.pair, wait)
        query = _place(seen.tokens, self.word)
        row = seen.row(_head(self.head), query)
        keys = np.flatnonzero(seen.allowed(query))
        return Answers(
            tuple(visible(seen.tokens.tokens[key]) for key in keys),
            tuple(float(row[key]) for key in keys),
            "attention weight",
        )


@dataclass(frozen=True, slots=True)
class LikeliestWord:
    """Which word comes next, or stands behind the mask? Of the model's likeliest ones."""

    model: str
    text: str

    def answers(self, wait: Wait) -> Answers:
        said = wait(silencing.predictions(_asked(self.model, self.text, wait), ()))[0]
        every = encoder if _is_encoder(self.model) else decoder
        vocabulary = wait(every.vocabulary(self.model))
        offered = sorted(said.top(OFFERED), key=lambda token: vocabulary[token].strip(MARKS))
        return Answers(
            tuple(visible(vocabulary[token].lstrip(MARKS)) for token in offered),
            tuple(map(said.probability, offered)),
            "probability",
        )


@dataclass(frozen=True, slots=True)
class CostliestHead:
    """Which of some heads, silenced, takes most from the model's own answer?"""

    model: str
    text: str
    heads: str

    def answers(self, wait: Wait) -> Answers:
        asked = _asked(self.model, self.text, wait)
        heads = tuple(map(_head, self.heads.split(",")))
        runs = [silencing.predictions(asked, (SilenceHead(*head),)) for head in heads]
        lost = tuple(_lost(*wait(run)) for run in runs)
        return Answers(tuple(map(_named, heads)), lost, "loss of probability")


QUESTIONS: Final[Mapping[str, Callable[..., Question]]] = {
    "attended token": AttendedToken,
    "likeliest word": LikeliestWord,
    "costliest head": CostliestHead,
}


def question(ask: str, said: Mapping[str, str], link: Mapping[str, str]) -> Question:
    """What is asked: what is `said` of it, the rest as the link has it. Raises InputError."""
    made = QUESTIONS.get(ask)
    if made is None:
        raise InputError(f"There is no question “{ask}”; {', '.join(QUESTIONS)} go.")
    known = fields(made)  # type: ignore[arg-type]
    names = [field.name for field in known]
    for name in said:
        if name not in names:
            raise InputError(f"“{ask}” has no field “{name}”; {', '.join(names)} go.")
    given = {name: link[name] for name in names if name in link} | dict(said)
    for field in known:
        if field.name not in given and field.default is MISSING:
            raise InputError(f"“{ask}” needs “{field.name}”, here or in the step's link.")
    return made(**given)


@dataclass(frozen=True, slots=True)
class _Seen:
    """A traced text whose maps are of one kind."""

    traced: TextTrace
    kind: AttentionKind
    tokens: Encoding

    @classmethod
    def of(cls, model: str, text: str, pair: str, wait: Wait) -> "_Seen":
        request, future = engine.request_maps(model, text, pair=pair or None)
        traced = TextTrace(request, wait(future))
        (kind,) = traced.trace.layers
        return cls(traced, kind, text_maps.encodings(traced.trace, kind)[0])

    def row(self, head: tuple[int, int], query: int) -> np.ndarray:
        trace = self.traced.trace
        if head[0] >= trace.n_layers() or head[1] >= trace.n_heads(layer=head[0]):
            raise InputError(f"{trace.model_id} has no head {_named(head)}.")
        return text_maps.weights(self.traced, self.kind, head[0])[head[1], query]

    def allowed(self, query: int) -> np.ndarray:
        return self.traced.trace.attention(0, kind=self.kind).allowed()[query]


def _asked(model: str, text: str, wait: Wait) -> silencing.Question:
    """At the mask, or behind the last token."""
    seen = _Seen.of(model, text, "", wait)
    place = len(seen.tokens) - 1
    if _is_encoder(model):
        place = _place(seen.tokens, wait(encoder.profile(model)).mask_token)
    return silencing.Question(model, text, place)


def _is_encoder(model: str) -> bool:
    card = models.card_of(model)
    return card is not None and card.family == Family.TEXT_ENCODER


def _place(encoding: Encoding, word: str) -> int:
    """Where a word first stands as one token."""
    bare = [token.lstrip(MARKS) for token in encoding.tokens]
    if word not in bare:
        raise InputError(f"“{word}” is no token of this text. Its tokens: {' · '.join(bare)}.")
    return bare.index(word)


def _head(given: str) -> tuple[int, int]:
    layer, _, head = given.strip().partition(".")
    if not (layer.isdecimal() and head.isdecimal()):
        raise InputError(f"“{given}” is no head; layer and head go, such as 3.1.")
    return int(layer), int(head)


def _named(head: tuple[int, int]) -> str:
    return f"{head[0]}.{head[1]}"


def _lost(before: TokenDistribution, after: TokenDistribution) -> float:
    answer = before.top(1)[0]
    return before.probability(answer) - after.probability(answer)
