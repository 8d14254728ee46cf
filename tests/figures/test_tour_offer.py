"""A tour is offered once to a browser: after a yes, a no or a reload never again."""

from playwright.sync_api import Page, expect

from app.components.frame import pack
from tests.figures.conftest import Mount
from tests.figures.harness import CLICKS, Figure

FRAME = pack({"clicks": CLICKS}, {})


def offered(mount: Mount, page: Page) -> Figure:
    figure = mount("tour_offer")
    page.evaluate("localStorage.clear()")
    figure.give(FRAME)
    expect(page.get_by_role("region", name="A tour")).to_be_visible()
    return figure


def test_a_yes_is_told_and_ends_it(mount: Mount, page: Page):
    figure = offered(mount, page)
    page.get_by_role("button", name="Take the tour").click()
    figure.clicked(value=True)
    expect(page.get_by_role("region")).to_have_count(0)
    figure.give(FRAME)
    expect(page.get_by_role("region")).to_have_count(0)


def test_it_stays_through_runs_until_escape_and_never_comes_back(mount: Mount, page: Page):
    figure = offered(mount, page)
    figure.give(FRAME)
    expect(page.get_by_role("region")).to_have_count(1)
    page.get_by_role("button", name="No, thanks").focus()
    page.keyboard.press("Escape")
    expect(page.get_by_role("region")).to_have_count(0)
    figure.give(FRAME)
    expect(page.get_by_role("region")).to_have_count(0)
    assert page.evaluate("localStorage.getItem('glassformer.tour')") == "offered"


def test_it_stands_over_the_page_and_moves_nothing(mount: Mount, page: Page):
    offered(mount, page)
    region = page.get_by_role("region", name="A tour")
    assert region.evaluate("(one) => getComputedStyle(one).position") == "fixed"
