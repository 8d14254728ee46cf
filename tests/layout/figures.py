"""What counts as a view's figure: what components and charts draw, and tables.

Where that says too much or too little, what stands for it, and why, stands here.
"""

from typing import Final

USUAL: Final = (
    ".gf, .js-plotly-plot, [data-testid=stDataFrame], [data-testid=stTable], "
    "[data-testid=stImage], [data-testid=stIFrame], table"
)
OTHERS: Final[dict[str, str]] = {}


def figure_of(view: str) -> str:
    """A CSS selector."""
    return OTHERS.get(view, USUAL)
