"""The attention page's own model, which is on board."""

from typing import Any

import numpy as np
import pytest

import core
from tests.pages.attention.shown import HEAD, TEXT


@pytest.fixture(scope="module")
def trace() -> Any:
    return core.load("minilm-l6").trace(TEXT)


@pytest.fixture(scope="module")
def head(trace: Any) -> np.ndarray:
    return trace.attention(HEAD[0]).weights[HEAD[1]]
