"""Colours with a meaning, and projector mode: the one place where they are defined.

Paper, ink and the accent are Streamlit's (.streamlit/config.toml). The colours here
have a lightness of their own (OKLCH 0.50 on paper, 0.76 on ink), at least 4.5:1
against the page; the heads' palette was chosen greedily so that any two stay apart
in OKLab for normal sight and simulated protanopia, deuteranopia and tritanopia.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
CONFIG: Final = HERE.parents[1] / ".streamlit" / "config.toml"
# Keys of containers by which the root is marked (app/components/root_marks.js): a page that
ON_PROJECTOR: Final = "on-projector"  # is on one
EMBEDDED: Final = "embedded"  # stands in another's frame
LESSON: Final = "lesson"  # has a step beside it
PREDICTED: Final = "predicted"  # says who was right

# name: (on paper, on ink). An attention map's hue says its kind.
MEANINGS: Final = {
    "encoder": ("#2a61b1", "#81b3fc"),
    "decoder": ("#137738", "#7cc58b"),
    "cross": ("#7847a6", "#c49cf2"),
    "query": ("#855907", "#d7a864"),
    "key": ("#9f366c", "#ef8eba"),
    "value": ("#056e88", "#70bed8"),
    "negative": ("#02736e", "#6bc3bd"),
    "positive": ("#90502a", "#dea280"),
}
HEADS: Final = (
    ("#1c04a6", "#5875f1"), ("#92074c", "#fe94b6"), ("#a88822", "#94792a"), ("#14310d", "#d4f2cd"),
    ("#ba48d3", "#b557c9"), ("#7276a3", "#868ab2"), ("#81543b", "#c79e87"), ("#cb6c6d", "#b16263"),
    ("#3b1a39", "#ffdbfb"), ("#4b34cd", "#9499fe"), ("#5a3615", "#eac4a6"), ("#631e8a", "#dbacff"),
    ("#c61583", "#e65ca6"), ("#599a8e", "#53897e"), ("#2b6d62", "#84bbaf"), ("#164461", "#a9d2ef"),
)  # fmt: skip
WORN: Final = ("shell", "hands", "lesson", "prediction", "editor", "room", "handout")  # always


def page_style() -> str:
    """What every page wears, and what it wears in another's frame and on a projector as well.

    app/components/root_marks.js writes on the root which of them it is.
    """
    *worn, embedded, projector = (
        (HERE / f"{name}.css").read_text("utf-8") for name in (*WORN, "embed", "projector")
    )
    in_frame = f':root[data-gf~="embedded"] {{ {embedded} }}'
    on_projector = f':root[data-gf~="projector"] {{ {projector} }}'
    return f"{stylesheet()}{''.join(worn)}{in_frame}{on_projector}"


@cache
def stylesheet() -> str:
    """The variables `--gf-…`; each resolves to paper's or ink's by `color-scheme`."""
    pairs = {**MEANINGS, **{f"head-{index}": pair for index, pair in enumerate(HEADS)}}
    pairs["focus"] = (
        page_colours(dark=False)["primaryColor"],
        page_colours(dark=True)["primaryColor"],
    )
    lines = [f"--gf-{name}: light-dark({light}, {dark});" for name, (light, dark) in pairs.items()]
    return ":root { --gf-line: 1; " + " ".join(lines) + " }\n"


def page_colours(*, dark: bool) -> dict[str, str]:
    """Streamlit's own colours as configured: paper, ink, accent and so on."""
    return _theme()["dark" if dark else "light"]


@cache
def _theme() -> dict[str, dict[str, str]]:
    return tomllib.loads(CONFIG.read_text("utf-8"))["theme"]


def colour(name: str, *, dark: bool) -> str:
    """One colour with a meaning as hex, for figures that can't read CSS variables."""
    return MEANINGS[name][dark]
