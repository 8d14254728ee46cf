"""Numbers against numbers, in one look and the theme's colours.

Maps and tokens are canvases (app/components).
"""

from app.ui.charts.curves import Curve, bars, chart, second_axis
from app.ui.charts.figure import Figure, numbers
from app.ui.charts.marks import mark_x, mark_y
from app.ui.charts.shown import show
from app.ui.charts.template import plain, template

__all__ = [
    "Curve",
    "Figure",
    "bars",
    "chart",
    "mark_x",
    "mark_y",
    "numbers",
    "plain",
    "second_axis",
    "show",
    "template",
]
