"""A lesson's handout printed: every figure drawn, on pages of paper, without the app around it."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from app.content.lessons import shipped
from tests.journeys.server import running_server

PAGES = re.compile(rb"/Type\s*/Page\b(?!s)")
MADE = 'html[data-gf-printable="true"]'


@pytest.fixture(scope="module")
def handout(chromium: Browser) -> Iterator[Page]:
    with running_server() as address:
        page = chromium.new_page(color_scheme="dark")  # ink on paper, whatever the screen has
        page.goto(f"{address}/handout?lesson=attention.de.1")
        expect(page.locator(MADE)).to_have_count(1, timeout=120_000)
        yield page
        page.close()


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_it_fills_pages_of_paper(handout: Page, paper: str):
    printed = handout.pdf(format=paper)
    assert len(PAGES.findall(printed)) >= 5


def test_the_app_around_it_is_not_printed(handout: Page):
    handout.emulate_media(media="print")
    expect(handout.locator(".st-key-handout-tools")).to_be_hidden()
    expect(handout.locator('[data-testid="stSidebar"]')).to_be_hidden()
    title = handout.get_by_role("heading", name="Attention in 20 Minuten")
    assert title.evaluate("one => getComputedStyle(one).color") == "rgb(29, 27, 22)"
    clipped = handout.evaluate(
        "[...document.querySelectorAll('*')].filter(one => one.querySelector('.st-key-handout') "
        "&& !['visible', 'clip'].includes(getComputedStyle(one).overflowY) "
        "&& one.scrollHeight > one.clientHeight + 1).map(one => one.dataset.testid ?? one.tagName)"
    )
    assert clipped == []
    handout.emulate_media(media="screen")


def test_every_figure_is_drawn_in_it(handout: Page):
    steps = shipped()["attention"].steps
    frames = handout.locator('[data-testid="stIFrame"]')
    expect(frames).to_have_count(len(steps))
    for place in range(len(steps)):
        within = frames.nth(place).content_frame
        expect(within.locator('[data-gf-kept="whole"]').first).to_be_visible()
        expect(within.locator('[data-testid="stException"]')).to_have_count(0)
