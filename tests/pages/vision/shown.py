"""What the vision page's tests share: a view of it, and the numbers that its figures hold."""

from pathlib import Path
from typing import Any

import numpy as np

import core
from app.services.vision import sample
from tests.pages.page import Page

PICTURE = sample("chelsea").convert("RGB")
Folders = dict[str, Path]


def opened(view: str, folder: Path | None = None, **link: str) -> Page:
    given = {} if folder is None else {"model": str(folder)}
    return Page("vision", view=view, **given, **link)


def loaded(folder: Path) -> Any:
    return core.load(folder, device="cpu")


def drawn(page: Page, key: str, index: int = 0) -> np.ndarray:
    """The numbers over a picture; of several pictures side by side, one's."""
    return page.figures[f"vision.{key}"].arrays[f"values{index}"]


def expect_drawn(page: Page, key: str, expected: np.ndarray, index: int = 0) -> None:
    found = drawn(page, key, index)
    np.testing.assert_allclose(found, np.asarray(expected).reshape(found.shape), atol=1e-5)


def line_of(page: Page, method: str) -> str:
    """A table's line, by its first cell."""
    lines = "\n".join(each.value for each in page.markdown).splitlines()
    return next(line for line in lines if line.startswith(f"| {method} "))
