"""The benchmark's table, with its date, model, number of pictures and intervals."""

from collections.abc import Sequence

import streamlit as st

from app.style.markdown_escape import plain
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export, Table
from app.views.vision.truth import params
from core.data.explanation_benchmark import (
    COMMAND,
    CURVES,
    FILLS,
    PLACE,
    PLACES,
    QUANTITIES,
    TIE,
    Column,
    MethodRow,
    TruthTable,
    curve_id,
    read_table,
)
from core.errors import InputError
from core.explain.attribution.bootstrap import Interval


def render() -> Export | None:
    """All methods, losers included; or why there is no table, and the command that makes it."""
    try:
        table = read_table(PLACE)
    except InputError as error:
        st.info(plain(str(error)), icon=":material/info:")
        return None
    if not table.is_of_what_is_shipped():
        st.warning(
            f"These figures are of other weights than the {plain(table.model)} on board: they say "
            "how the methods did there, not here. Measure them again:",
            icon=":material/info:",
        )
        st.code(COMMAND, language=None)
    with controls():
        fill = params.TABLE_FILL.segmented("Hidden patches show")
        quantity = params.QUANTITY.segmented("Measured")
    columns = (
        *((c, curve_id(c.id, fill, quantity)) for c in CURVES),
        *((c, c.id) for c in PLACES),
    )
    rows = _by_gap(table.methods, curve_id("gap", fill, quantity))
    answer(_answered(table, rows, curve_id("gap", fill, quantity)))
    st.markdown(_markdown(rows, columns))
    _how_to_read(table)
    caption = (
        f"{table.model}, {table.date}, {_counts(table)}; hidden patches show {FILLS[fill]}; "
        f"{QUANTITIES[quantity]}; 95 % bootstrap intervals over pictures"
    )
    return Export("truth-table", caption, lambda: _csv(table))


def _by_gap(rows: Sequence[MethodRow], gap: str) -> list[MethodRow]:
    """The largest gap first; what has none, last."""
    return sorted(
        rows, key=lambda row: row.figures[gap].mean if gap in row.figures else -1e9, reverse=True
    )


def _answered(table: TruthTable, rows: Sequence[MethodRow], gap: str) -> str:
    """The method with the largest gap, and what a random order gets, in Markdown."""
    measured = [row for row in rows if gap in row.figures]
    best = measured[0]
    random = next((row for row in measured if row.id == "random"), None)
    than = "" if random is None else f", a random order **{_points(random.figures[gap].mean)}**"
    low, high = (_points(bound) for bound in (best.figures[gap].low, best.figures[gap].high))
    return (
        f"On {_counts(table).split(' (')[0]} {plain(best.title)} has the largest gap, "
        f"**{_points(best.figures[gap].mean)}** points ({low} to {high}){than}."
    )


def _points(value: float) -> str:
    return f"{value:.1f}".replace("-", "−")


def _markdown(rows: Sequence[MethodRow], columns: Sequence[tuple[Column, str]]) -> str:
    lines = [
        "| method | " + " | ".join(column.title for column, _ in columns) + " |",
        "|---|" + "---:|" * len(columns),
    ]
    best = {
        figure: max(
            (row.figures[figure].mean * column.better for row in rows if figure in row.figures),
            default=0.0,
        )
        for column, figure in columns
    }
    for row in rows:
        cells: list[str] = []
        for column, figure in columns:
            found = row.figures.get(figure)
            if found is None:
                cells.append("–")
                continue
            near = best[figure] - found.mean * column.better < TIE
            cells.append(_cell(found, bold=near))
        lines.append(f"| {plain(row.title)} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(found: Interval, *, bold: bool) -> str:
    mean = _points(found.mean)
    low, high = (round(bound) for bound in (found.low, found.high))
    bounds = f"{low}\u00a0…\u00a0{high}".replace(
        "-", "−"
    )  # whole points: exact ones are in the CSV
    return f"{f'**{mean}**' if bold else mean} ({bounds})"


def _how_to_read(table: TruthTable) -> None:
    st.caption(
        f"Measured {table.date} with {plain(table.model)} on {_counts(table)} that no training "
        f"saw, in {table.seconds / 60:.1f} minutes, by `{table.command}`. In brackets: 95 % of "
        "the means of pictures drawn again. Bold: the best, and all within "
        f"{TIE:g} points of it: a difference below {TIE:g} points is a tie."
    )
    losers = [
        row.title
        for row in table.methods
        if (over := row.figures.get(curve_id("over-random", "mean", "kept"))) is not None
        and row.id not in ("random", "uniform")
        and over.low <= 0
    ]
    if losers:
        st.markdown(
            f"**No better than random here** (mean colour, prediction kept): "
            f"{plain(', '.join(losers))}."
        )
    with st.expander("What each column is"):
        for column in (*CURVES, *PLACES):
            st.markdown(f"- **{column.title}**: {column.meaning}")
        st.markdown(
            "- With **a blur** in hidden patches, only 0, 30, 60 and 90 % are hidden: a check "
            "that a result does not hang on the grey.\n"
            "- **Gradient rollout, layers reversed** is a bug that many copies of one repository "
            "carry: each layer's map is weighted with another layer's gradient. It is here to "
            "show that the measures find it, or don't."
        )


def _counts(table: TruthTable) -> str:
    counts = table.counts
    return (
        f"{counts.get('photographs', 0)} photographs ({counts.get('pets', 0)} pets for pointing "
        f"and mass, {counts.get('halves', 0)} asked halves of collages)"
    )


def _csv(table: TruthTable) -> Table:
    return ("method", "figure", "mean", "low", "high"), (
        (row.title, name, found.mean, found.low, found.high)
        for row in table.methods
        for name, found in row.figures.items()
    )
