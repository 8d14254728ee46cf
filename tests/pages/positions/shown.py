"""What the positions page's tests share: the matrices that it draws."""

import numpy as np

from tests.pages.page import Page


def opened(view: str = "sinusoidal", **link: str) -> Page:
    return Page("positions", view=view, **link)


def drawn(page: Page, key: str) -> np.ndarray:
    """A heat map's numbers."""
    return page.figures[f"positions.{key}"].arrays["values"]


def probabilities(page: Page, key: str) -> dict[str, float]:
    """What a list of candidates says, by token or class."""
    rows = page.figures[f"positions.{key}"].header["rows"]
    return {row["text"]: row["probability"] for row in rows}
