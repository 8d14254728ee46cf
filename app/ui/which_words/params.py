"""What is asked in such a view, as it stands in links."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from app.style.markdown_escape import plain
from app.ui.params import Choice, Number, Param, Scope, Text
from app.ui.token_choice import named_token
from core.explain.attribution.perturbation_curves import MOST_STEPS
from core.explain.attribution.registry import EvidenceMethod
from core.explain.attribution.token_registry import TOKEN_EVIDENCE

METHODS: Final[dict[str, EvidenceMethod]] = {method.id: method for method in TOKEN_EVIDENCE}
RANDOM: Final = "random"
SLOW: Final = (
    "value-zeroing",
    "integrated-gradients",
    "leave-one-out-edges",
)  # many forwards: asked for last
STRONGEST: Final = -1  # the token of the largest number


@dataclass(frozen=True)
class WordParams:
    """One view's."""

    scope: Scope
    word: Text  # which word is explained; empty: the model's own answer
    method: Choice[str]  # the row that is looked at
    token: Number[int]  # the cell of that row
    hidden: Number[int]  # up to this step of the curves, in the sentence below them

    @classmethod
    def of(cls, scope: Scope) -> "WordParams":
        return cls(
            scope,
            scope.text("for"),
            scope.choice(
                "method",
                {method.id: method.title for method in TOKEN_EVIDENCE},
                "leave-one-out",
            ),
            scope.whole("token", STRONGEST, 511, STRONGEST),
            scope.whole("hidden", 0, MOST_STEPS, 1),
        )

    def pick(self, own: int, vocabulary: Sequence[str]) -> int:
        """The token that is explained: the model's `own` answer, or one that the reader types."""
        word = self.word.line(
            "Explain this word instead (empty: the model's own answer)",
            placeholder=vocabulary[own],
            width=420,
            max_chars=60,
        ).strip()
        named = named_token(word, vocabulary) if word else own
        if named is None:
            st.caption(f"“{plain(word)}” is not one token here; the model's answer is explained.")
        return own if named is None else named

    @property
    def every(self) -> tuple[Param[Any], ...]:
        return self.word, self.method, self.token, self.hidden
