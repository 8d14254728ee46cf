"""Every head silenced alone: what the answer would lose. A click silences one for good."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, clicked_cell, pick_cell
from app.services import vision
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import progress
from app.ui.param_values import Cell
from app.views.vision.inputs import Chosen
from app.views.vision.what_if import params
from app.views.vision.what_if.answers import Answers
from core.interventions import SilenceHead
from core.targets import ClassTarget

MAP: Final = params.HERE.key("worth")
MOST: Final = (200, 200)  # layers and heads; no model here has more

Heads = tuple[Cell, ...]


def take_click() -> None:
    """A click on a head silences it, or lets it speak again; before any widget is drawn."""
    clicked, silent = clicked_cell(MAP, MOST), params.HEADS.value
    if clicked is not None:
        others = tuple(one for one in silent if one != clicked)
        params.HEADS.put(others if clicked in silent else (*silent, clicked))


def render(chosen: Chosen, heads: Heads, answers: Answers) -> np.ndarray | None:
    """The map, if asked for; returns its numbers (layer, head)."""
    params.EFFECTS.toggle(
        "What each head is worth",
        help=f"Runs the model {len(heads)} times, one head silenced each time.",
        disabled=not heads,
    )
    if not params.EFFECTS.value or not heads:
        return None
    measured = progress.outcome(
        vision.measure(
            chosen.card.id,
            chosen.picture,
            tuple((SilenceHead(layer, head),) for layer, head in heads),
            ClassTarget(answers.first),
        ),
        chosen.card.id,
    )
    if measured is None:
        return None
    values, missing = _laid_out(heads, measured - answers.before[answers.first])
    name = answers.labels[answers.first]
    left, right = st.columns([5, 7], gap="large", vertical_alignment="center")
    with left:
        what = f"Change of P({name}) when one head alone is silenced"
        pick_cell(
            HeatMap(
                values=values,
                rows=tuple(map(str, range(values.shape[0]))),
                columns=tuple(map(str, range(values.shape[1]))),
                label=what,
                caption=f"{chosen.card.title}, {chosen.picture.name}: {what}",
                title=f"Change of P({name})",
                row_title="layer",
                column_title="head",
                hidden=missing if missing.any() else None,
                cell=(40.0, 26.0),
            ),
            key=MAP,
        )
    layer, head = heads[int(measured.argmin())]
    lowest = float(measured.min() - answers.before[answers.first])
    right.markdown(
        f"On the untouched picture, one head at a time. Most is lost without layer {layer}, head "
        f"{head}: {three(lowest)}. Click a head to silence it above, again to let it speak. "
        f"{plain(name)} has {three(float(answers.before[answers.first]))} with all of them."
    )
    return values


def _laid_out(heads: Heads, changes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(layer, head); layers with fewer heads (Swin's first stages) leave cells empty."""
    shape = (1 + max(layer for layer, _ in heads), 1 + max(head for _, head in heads))
    values = np.zeros(shape, dtype=np.float32)
    missing = np.ones(shape, dtype=bool)
    for (layer, head), change in zip(heads, changes, strict=True):
        values[layer, head] = change
        missing[layer, head] = False
    return values, missing
