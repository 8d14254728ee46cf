"""What the questions on texts share: the text as a model sees it, a word's place, a head."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from app.services import encoder, engine, models, silencing, text_maps
from app.services.engine import TextTrace
from app.services.questions.answers import Wait
from core.catalog import Family
from core.errors import InputError
from core.trace import AttentionKind, Encoding

MARKS: Final = "Ġ▁#"  # of a token that begins a word, or goes on with one


@dataclass(frozen=True, slots=True)
class Seen:
    """A traced text and its maps of one kind."""

    traced: TextTrace
    kind: AttentionKind
    queries: Encoding
    keys: Encoding

    @classmethod
    def of(
        cls, model: str, text: str, wait: Wait, *, pair: str = "", target: str = "", kind: str = ""
    ) -> "Seen":
        """kind: whichever the model has, where it has but one."""
        request, future = engine.request_maps(model, text, pair=pair or None, target=target or None)
        traced = TextTrace(request, wait(future))
        kinds = {str(one): one for one in traced.trace.layers}
        chosen = kinds.get(kind, next(iter(kinds.values())))
        if kind and kind not in kinds:
            raise InputError(f"“{kind}” is no attention of this model; {', '.join(kinds)} go.")
        return cls(traced, chosen, *text_maps.encodings(traced.trace, chosen))

    @property
    def shape(self) -> tuple[int, int]:
        """Layers, and heads of each."""
        trace = self.traced.trace
        return trace.n_layers(self.kind), trace.n_heads(self.kind)

    def row(self, head: tuple[int, int], query: int) -> np.ndarray:
        layers, heads = self.shape
        if head[0] >= layers or head[1] >= heads:
            raise InputError(f"{self.traced.trace.model_id} has no head {named(head)}.")
        return text_maps.weights(self.traced, self.kind, head[0])[head[1], query]

    def allowed(self, query: int) -> np.ndarray:
        return self.traced.trace.attention(0, kind=self.kind).allowed()[query]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfMaps:
    """What is asked of a text's maps."""

    model: str
    text: str
    pair: str = ""
    target: str = ""
    kind: str = ""

    def seen(self, wait: Wait) -> Seen:
        return Seen.of(
            self.model, self.text, wait, pair=self.pair, target=self.target, kind=self.kind
        )


def asked(model: str, text: str, wait: Wait) -> silencing.Question:
    """At the mask, or behind the last token."""
    seen = Seen.of(model, text, wait)
    position = len(seen.queries) - 1
    if is_encoder(model):
        position = place(seen.queries, wait(encoder.profile(model)).mask_token)
    return silencing.Question(model, text, position)


def is_encoder(model: str) -> bool:
    card = models.card_of(model)
    return card is not None and card.family == Family.TEXT_ENCODER


def place(encoding: Encoding, word: str) -> int:
    """Where a word first stands as one token; "word#2": where it stands for the second time."""
    bare = [token.lstrip(MARKS) for token in encoding.tokens]
    said, mark, time = word.rpartition("#")
    sought, number = (said, int(time)) if mark and time.isdecimal() else (word, 1)
    places = [at for at, token in enumerate(bare) if token == sought]
    if not 1 <= number <= len(places):
        raise InputError(f"“{word}” is no token of this text. Its tokens: {' · '.join(bare)}.")
    return places[number - 1]


def word_at(encoding: Encoding, position: int) -> str:
    """The inverse."""
    bare = [token.lstrip(MARKS) for token in encoding.tokens]
    return f"{bare[position]}#{bare[: position + 1].count(bare[position])}"


def head(given: str) -> tuple[int, int]:
    """ "3.1" → (3, 1)."""
    layer, _, number = given.strip().partition(".")
    if not (layer.isdecimal() and number.isdecimal()):
        raise InputError(f"“{given}” is no head; layer and head go, such as 3.1.")
    return int(layer), int(number)


def named(head: tuple[int, int]) -> str:
    return f"{head[0]}.{head[1]}"
