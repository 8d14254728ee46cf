"""Every view's first screen, on every screen, in both themes: what `python -m tests.layout` prints.

The figure begins soon; nothing is cut, overlapping, small, pale or wider than the screen; on a
projector the figure, with the details beside it, has most of the screen.
"""

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser

from tests.journeys.browser_page import App
from tests.journeys.server import running_server
from tests.layout.audit import SIZES, measure, new_auditor
from tests.pages.declared import SHOWN, Shown

WITHOUT_FIGURE: Final = ("blocks-cost-measured", "about", "editor", "notes", "handout")
GROWING: Final = ("transformer-beams",)  # as wide as its steps, and scrolled to the newest
SHARE: Final = 0.65  # of a projector's first screen
LOWER: Final = {  # figures that are not so high: a row of tokens, a chart and its words
    "blocks-objectives-spans": 0.19,
    "blocks-objectives-replaced": 0.45,
    "blocks-cost-parameters": 0.55,
    "positions-sinusoidal": 0.56,
    "gpt-why": 0.57,
    "blocks-objectives-all": 0.58,
    "bert-pretraining": 0.61,
    "blocks-tuning-lora": 0.64,
    "bert-words": 0.61,
    "bert-tuning": 0.64,
}


@pytest.fixture(scope="module")
def auditor(chromium: Browser) -> Iterator[App]:
    with running_server() as address:
        reader, context = new_auditor(chromium, address)
        yield reader
        context.close()


@pytest.mark.parametrize("shown", SHOWN, ids=str)
def test_its_figure_comes_first_and_nothing_is_cut_small_or_pale(auditor: App, shown: Shown):
    for one in measure(auditor, shown, list(SIZES.values())):
        place = f"{one.size.name}, {one.theme}"
        faults = {kind for kind, found in one.faults.items() if found[0]}
        faults -= {"scrolled"} if str(shown) in GROWING else set()
        assert {kind: one.faults[kind] for kind in faults} == {}, place
        if str(shown) in WITHOUT_FIGURE:
            continue
        assert one.top is not None, place
        assert one.top <= one.size.begins, place
        if one.size.name == "projector":
            assert one.stage >= LOWER.get(str(shown), SHARE), place
