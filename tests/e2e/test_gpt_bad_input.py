"""Whatever the GPT page is given: a clear sentence or a right picture, and nothing lost."""

import pytest
from playwright.sync_api import Page, expect


@pytest.fixture
def opened(app, own_checkpoints):
    def go(**params: str) -> Page:
        return app.open("gpt", **{"model": str(own_checkpoints["gpt2"])} | params)

    return go


@pytest.mark.parametrize("app", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
@pytest.mark.parametrize("view", ["next", "generate", "layers", "beside"])
def test_a_phone_shows_it_without_scrolling_sideways(opened, view):
    page = opened(text="the cat sat on a street", view=view)
    expect(page.locator("[data-painted]").first).to_be_visible()
    assert page.evaluate(
        "() => document.querySelector('[data-testid=stMain]').scrollWidth <= window.innerWidth"
    )
