"""Curves and dots: one Plotly template for every chart, in the theme's colours.

Charts are for numbers against numbers; maps and tokens are canvases (app/components).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, cast

import streamlit as st
from jaxtyping import Float
from numpy import float32, ndarray

from app.components.chart_files import GIVES_WAY, chart_files
from app.style import theme
from app.style.log_ticks import log_ticks
from app.style.number_format import count
from app.ui import projector
from app.ui.late_plotly import go

SYMBOLS: Final = (
    "circle", "square", "diamond", "triangle-up", "cross", "star", "hexagon", "triangle-down",
)  # fmt: skip
ORDER: Final = (15, 1, 2, 4, 14, 6, 11, 12)  # heads' colours, far apart in this order
FONT: Final = '"Source Sans", sans-serif'  # the page's own, which a saved drawing brings along
LONGEST_LIST: Final = 10_000  # points; more come as an array, and travel as float32
PROJECTED: Final = 1.4  # times as high, as type is as large (app/style/theme.py)
HIGHEST: Final = 540  # px, of what a projector's screen has
# Plotly else copies and checks every value that it is given, five times the work; a test does so.
AS_IT_IS: Final[dict[str, Any]] = {"_validate": False}
MOST_SPOKEN: Final = 500  # points of a curve whose hover is worded here: 5 µs each


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
) -> go.Figure:
    """All curves in one frame, each with its colour and its symbol."""
    dark = st.context.theme.type == "dark"
    traces: list[go.Scatter] = []
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
            go.Scatter(
                x=_sent(curve.x),
                y=_sent(curve.y),
                name=plain(curve.name),
                mode="+".join(["lines"] * curve.lines + ["markers"] * curve.markers),
                line={"color": colour, "width": 2, "dash": "dot" if curve.dashed else "solid"},
                marker={"symbol": hollow or symbol, "color": colour, "size": 9},
                customdata=[plain(text) for text in curve.hover or _hover(curve, x_title)],
                hovertemplate="%{customdata}<extra></extra>" if spoken else own_words,
                **AS_IT_IS,
            )
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
    return go.Figure(traces, layout, **AS_IT_IS)


def _hover(curve: Curve, x_title: str) -> list[str]:
    """“cosine: 0.000524 at training step 4,000”; of many points, Plotly's own words do."""
    if len(curve.x) > MOST_SPOKEN:
        return []
    return [
        f"{curve.name}: {_said(y)} at {_bare(x_title)} {_said(x)}"
        for x, y in zip(curve.x, curve.y, strict=True)
    ]


def _bare(title: str) -> str:
    return title.removesuffix(" (log)")


def _said(value: Any) -> str:
    return value if isinstance(value, str) else count(value)


def _sent(values: Float[ndarray, " point"] | Sequence[str]) -> Any:
    """Few points exactly; many as float32, which a screen cannot tell from exact ones."""
    if isinstance(values, ndarray) and len(values) > LONGEST_LIST:
        return values.astype(float32)
    return values


def bars(
    names: Sequence[str], values: Float[ndarray, " bar"], *, x_title: str, notes: Sequence[str]
) -> go.Figure:
    """Horizontal bars, the first on top; `notes` stand at their ends and on hover."""
    dark = st.context.theme.type == "dark"
    figure = go.Figure(layout=go.Layout(template=template(dark=dark)))
    figure.add_trace(
        go.Bar(
            x=values,
            y=[plain(name) for name in names],
            orientation="h",
            marker={"color": theme.colour("encoder", dark=dark)},
            text=[plain(note) for note in notes],
            textposition="auto",
            hovertemplate="%{y}: %{text}<extra></extra>",
        )
    )
    figure.update_layout(height=90 + 2 * _type_size() * len(names), showlegend=False)
    figure.update_xaxes(title=x_title)
    figure.update_yaxes(autorange="reversed", showgrid=False)
    return figure


def mark_x(figure: go.Figure, x: float | str, text: str, *, row: int = 0) -> None:
    """A vertical hairline at x with its words on top, `row` lines down, on any axis."""
    figure.add_shape(type="line", xref="x", yref="paper", x0=x, x1=x, y0=0, y1=1, line=_hairline())
    logarithmic = cast("Any", figure.layout)["xaxis"]["type"] == "log"
    figure.add_annotation(
        xref="x",
        yref="paper",
        x=math.log10(float(x)) if logarithmic else x,  # Plotly's annotations count decades there
        y=1,
        text=plain(text),
        showarrow=False,
        xanchor="left",
        yanchor="top",
        xshift=4,
        yshift=-1.3 * _type_size() * row,
        align="left",
    )


