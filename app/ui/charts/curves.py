"""Curves, dots and bars, each with a colour and a symbol of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import streamlit as st
from jaxtyping import Float
from numpy import float32, ndarray

from app.services import engine
from app.style import theme
from app.style.log_ticks import log_ticks
from app.style.number_format import count
from app.ui.charts.figure import Figure, numbers
from app.ui.charts.template import plain, template, type_size

SYMBOLS: Final = (
    "circle", "square", "diamond", "triangle-up", "cross", "star", "hexagon", "triangle-down",
)  # fmt: skip
ORDER: Final = (15, 1, 2, 4, 14, 6, 11, 12)  # heads' colours, far apart in this order
LONGEST_LIST: Final = 10_000  # points; more come as an array, and travel as float32
MOST_SPOKEN: Final = 500  # points of a curve whose hover is worded here: 5 µs each
SPOKEN_BYTES: Final = 128  # that the words of a point keep


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """One line or set of dots, as typed arrays."""

    name: str
    x: Float[ndarray, " point"] | Sequence[str]
    y: Float[ndarray, " point"] | Sequence[str]
    hover: tuple[str, ...] = ()
    lines: bool = True
    markers: bool = True
    dashed: bool = False
    hollow: tuple[bool, ...] = ()
    twin: bool = False  # of the curve before: its colour, its symbol hollow
    hue: str = ""  # one of theme.MEANINGS; else
    colour: int | None = None  # index into theme.HEADS; else the next of ORDER
    interval: tuple[Float[ndarray, " point"], Float[ndarray, " point"]] | None = None  # low, high

    def __post_init__(self) -> None:
        for values in (self.x, self.y):
            if not isinstance(values, ndarray) and len(values) > LONGEST_LIST:
                raise ValueError(
                    f"{self.name}: {len(values):,} points as {type(values).__name__}; more than "
                    f"{LONGEST_LIST:,} travel as an array only"
                )


def chart(
    curves: Sequence[Curve],
    *,
    x_title: str,
    y_title: str,
    log_x: bool = False,
    log_y: bool = False,
    y_range: tuple[float, float] | Literal["from zero"] | None = None,
    height: int = 380,
) -> Figure:
    """All curves in one frame, each with its colour and its symbol."""
    dark = st.context.theme.type == "dark"
    traces: list[dict[str, Any]] = []
    own_words = f"%{{fullData.name}}: %{{y:.3~g}} at {_bare(x_title)} %{{x:,.4~r}}<extra></extra>"
    for place, curve in enumerate(curves):
        number = place - curve.twin
        own = ORDER[number % len(ORDER)] if curve.colour is None else curve.colour
        colour = theme.HEADS[own % len(theme.HEADS)][dark]
        if curve.hue:
            colour = theme.colour(curve.hue, dark=dark)
        symbol = SYMBOLS[number % len(SYMBOLS)]
        spoken = bool(curve.hover) or len(curve.x) <= MOST_SPOKEN
        hollow = [f"{symbol}-open" if empty else symbol for empty in curve.hollow]
        if curve.twin:
            symbol = f"{symbol}-open"
        traces.append(
            {
                "type": "scatter",
                "x": _sent(curve.x),
                "y": _sent(curve.y),
                "name": plain(curve.name),
                "mode": "+".join(["lines"] * curve.lines + ["markers"] * curve.markers),
                "line": {"color": colour, "width": 2, "dash": "dot" if curve.dashed else "solid"},
                "marker": {"symbol": hollow or symbol, "color": colour, "size": 9},
                "customdata": [plain(text) for text in curve.hover] or _hover(curve, x_title),
                "hovertemplate": "%{customdata}<extra></extra>" if spoken else own_words,
            }
            | _bars_of(curve)
        )
    x_axis: dict[str, Any] = {"title": {"text": x_title}}
    y_axis: dict[str, Any] = {"title": {"text": y_title}}
    if log_x:
        x_axis |= {"type": "log", **log_ticks([value for c in curves for value in c.x])}
    if log_y:
        y_axis |= {"type": "log", **log_ticks([value for c in curves for value in c.y])}
    if y_range is not None:
        y_axis |= {"rangemode": "tozero"} if y_range == "from zero" else {"range": y_range}
    layout = {"template": template(dark=dark), "height": height, "xaxis": x_axis, "yaxis": y_axis}
    return Figure(traces, layout)


def bars(
    names: Sequence[str], values: Float[ndarray, " bar"], *, x_title: str, notes: Sequence[str]
) -> Figure:
    """Horizontal bars, the first on top; `notes` stand at their ends and on hover."""
    dark = st.context.theme.type == "dark"
    trace = {
        "type": "bar",
        "x": numbers(values),
        "y": [plain(name) for name in names],
        "orientation": "h",
        "marker": {"color": theme.colour("encoder", dark=dark)},
        "text": [plain(note) for note in notes],
        "textposition": "auto",
        "hovertemplate": "%{y}: %{text}<extra></extra>",
    }
    layout = {
        "template": template(dark=dark),
        "height": 90 + 2 * type_size() * len(names),
        "showlegend": False,
        "xaxis": {"title": {"text": x_title}},
        "yaxis": {"autorange": "reversed", "showgrid": False},
    }
    return Figure([trace], layout)


def second_axis(figure: Figure, curve: Curve, *, title: str) -> None:
    """A quiet curve with a logarithmic axis of its own, on the right."""
    page = theme.page_colours(dark=st.context.theme.type == "dark")
    colour = page["textColor"]
    figure.data.append(
        {
            "type": "scatter",
            "x": _sent(curve.x),
            "y": _sent(curve.y),
            "name": plain(curve.name),
            "yaxis": "y2",
            "mode": "lines",
            "line": {"color": colour, "width": 1.5, "dash": "dash"},
            "opacity": 0.6,
            "hovertemplate": "%{y:,.0f} parameters<extra></extra>",
        }
    )
    figure.layout["yaxis2"] = {
        "title": {"text": title, "font": {"size": type_size()}},
        "type": "log",
        **log_ticks(list(curve.y)),
        "overlaying": "y",
        "side": "right",
        "showgrid": False,
        "automargin": True,
    }


def _hover(curve: Curve, x_title: str) -> Sequence[str]:
    """“cosine: 0.000524 at training step 4,000”; of many points, Plotly's own words do."""
    if len(curve.x) > MOST_SPOKEN:
        return []
    points = tuple(
        (values.dtype.str, values.tobytes()) if isinstance(values, ndarray) else tuple(values)
        for values in (curve.x, curve.y)
    )
    return engine.derived(
        ("spoken points", curve.name, x_title, points),
        lambda: _spoken(curve, _bare(x_title)),
        lambda words: SPOKEN_BYTES * len(words),
    )


def _spoken(curve: Curve, x_title: str) -> list[str]:
    return [
        plain(f"{curve.name}: {_said(y)} at {x_title} {_said(x)}")
        for x, y in zip(curve.x, curve.y, strict=True)
    ]


def _bars_of(curve: Curve) -> dict[str, Any]:
    """How far a point's interval reaches, up and down."""
    if curve.interval is None or not isinstance(curve.y, ndarray):
        return {}
    low, high = curve.interval
    bars = {"type": "data", "symmetric": False, "thickness": 1.5, "width": 5}
    return {
        "error_y": bars | {"array": numbers(high - curve.y), "arrayminus": numbers(curve.y - low)}
    }


def _bare(title: str) -> str:
    return title.removesuffix(" (log)")


def _said(value: Any) -> str:
    return value if isinstance(value, str) else count(value)


def _sent(values: Float[ndarray, " point"] | Sequence[str]) -> Any:
    """Few points exactly; many as float32, which a screen cannot tell from exact ones."""
    if not isinstance(values, ndarray):
        return list(values)
    return numbers(values.astype(float32) if len(values) > LONGEST_LIST else values)
