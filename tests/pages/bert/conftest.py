"""The BERT page's models: minilm-mlm, and bert-mini for next sentences; both are on board."""

from typing import Any

import pytest

import core


@pytest.fixture(scope="module")
def bert() -> Any:
    return core.load("minilm-mlm")


@pytest.fixture(scope="module")
def bert_mini() -> Any:
    return core.load("bert-mini")
