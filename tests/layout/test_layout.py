"""Every view opens on its figure; nothing on the first screen is cut, small, pale or too wide.

All views on a projector, which has the least room; on the other screens and in the dark each fifth
of them. `python -m tests.layout` measures all on all screens.
"""

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser

from tests.journeys.browser_page import App
from tests.journeys.server import running_server
from tests.layout.audit import FAULTS, SIZES, Measured, measure, new_auditor
from tests.layout.figures import late
from tests.pages.declared import SHOWN, Shown

EVERY: Final = 5  # of the views is looked at on all screens
SHARE: Final = 0.55  # of a projector's first screen, for the figure and what stands beside it


@pytest.fixture(scope="module")
def auditor(chromium: Browser) -> Iterator[App]:
    with running_server() as address:
        reader, context = new_auditor(chromium, address)
        yield reader
        context.close()


@pytest.mark.parametrize("shown", SHOWN, ids=str)
def test_its_figure_has_a_projectors_screen(auditor: App, shown: Shown):
    for one in measure(auditor, shown, [SIZES["projector"]], ["light"]):
        assert one.stage >= SHARE or late(one.view)
        check(one)


@pytest.mark.parametrize("shown", SHOWN[::EVERY], ids=str)
def test_its_figure_comes_first_on_a_desk_and_a_phone(auditor: App, shown: Shown):
    for one in measure(auditor, shown, [SIZES["desktop"], SIZES["phone"]]):
        check(one)


def check(one: Measured) -> None:
    """A figure in time, and no fault."""
    if not late(one.view):
        assert one.top is not None
        assert one.top <= one.size.begins
    assert {kind: one.faults[kind] for kind in FAULTS} == dict.fromkeys(FAULTS, (0, ()))
