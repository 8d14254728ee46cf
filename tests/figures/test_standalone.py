"""Every figure as one file: it draws and answers hands with no network and no server."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app.components.standalone import standalone_page
from tests.figures.samples import SAMPLES
from tests.figures.strange_texts import HOSTILE

POINTED = ("heat_map", "picture_map", "picture_film")
SAID = re.compile(".")
STEPPED = {  # by the button of its player
    *("beam_tree", "bpe_stepper", "decoder_steps", "drift", "head_film", "picture_film"),
}


@pytest.mark.parametrize("component", sorted(SAMPLES))
def test_every_figure_stands_alone(page: Page, tmp_path: Path, component: str):
    file = tmp_path / "figure.html"
    file.write_text(standalone_page(HOSTILE, component, SAMPLES[component](), HOSTILE), "utf-8")
    page.goto(file.as_uri())
    figure = page.locator(".gf")
    expect(figure).to_have_attribute("data-painted", SAID)
    assert page.evaluate("performance.getEntriesByType('resource').length") == 0
    assert page.title() == HOSTILE
    assert page.locator("body > script:not([type])").count() == 0
    if component in POINTED:
        figure.locator("canvas").first.hover()
        expect(figure.locator(".tip").first).to_be_visible()
    if component in STEPPED:
        steps = figure.locator(".controls input[type=range]").first
        before = steps.input_value()
        turn = "Step ›" if before != steps.get_attribute("max") else "‹ Back"
        figure.get_by_role("button", name=turn).first.click()
        expect(steps).not_to_have_value(before)


def test_it_says_how_large_it_is():
    page = standalone_page("a", "heat_map", SAMPLES["heat_map"](), "caption")
    assert f"caption · {len(page.encode()) / 1000:.0f} kB" in page
