"""The BERT page with bert-mini, which is on board."""

from typing import Any

import pytest

import core


@pytest.fixture(scope="module")
def bert() -> Any:
    return core.load("bert-mini")
