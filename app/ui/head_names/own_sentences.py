"""The names that a reader's own sentences gave a model's heads, for every view in this session."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

import streamlit as st
from typing_extensions import override

from app.ui.params import Flag, Scope, Text
from core.data.known_roles import Roles
from core.trace import AttentionKind

NAMED: Final = "uploads.named"
LEFT_OUT: Final = (
    "The link leaves out your sentences: whoever opens it sees names over the built-in ones."
)


@dataclass(frozen=True, slots=True, eq=False)
class OverOwn:
    """The last that were measured."""

    model_id: str
    roles: Mapping[AttentionKind, Roles]
    words: str  # "52 sentences of tales.txt"


class OverTheirs(Flag):
    """Whether heads are named over the reader's sentences, once the page's model has read them."""

    def __init__(self, scope: Scope, model: Text) -> None:
        super().__init__(scope.path, "own")
        self.model: Final = model

    @property
    @override
    def left_out(self) -> str:
        return LEFT_OUT if self.value and over_own(self.model.value) else ""


def remember(over: OverOwn) -> None:
    """For the other views, and pages."""
    st.session_state[NAMED] = over


def over_own(model_id: str) -> OverOwn | None:
    """None where the reader's sentences were not read by this model."""
    over = cast("OverOwn | None", st.session_state.get(NAMED))
    return over if over is not None and over.model_id == model_id else None
