"""What is asked in such a view, as it stands in links."""

from dataclasses import dataclass
from typing import Any, cast

import streamlit as st

from app.ui.cell_params import OneCell
from app.ui.options import WIDGET, option_widget
from app.ui.param import Param
from app.ui.param_values import Cell, every_cell
from app.ui.params import Scope, Text


@dataclass(frozen=True)
class CircuitParams:
    """One view's."""

    scope: Scope
    head: OneCell  # None: `first`
    first: Cell
    tokens: Text  # empty: those of the page's text
    cell: Param[Cell | None]  # of the OV circuit's map: source, written

    @classmethod
    def of(cls, scope: Scope, first: Cell) -> "CircuitParams":
        """first: the head that is shown at first, where the model has it."""
        return cls(scope, scope.cell("circuit"), first, scope.text("tokens"), scope.cell("ov"))

    def choices(self, layers: int, heads: int, of: str = "text") -> Cell:
        """Which head of so many, and which tokens: at first those of the page's text."""
        every = every_cell([heads] * layers)
        first = self.first if self.first in every else every[0]
        self.head.among(every)
        with st.container(width=190):
            option_widget(
                st.selectbox,
                "Head",
                every,
                lambda one: f"layer {one[0]}, head {one[1]}",
                key=self.head.key + WIDGET,
                shown=self.head.value or first,
                take=lambda one: self.head.put(None if one == first else cast("Cell", one)),
            )
        self.tokens.line(
            f"Tokens (empty: those of the {of})", placeholder="cat dog red blue", width=360
        )
        return self.head.value or first

    @property
    def every(self) -> tuple[Param[Any], ...]:
        return self.head, self.tokens, self.cell
