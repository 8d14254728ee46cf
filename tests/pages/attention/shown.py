"""What the attention page's tests share: the first screen's sentence and its figure."""

import numpy as np

from tests.pages.page import Page

TEXT = "The animal didn't cross the street because it was too tired."
HEAD, IT, ANIMAL = (3, 1), 10, 2
VIEW, GRID = "attention.view.encoder", "attention.grid.encoder"


def maps(page: Page) -> np.ndarray:
    """(map, query, key) as drawn."""
    return page.figures[VIEW].arrays["maps"]
