"""Views whose first screen is as it should be stay so; a view that is brought there is added.

`python -m tests.layout` measures all of them, on every screen.
"""

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser

from tests.journeys.browser_page import App
from tests.journeys.server import running_server
from tests.layout.audit import SIZES, measure, new_auditor
from tests.pages.declared import SHOWN

COMPARED: Final = ("attention-pair", "attention-models")
HELD: Final = {
    "desktop": ("home", "attention-", *COMPARED, "tokenization-", "tokenizers-text"),
    "projector": (
        *COMPARED,
        *("home", "attention-", "tokenization-", "tokenization-lives", "tokenizers-text"),
        *("tokenizers-languages", "tokenizers-why", "tokenizers-wordpiece", "tokenizers-unigram"),
    ),
    "phone": ("home", "attention-", *COMPARED, "tokenization-", "tokenizers-text"),
}
SHARE: Final = 0.65  # of a projector's first screen, for the figure and the details beside it


@pytest.fixture(scope="module")
def auditor(chromium: Browser) -> Iterator[App]:
    with running_server() as address:
        reader, context = new_auditor(chromium, address)
        yield reader
        context.close()


@pytest.mark.parametrize(("size", "view"), [(size, view) for size in HELD for view in HELD[size]])
def test_its_figure_comes_first_and_nothing_is_cut_small_or_pale(
    auditor: App, size: str, view: str
):
    shown = next(shown for shown in SHOWN if str(shown) == view)
    for one in measure(auditor, shown, [SIZES[size]], ["light"]):
        assert one.top is not None
        assert one.top <= one.size.begins
        assert one.stage >= (SHARE if size == "projector" else 0)
        assert {kind: found for kind, found in one.faults.items() if found[0]} == {}
