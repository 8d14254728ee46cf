"""What a view's own files and figures say, for the numbers of its sentence."""

import io
from typing import Any

import numpy as np

from tests.pages.page import Page

Rows = list[dict[str, str]]


def rows(page: Page, index: int = 0, **where: str) -> Rows:
    """The lines of a CSV file, those with these cells."""
    names = [name for name in page.files if name.endswith(".csv")]
    lines = page.table(names[index])
    return [line for line in lines if all(line[name] == cell for name, cell in where.items())]


def column(page: Page, name: str, index: int = 0, **where: str) -> np.ndarray:
    """One of its columns, as numbers."""
    return np.array([float(line[name]) for line in rows(page, index, **where)])


def arrays(page: Page) -> Any:
    """The view's NPZ."""
    (name,) = (name for name in page.files if name.endswith(".npz"))
    return np.load(io.BytesIO(page.file(name)))


def values(page: Page, key: str, name: str = "values") -> np.ndarray:
    """What a figure got to draw."""
    return page.figures[key].arrays[name]


def softmax(logits: np.ndarray) -> np.ndarray:
    powers = np.exp(np.asarray(logits, np.float64) - np.max(logits, axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)