def mark_y(figure: go.Figure, y: float, text: str, *, left: bool = False) -> None:
    """A horizontal hairline at y with its words above its right end, or its left one."""
    figure.add_shape(type="line", xref="paper", yref="y", x0=0, x1=1, y0=y, y1=y, line=_hairline())
    logarithmic = cast("Any", figure.layout)["yaxis"]["type"] == "log"
    figure.add_annotation(
        xref="paper",
        yref="y",
        x=0 if left else 1,
        y=math.log10(y) if logarithmic else y,
        text=plain(text),
        showarrow=False,
        xanchor="left" if left else "right",
        xshift=6 if left else 0,
        yanchor="bottom",
    )


def _hairline() -> dict[str, Any]:
    page = theme.page_colours(dark=st.context.theme.type == "dark")
    return {"color": page["textColor"], "width": 1, "dash": "dash"}


def second_axis(figure: go.Figure, curve: Curve, *, title: str) -> None:
    """A quiet curve with a logarithmic axis of its own, on the right."""
    page = theme.page_colours(dark=st.context.theme.type == "dark")
    colour = page["textColor"]
    figure.add_trace(
        go.Scatter(
            x=curve.x,
            y=curve.y,
            name=plain(curve.name),
            yaxis="y2",
            mode="lines",
            line={"color": colour, "width": 1.5, "dash": "dash"},
            opacity=0.6,
            hovertemplate="%{y:,.0f} parameters<extra></extra>",
        )
    )
    figure.update_layout(
        yaxis2={
            "title": {"text": title, "font": {"size": _type_size()}},
            "type": "log",
            **log_ticks(list(curve.y)),
            "overlaying": "y",
            "side": "right",
            "showgrid": False,
            "automargin": True,
        }
    )


def _type_size() -> int:
    return 18 if projector.is_on() else 13


def template(*, dark: bool) -> go.layout.Template:
    """Paper and ink; hairlines; the legend above."""
    return _template(dark, _type_size())


@cache
def _template(dark: bool, size: int) -> go.layout.Template:
    page = theme.page_colours(dark=dark)
    axis: dict[str, Any] = {
        "gridcolor": page["borderColor"],
        "zeroline": False,
        "linecolor": page["borderColor"],
        "ticks": "",
        "automargin": True,
        "title": {"font": {"size": size}, "standoff": 12},
    }
    return go.layout.Template(
        layout=go.Layout(
            paper_bgcolor=page["backgroundColor"],  # a saved picture brings its paper
            plot_bgcolor="rgba(0,0,0,0)",
            font={"color": page["textColor"], "size": size, "family": FONT},
            margin={"l": 8, "r": 8, "t": 36, "b": 8},
            legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
            hoverlabel={"bgcolor": page["secondaryBackgroundColor"], "align": "left"},
            xaxis=axis,
            yaxis=axis,
        )
    )


def show(figure: go.Figure, *, key: str, name: str, caption: str = "") -> None:
    """Draw it, and offer PNG, SVG and CSV called `name`.

    `caption`, the settings in one line, is the table's first and is read out. On a projector the
    chart grows as its type does.
    """
    if projector.is_on() and (height := cast("Any", figure.layout)["height"]):
        figure.update_layout(height=min(HIGHEST, PROJECTED * height))
    with st.container(key=f"{key}-figure", gap=None):
        st.plotly_chart(
            figure,
            key=key,
            theme=None,
            config={
                "displaylogo": False,
                "modeBarButtonsToRemove": ["lasso2d", "select2d", "autoScale2d"],
                "toImageButtonOptions": {"format": "svg", "filename": name},
            },
            alt=f"{_spoken(figure)}. {caption}",
        )
        words = cast("tuple[Any, ...]", figure.layout["annotations"])
        crowded = any(one["name"] == GIVES_WAY for one in words)
        chart_files(name, caption=caption, crowded=crowded, key=f"{key}-files")


def _spoken(figure: go.Figure) -> str:
    """What a chart shows, for those who hear it; its numbers are in the CSV."""
    titles: list[Any] = [figure.layout[axis]["title"]["text"] or "" for axis in ("yaxis", "xaxis")]
    traces = cast("tuple[Any, ...]", figure.data)
    names: list[Any] = [trace["name"] for trace in traces if trace["name"]]
    return " against ".join(filter(None, titles)) + (f": {', '.join(names)}" if names else "")


def plain(text: str) -> str:
    """A reader's string for Plotly, which takes some tags and entities for its own."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
