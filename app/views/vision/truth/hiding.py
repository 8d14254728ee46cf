"""Hide what a map names: both curves, live, and the picture at a chosen share hidden."""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
import streamlit as st

from app.components.picture_map import PictureMap, picture_frame, picture_row
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.worked import step
from app.ui import charts
from app.ui.charts import Curve
from app.ui.controls import beside_figure
from app.ui.export_bar import Export, Table
from app.ui.number_box import numbered_slider
from app.views.vision.classes import Classes, pick_class
from app.views.vision.inputs import Chosen
from app.views.vision.truth import asking, params
from app.views.vision.truth.asking import STEPS, Curves
from core.explain.attribution.perturbation_curves import (
    FRACTIONS,
    area,
    hidden_sets,
    mean_of_orders,
)
from core.interventions import Fill

WAYS: Final = ("most relevant first", "least relevant first")
SMALL: Final = 176.0  # px


def figure(chosen: Chosen, classes: Classes, say: Callable[[str], object]) -> Export | None:
    """Choices, curves, areas; then the pictures at the slider's share."""
    left, right = beside_figure()
    with left:
        index = pick_class("Explain, and measure", params.CLASS, classes.labels, classes.ranked[0])
        fill = params.FILL.segmented("What stands in a hidden patch")
        names = asking.pick_methods()
    label = classes.labels[index]
    with right:
        curves = _measured(chosen, index, names, "blur" if fill == "blur" else "mean")
        chart = charts.chart(
            _lines(curves),
            x_title="patches hidden, %",
            y_title="probability, %",
            y_range="from zero",
            height=400,
        )
        charts.mark_x(chart, float(params.HIDDEN.value), "pictures below")
        caption = f"Probability of {label} · {chosen.card.title}, {chosen.picture.name} · hidden \
patches show {params.FILL.names[fill]}"
        charts.show(chart, key=params.HIDE.key("curves"), name="perturbation", caption=caption)
    with left:
        _areas(curves, label)
    if best := max(filter(_has_order, curves), key=_gap, default=None):
        say(
            f"Hiding by {best.title} parts the two curves most: a gap of "
            f"**{_printed(best)[2]}** points; a random order has none."
        )
    shown = _pictures(chosen, curves, label)
    return Export(
        "perturbation-curves",
        caption,
        lambda: _table(curves),
        lambda: _arrays(curves),
        offline=("picture_map", lambda: picture_frame(shown, label=caption)) if shown else None,
    )


def _measured(chosen: Chosen, index: int, names: tuple[str, ...], fill: Fill) -> tuple[Curves, ...]:
    """Random's mean curves first, then each method's."""
    card, picture = chosen.card, chosen.picture
    grid = chosen.seen.grid
    flat = np.zeros((grid.rows, grid.columns), dtype=np.float32)  # all ties: a draw for each seed
    draws = {
        seed: asking.ask_curves(card, picture, flat, index, fill=fill, seed=seed)
        for seed in range(asking.DRAWS)
    }
    futures = asking.ask_maps(card, picture, names, index)
    maps = asking.gathered(futures, "Maps:", card)
    asked = {
        name: asking.ask_curves(card, picture, evidence, index, fill=fill)
        for name, evidence in maps.items()
    }
    drawn = asking.gathered(draws, "Random orders:", card)
    measured = asking.gathered(asked, "Curves:", card)
    random = mean_of_orders([asking.curves_of(flat, drawn[s], seed=s) for s in drawn])
    return (
        Curves("Random order", random, None),
        *(
            Curves(params.METHODS[name].title, asking.curves_of(maps[name], values), maps[name])
            for name, values in measured.items()
        ),
    )


def _lines(curves: tuple[Curves, ...]) -> list[Curve]:
    """Two lines a method, random's one first."""
    return [
        Curve(f"{one.title}{way}", 100 * STEPS, 100 * values, dashed=dashed, twin=dashed)
        for one in curves
        for way, values, dashed in _ways(one)
    ]


def _ways(one: Curves) -> tuple[tuple[str, np.ndarray, bool], ...]:
    """What a method's curves are called after its title, and which is dotted."""
    if one.evidence is None:
        return ((f", mean of {2 * asking.DRAWS} draws", one.measured.positive, False),)
    measured = (one.measured.positive, one.measured.negative)
    return tuple(
        (f", {way}", values, way == WAYS[1]) for way, values in zip(WAYS, measured, strict=True)
    )


