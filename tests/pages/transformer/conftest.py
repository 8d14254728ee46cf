"""The Transformer page on a tiny translator."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import core
from tests.pages.page import Page
from tests.pages.transformer.shown import TEXT


@pytest.fixture(scope="module")
def marian(own_checkpoints: dict[str, Path]) -> Any:
    return core.load(own_checkpoints["marian"])


@pytest.fixture
def opened(offered: dict[str, Path]) -> Callable[..., Page]:
    """A view on the tiny model of a family, with the link's other parameters."""

    def go(view: str, family: str = "marian", **link: str) -> Page:
        return Page(
            "transformer", **{"view": view, "model": str(offered[family]), "text": TEXT} | link
        )

    return go
