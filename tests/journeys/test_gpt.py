"""GPT: keys write, clicks choose, a reload keeps the tree; two maps share one cell; a phone."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.browser_page import App, places

TEXT = "the cat sat on a street because it"


def opened(app: App, own_checkpoints: dict[str, Path], **link: str) -> Page:
    return app.open("gpt", model=str(own_checkpoints["gpt2"]), text=TEXT, **link)


def test_a_key_writes_a_click_forks_and_a_reload_keeps_it(
    app: App, own_checkpoints: dict[str, Path]
):
    page = opened(app, own_checkpoints, view="generate", temperature="0")
    words = page.get_by_role("group", name="Prompt and continuation").locator(".word")
    choices = page.get_by_role("group", name="Next tokens; a click chooses one")
    page.get_by_role("heading", level=1).click()
    app.act(lambda: page.keyboard.press("n"))
    expect(words).to_have_count(8 + 1)
    app.act(lambda: page.keyboard.press("n"))
    app.act(lambda: page.keyboard.press("b"))
    app.act(choices.locator("[data-probability]").nth(4).click)
    expect(page.get_by_text("forks after 1")).to_be_visible()
    written = words.all_inner_texts()
    page.reload()
    expect(page.get_by_text("forks after 1")).to_be_visible()
    expect(words).to_have_text(written)


def test_a_click_in_berts_map_lights_the_same_pair_in_gpts(
    app: App, own_checkpoints: dict[str, Path]
):
    page = opened(app, own_checkpoints, view="beside", bert=str(own_checkpoints["bert"]))
    maps = page.locator('[data-painted^="8 x 8"]')
    expect(maps).to_have_count(2)
    left, top, wide, high = places(maps.nth(0))
    place = {"x": left + 4.5 * wide, "y": top + 1.5 * high}
    app.act(lambda: maps.nth(0).locator(".stack").click(position=place))
    expect(maps.nth(1)).to_have_attribute("data-selected", "[1,4]")
    expect(page.get_by_text("for GPT this word has not been said yet")).to_be_visible()


@pytest.mark.parametrize("app", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
def test_a_phone_shows_it_without_scrolling_sideways(app: App, own_checkpoints: dict[str, Path]):
    for view in ("next", "generate", "layers", "beside"):
        page = opened(app, own_checkpoints, view=view)
        expect(page.locator("[data-painted]").first).to_be_visible()
        main = page.get_by_test_id("stMain")
        assert main.evaluate("node => node.scrollWidth") <= 390, view


def test_a_term_of_the_logit_is_looked_at_and_a_reload_keeps_it(
    app: App, own_checkpoints: dict[str, Path]
):
    page = opened(app, own_checkpoints, view="direct")
    terms = page.locator('[data-painted*=" x "]').first
    left, top, wide, high = places(terms)
    place = {"x": left + 1.5 * wide, "y": top + 1.5 * high}
    app.act(lambda: terms.locator(".stack").click(position=place))
    chosen = terms.get_attribute("data-selected")
    assert chosen == "[1,1]"
    expect(page.get_by_text("left over, by rounding")).to_be_visible()
    page.reload()
    app.settled()
    expect(terms).to_have_attribute("data-selected", chosen)


def test_a_neuron_and_a_heads_circuits_are_clicked_open(app: App, own_checkpoints: dict[str, Path]):
    """A neuron is chosen in the map and comes back by its link; then a token of a circuit."""
    page = opened(app, own_checkpoints, view="neurons")
    neurons = page.locator('[data-painted^="3 x 8"]')
    left, top, wide, high = places(neurons)
    place = {"x": left + 4.5 * wide, "y": top + 1.5 * high}
    app.act(lambda: neurons.locator(".stack").click(position=place))
    expect(neurons).to_have_attribute("data-selected", "[1,4]")
    said = page.locator(".st-key-answer")
    expect(said).to_contain_text("Layer 1, neuron ")
    words = said.inner_text()
    page.reload()
    expect(said).to_have_text(words)
    app.act(page.get_by_role("radio", name="Circuits").click)
    ov = page.locator('[data-painted^="8 x 8"]').first
    left, top, wide, high = places(ov)
    place = {"x": left + 2.5 * wide, "y": top + 1.5 * high}
    app.act(lambda: ov.locator(".stack").click(position=place))
    expect(said).to_contain_text("Attending to cat")
