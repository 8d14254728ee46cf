"""The names that a reader's own sentences gave a model's heads, for every view in this session."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

import streamlit as st

from core.data.known_roles import Roles
from core.trace import AttentionKind

NAMED: Final = "uploads.named"


@dataclass(frozen=True, slots=True, eq=False)
class OverOwn:
    """The last that were measured."""

    model_id: str
    roles: Mapping[AttentionKind, Roles]
    words: str  # "52 sentences of tales.txt"


def remember(over: OverOwn) -> None:
    """For the other views, and pages."""
    st.session_state[NAMED] = over


def over_own(model_id: str) -> OverOwn | None:
    """None where the reader's sentences were not read by this model."""
    over = cast("OverOwn | None", st.session_state.get(NAMED))
    return over if over is not None and over.model_id == model_id else None
