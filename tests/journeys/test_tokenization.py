"""BPE, step by step: keys, the link, a reader's own file, and what is taken along."""

from playwright.sync_api import Locator, Page, expect

from tests.journeys.browser_page import App


def figure(page: Page) -> Locator:
    return page.locator('[data-painted^="step"]')


def stands_at(page: Page, step: int, of: int = 10) -> None:
    expect(figure(page)).to_have_attribute("data-painted", f"step {step} of {of}")


def test_keys_step_through_the_run_and_a_reload_finds_the_step(app: App):
    page = app.open("tokenization")
    stands_at(page, 0)
    expect(figure(page)).to_be_in_viewport(ratio=0.9)
    app.act(lambda: page.keyboard.press("End"))  # nothing has the focus: the figure has the keys
    stands_at(page, 10)
    expect(page.locator('[data-painted^="encoding 2 tokens"]')).to_be_visible()
    app.act(lambda: page.keyboard.press("ArrowLeft"))
    stands_at(page, 9)
    expect(page).to_have_url("".join((app.address, "/tokenization?step=9")))
    app.act(page.reload)
    stands_at(page, 9)
