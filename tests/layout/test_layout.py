"""Views whose first screen is as it should be stay so; a view that is brought there is added.

`python -m tests.layout` measures all of them.
"""

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser

from tests.journeys.server import running_server
from tests.layout.audit import SIZES, measure
from tests.pages.declared import SHOWN

HELD: Final = {
    "desktop": ("home", "attention", "tokenization-"),
    "projector": ("home", "attention", "tokenization-", "tokenizers-text"),
    "phone": ("attention", "tokenization-", "tokenizers-text"),
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running_server() as started:
        yield started


@pytest.mark.parametrize(("size", "view"), [(size, view) for size in HELD for view in HELD[size]])
def test_its_figure_begins_soon_and_nothing_is_wider(
    chromium: Browser, address: str, size: str, view: str
):
    shown = next(shown for shown in SHOWN if str(shown) == view)
    for one in measure(chromium, address, shown, SIZES[size]):
        assert one.top is not None
        assert one.top <= SIZES[size].begins
        assert one.faults["wider"] == (0, ())
        assert one.faults["overlapping"] == (0, ())
