"""Every view's first screen, measured: nothing is cut or wider than the screen, figures begin soon.

`AT_MOST` holds what is not yet as it should be (`Size.begins`, no fault at all): it is lowered as
views get better, and never raised.
"""

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser

from tests.journeys.server import running_server
from tests.layout.audit import SIZES, Measured, measure
from tests.pages.declared import SHOWN

AT_MOST: Final = {  # views that begin too low, and faults of all views together, in both themes
    "desktop": {"late": 0, "cut": 0, "overlapping": 0, "small": 0, "pale": 0, "wider": 0},
    "projector": {"late": 0, "cut": 0, "overlapping": 0, "small": 0, "pale": 0, "wider": 0},
    "phone": {"late": 0, "cut": 0, "overlapping": 0, "small": 0, "pale": 0, "wider": 0},
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running_server() as started:
        yield started


@pytest.mark.parametrize("size", SIZES)
def test_every_view_on_this_screen(chromium: Browser, address: str, size: str):
    found = [one for shown in SHOWN for one in measure(chromium, address, shown, SIZES[size])]
    late = [one for one in found if one.top is not None and one.top > one.size.begins]
    counted = {"late": len(late), **{kind: _count(found, kind) for kind in found[0].faults}}
    worse = {kind: count for kind, count in counted.items() if count > AT_MOST[size][kind]}
    assert worse == {}, "python -m tests.layout names them"


def _count(found: list[Measured], kind: str) -> int:
    return sum(one.faults[kind][0] for one in found)
