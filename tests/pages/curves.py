"""Plotly's figures as a reader sees them: numbers by the names of their curves."""

import base64
import csv
import io
from typing import Any

import numpy as np

from tests.pages.page import Page


def curves(page: Page, chart: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """x and y of every named curve of the page's `chart`-th figure, from the top."""
    traces = page.charts[chart]["data"]
    return {t["name"]: (numbers(t["x"]), numbers(t["y"])) for t in traces if "name" in t}


def words(page: Page, chart: int) -> str:
    """What stands beside the figure's hairlines."""
    return "\n".join(note["text"] for note in page.charts[chart]["layout"]["annotations"])


def metric(page: Page, label: str) -> str:
    return next(each.value for each in page.metric if each.label == label)


def rows(page: Page, name: str) -> list[list[str]]:
    """A table's lines, below its caption and its header."""
    return list(csv.reader(io.StringIO(page.file(name).decode("utf-8-sig"))))[2:]


def numbers(values: Any) -> np.ndarray:
    if isinstance(values, dict):
        return np.frombuffer(base64.b64decode(values["bdata"]), np.dtype(values["dtype"]))
    return np.array(values)
