"""Patch from another sentence: which place carries what tells the two apart."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import streamlit as st

from app.components.head_grid.names import HeadNames
from app.components.heat_map import HeatMap, heat_map
from app.services import patching as services
from app.services import silencing
from app.services.patching import HEADS, Patched
from app.services.silencing import Heads
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.visible_space import visible
from app.ui.controls import controls
from app.ui.export_bar import Table, matrix_table
from app.ui.long_work import worked
from app.ui.param import Param
from app.ui.params import Choice, Flag, Scope, Text
from app.ui.silence.asked import Asked
from core.targets import Measured

PARTS: Final = {
    HEADS: "each head",
    "residual": "residual stream",
    "attention": "attention's output",
    "mlp": "MLP's output",
}
CELL: Final = (58.0, 28.0)  # px


@dataclass(frozen=True)
class Patching:
    """Its parameters."""

    scope: Scope
    open: Flag
    other: Text
    part: Choice[str]

    @classmethod
    def of(cls, scope: Scope, other: str) -> "Patching":
        return cls(
            scope, scope.flag("patch"), scope.text("other", other), scope.choice("part", PARTS)
        )

    @property
    def params(self) -> tuple[Param[Any], ...]:
        return self.open, self.other, self.part


def patching(
    params: Patching, asked: Asked, heads: Heads, names: HeadNames | None, quantity: Measured
) -> Patched | None:
    """Draw it; None while it is folded, and after an error was shown."""
    params.open.toggle(
        "Patch from another sentence",
        help="Runs this text with another text's activations at one place after the other. Both "
        "need the same number of tokens.",
    )
    if not params.open.value:
        return None
    with controls("-patch"):
        params.other.line("The other sentence")
        params.part.segmented("Patched")
    trace = asked.trace()
    if trace is None:
        return None
    across = heads.each if params.part.value == HEADS else services.places(trace, heads.kind)
    found = worked(
        (params.scope, params.open),
        lambda: services.patching(
            asked.question, params.other.value, heads, params.part.value, quantity
        ),
        silencing.slice_seconds(asked.question, heads, quantity),
        doing="Patching each place",
        of="places",
        n=heads.layers * across,
    )
    if found is not None:
        _draw(params, asked, names if params.part.value == HEADS else None, found)
    return found


def patched_arrays(found: Patched) -> dict[str, np.ndarray]:
    """For NPZ."""
    return {
        "patched": found.sweep.patched,
        "patched_effect": found.sweep.effects,
        "unpatched": np.array(found.sweep.untouched),
        "patched_from": np.array(found.source),
        "patched_columns": np.array(found.columns),
    }


def patched_table(found: Patched) -> Table:
    """A line a place."""
    names = ("layer", found.of, "patched")
    return matrix_table(found.sweep.patched, columns=found.columns, names=names)


def _draw(params: Patching, asked: Asked, names: HeadNames | None, found: Patched) -> None:
    swept = found.sweep
    title = f"Change with {PARTS[params.part.value]} of the other sentence"
    heat_map(
        HeatMap(
            values=swept.effects,
            rows=tuple(map(str, range(len(swept.patched)))),
            columns=tuple(map(visible, found.columns)),
            label=f"{title}, layers by {found.of}s",
            caption=f"{asked.card.title} · “{asked.question.text}” with activations of "
            f"“{params.other.value}”",
            title=title,
            row_title="layer",
            column_title=found.of,
            numbers=True,
            names=names,
            cell=CELL,
        ),
        key=params.scope.key("patched"),
    )
    layer, place = np.unravel_index(int(np.abs(swept.effects).argmax()), swept.patched.shape)
    effect = float(swept.effects[layer, place])
    where = f"{found.of} {plain(visible(found.columns[int(place)]))}"
    st.markdown(
        f"**{three(swept.untouched)}** with this sentence, **{three(found.source)}** with the "
        f"other. Layer {layer}, {where} moves it most: by **{three(effect)}**."
    )
