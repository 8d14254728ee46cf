"""What can be said to a question, drawn: a row, a grid of heads, a picture's patches.

Before the prediction they are clicked; after it they tell the model's numbers.
"""

from typing import TYPE_CHECKING, Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, clicked_cell, pick_cell
from app.components.picture_map import PictureMap, picture_map, selected_patch
from app.components.selection import clicked_index
from app.components.token_row import Chip, token_row
from app.style.number_format import three

if TYPE_CHECKING:
    from app.services.questions import Answers, Grid

SHOWN: Final = 6  # of a row after the prediction, and what the reader said
CELL: Final = (56.0, 40.0)  # px


def offer(answers: "Answers", question: str, key: str) -> None:
    """All that can be said."""
    grid = answers.grid
    if grid is None:
        token_row(tuple(map(Chip, answers.options)), label=question, key=key)
    elif grid.picture is None:
        pick_cell(_blank(grid, question), key=key)
    else:
        picture_map(PictureMap(grid.picture, grid.rows, grid.columns, question), key=key)


def chosen(answers: "Answers", key: str) -> int | None:
    """What was clicked of it just now."""
    grid = answers.grid
    if grid is None:
        return clicked_index(key, len(answers.options))
    if grid.picture is not None:
        return selected_patch(key, None, len(answers.options))
    cell = clicked_cell(key, (grid.rows, grid.columns))
    return None if cell is None else cell[0] * grid.columns + cell[1]


def tell(answers: "Answers", mine: int | None, key: str) -> None:
    """The model's numbers. mine: what the reader said."""
    grid = answers.grid
    if grid is not None and grid.picture is not None:
        values = np.array(answers.values, dtype=np.float32).reshape(grid.rows, grid.columns)
        marked = np.isin(np.arange(values.size), [answers.right]).reshape(values.shape)
        figure = PictureMap(
            grid.picture, grid.rows, grid.columns, answers.measure, values=values,
            scale="diverging", outlined=marked, width=280.0,
        )  # fmt: skip
        picture_map(figure, key=key, selected=mine, clickable=False)
        return
    places = _largest(answers, mine)
    token_row(
        tuple(_chip(answers, place, mine) for place in places),
        label=f"The model's answers: {answers.measure}",
        key=key,
        clickable=False,
    )
    if (more := len(answers.options) - len(places)) and grid is None:
        rest = sum(answers.values) - sum(answers.values[place] for place in places)
        st.caption(f"The other {more} have {three(rest)} together.")


def _blank(grid: "Grid", question: str) -> HeatMap:
    """Nothing is told yet."""
    return HeatMap(
        np.zeros((grid.rows, grid.columns), dtype=np.float32),
        tuple(map(str, range(grid.rows))),
        tuple(map(str, range(grid.columns))),
        question,
        row_title=grid.titles[0],
        column_title=grid.titles[1],
        blank=True,
        words=tuple(
            tuple(f"{row}.{column}" for column in range(grid.columns)) for row in range(grid.rows)
        ),
        cell=CELL,
    )


def _largest(answers: "Answers", mine: int | None) -> list[int]:
    """The places of the model's largest and of what the reader said, in their order."""
    ranked = sorted(range(len(answers.options)), key=lambda place: -answers.values[place])
    kept = ranked[:SHOWN] if answers.amount is None else range(len(answers.options))
    return sorted({*kept, answers.right, *(() if mine is None else (mine,))})


def _chip(answers: "Answers", place: int, mine: int | None) -> Chip:
    """Shaded by the model's number, where the largest is right; outlined: what the reader said."""
    value, most = answers.values[place], max(answers.values)
    if answers.values[answers.right] < most:
        most = 0.0
    return Chip(
        answers.options[place],
        note=answers.note(place),
        shade=max(0.0, value / most) if most > 0 else None,
        state="lit" if place == mine else "plain",
    )
