"""Every term on one map: layers by heads, the MLPs beside them, and what is left."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from app.components.heat_map import Cell, HeatMap
from app.ui.direct_logits.shown import Shown
from core.explain.attribution.logit_attribution import LogitAttribution, Term, Writer

CELL: Final = (52.0, 28.0)  # px
REST: Final = "neither head nor MLP: embeddings, biases, offsets of norms"
HEADS: Final = (Writer.ATTENTION, Writer.CROSS)


@dataclass(frozen=True, slots=True)
class Grid:
    """Where each term stands: the input above the layers, the readout below them."""

    layers: int
    heads: int  # of one kind
    crossed: bool  # whether there are cross-attention heads, too

    @classmethod
    def of(cls, found: LogitAttribution) -> "Grid":
        crossed = bool(found.of(Writer.CROSS))
        layers, heads = len(found.of(Writer.MLP)), len(found.of(Writer.ATTENTION))
        return cls(layers, heads // layers, crossed)

    @property
    def columns(self) -> tuple[str, ...]:
        kinds = ("self·", "cross·") if self.crossed else ("",)
        heads = [f"{kind}{head}" for kind in kinds for head in range(self.heads)]
        return *heads, "MLP", "rest"

    @property
    def rows(self) -> tuple[str, ...]:
        return "input", *map(str, range(self.layers)), "readout"

    def cell(self, term: Term) -> Cell:
        mlp = self.heads * (1 + self.crossed)
        row = 1 + (self.layers if term.layer is None else term.layer)
        match term.writer:
            case Writer.EMBEDDINGS:
                return 0, mlp + 1
            case Writer.MLP:
                return row, mlp
            case Writer.BIAS | Writer.READOUT:
                return row, mlp + 1
            case Writer.ATTENTION | Writer.CROSS:
                past = self.heads * (term.writer == Writer.CROSS)
                return row, past + (term.head or 0)

    def drawn(self, shown: Shown, found: LogitAttribution, what: str) -> HeatMap:
        values = np.full((len(self.rows), len(self.columns)), np.nan, dtype=np.float32)
        for term, value in zip(found.terms, found.values, strict=True):
            values[self.cell(term)] = value
        title = f"What each part writes to the {what}"
        return HeatMap(
            values=values,
            rows=self.rows,
            columns=self.columns,
            label=title,
            title=title,
            caption=f"{shown.card.title} · {title} {shown.where} · “{shown.text}”",
            row_title="layer",
            column_title="head",
            column_notes=("",) * (len(self.columns) - 1) + (REST,),
            numbers=True,
            cell=CELL,
        )
