"""The GPT page on a tiny model."""

from collections.abc import Callable
from pathlib import Path

import pytest

import core
from core.models.text.decoder import TextDecoder
from tests.pages.gpt.shown import TEXT
from tests.pages.page import Page


@pytest.fixture(scope="module")
def model(own_checkpoints: dict[str, Path]) -> TextDecoder:
    return core.load(own_checkpoints["gpt2"])


@pytest.fixture
def opened(offered: dict[str, Path]) -> Callable[..., Page]:
    """The page on the tiny model of a family, with the link's other parameters."""

    def go(family: str = "gpt2", **link: str) -> Page:
        return Page("gpt", model=str(offered[family]), **{"text": TEXT} | link)

    return go