def _areas(curves: tuple[Curves, ...], label: str) -> None:
    """Areas up to 90 % by Chefer's protocol; the gap of a random order is zero."""
    lines = [
        "| area | most first ↓ | least first ↑ | gap ↑ |",
        "|---|---:|---:|---:|",
    ]
    for one in curves:
        most, least, gap = _printed(one)
        lines.append(f"| {one.title} | {most} | {least} | {gap} |")
    st.markdown("\n".join(lines))
    st.caption(
        f"Areas under the curves from 0 to 90 % hidden, in points; {100 * FRACTIONS[-1]:.0f} would "
        f"be a probability of {plain(label)} that never falls. One picture proves little: for "
        "many, with intervals, see “The benchmark”."
    )


def _printed(one: Curves) -> tuple[str, str, str]:
    """Both areas and their gap, as they are printed."""
    areas = _chefer(one.measured.negative), _chefer(one.measured.positive)
    (least, most), gap = step(areas, areas[0] - areas[1], lambda up, down: up - down)
    return most, least, gap


def _gap(one: Curves) -> float:
    return _chefer(one.measured.negative) - _chefer(one.measured.positive)


def _chefer(values: np.ndarray) -> float:
    return 100 * area(STEPS[: len(FRACTIONS)], values[: len(FRACTIONS)])


def _pictures(chosen: Chosen, curves: tuple[Curves, ...], label: str) -> tuple[PictureMap, ...]:
    """What the model sees at the slider's share, both ways, and its probability there."""
    numbered_slider("Patches hidden, %", 0, 100, step=10, key=params.HIDDEN.key)
    share = params.HIDDEN.value
    step = share // 10
    shown: list[PictureMap] = []
    columns = st.columns(2, gap="medium")
    for number, (way, column) in enumerate(zip(WAYS, columns, strict=True)):
        row = tuple(
            _picture(chosen, one, number, step) for one in curves if number == 0 or _has_order(one)
        )
        if not row:
            continue
        with column:
            st.markdown(
                f"**{way.capitalize()}**, {share} % hidden, and the probability of {plain(label)}"
            )
            picture_row(
                row,
                key=params.HIDE.key(f"hidden{number}"),
                label=f"{share} % hidden, {way}, and the probability of {label}",
                clickable=False,
            )
        shown += row
    whole = float(curves[0].measured.positive[0])
    st.caption(
        f"Probability of {plain(label)} with nothing hidden: {three(100 * whole)} %; with "
        f"{share} % hidden at random: {three(100 * float(curves[0].measured.positive[step]))} % "
        f"(mean of {2 * asking.DRAWS} draws; the first is shown)."
    )
    return tuple(shown)


def _has_order(one: Curves) -> bool:
    return one.evidence is not None


def _picture(chosen: Chosen, one: Curves, way: int, step: int) -> PictureMap:
    """One map's picture with its patches hidden; of random's draws, the first."""
    grid = chosen.seen.grid
    flat = np.zeros((grid.rows, grid.columns), dtype=np.float32)
    sets = hidden_sets(flat if one.evidence is None else one.evidence, STEPS)[way]
    hidden = np.zeros(flat.size, dtype=bool)
    hidden[list(sets[step])] = True
    value = (one.measured.positive, one.measured.negative)[way][step]
    said = f"{one.title}: {'' if _has_order(one) else 'mean '}{three(100 * float(value))} %"
    return PictureMap(
        picture=chosen.seen.picture,
        rows=grid.rows,
        columns=grid.columns,
        label=f"{said}, {WAYS[way]}",
        hidden=hidden.reshape(flat.shape),
        width=SMALL,
        grid=False,
        title=said,
    )


def _table(curves: tuple[Curves, ...]) -> Table:
    header = ("method", "order", "hidden_fraction", "probability")
    rows = (
        (one.title, way.removeprefix(", "), repr(float(fraction)), repr(float(value)))
        for one in curves
        for way, values, _ in _ways(one)
        for fraction, value in zip(STEPS, values, strict=True)
    )
    return header, rows


def _arrays(curves: tuple[Curves, ...]) -> Mapping[str, np.ndarray]:
    found: dict[str, np.ndarray] = {"fractions": STEPS}
    for one in curves:
        name = one.title.split(",")[0].lower().replace(" ", "_")
        found[f"{name}_most_relevant_first"] = one.measured.positive
        found[f"{name}_least_relevant_first"] = one.measured.negative
        if one.evidence is not None:
            found[f"{name}_map"] = one.evidence
    return found
