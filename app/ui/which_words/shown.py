"""The answer that is explained: its place, its word, its probability, and the text around it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Int64

from app.services.token_evidence import Asked, words_of
from app.style.markdown_escape import plain
from app.style.visible_space import visible
from core.catalog import ModelCard
from core.trace import Encoding


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """One token at one place, with all that its figure says of it."""

    card: ModelCard
    asked: Asked
    encoding: Encoding  # the text as the model read it
    vocabulary: Sequence[str]
    probability: float
    rank: int
    hue: Literal["encoder", "decoder"]

    @property
    def tokens(self) -> tuple[str, ...]:
        return self.encoding.tokens

    @property
    def place(self) -> int:
        return self.asked.target.position

    @property
    def answer(self) -> str:
        """The explained token, as it is read."""
        return visible(self.vocabulary[self.asked.target.token])

    @property
    def words(self) -> Int64[np.ndarray, " word"]:
        """The positions that can be hidden."""
        return words_of(self.encoding)

    @property
    def where(self) -> str:
        """The place in words."""
        return f"at position {self.place}" if self.hue == "encoder" else "as the next token"

    @property
    def caption(self) -> str:
        """Model, answer and text in one line."""
        text = " / ".join(filter(None, (self.asked.text[:200], self.asked.pair)))
        return f"{self.card.title} · {self.answer} {self.where} · “{text}”"

    def named(self, token: int) -> str:
        """A token of the text, in Markdown."""
        return plain(visible(self.tokens[token]))
