"""Transformer: keys step through decoding and the tree, a click in Figure 1; a phone."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.browser_page import App, places

TEXT = "the cat sat on a street ."


def opened(app: App, own_checkpoints: dict[str, Path], view: str, **link: str) -> Page:
    model = str(own_checkpoints["marian"])
    return app.open("transformer", view=view, model=model, text=TEXT, **link)


def stands_at(figure: Locator, step: int) -> None:
    expect(figure).to_have_attribute("data-painted", re.compile(rf"^step {step} of"))


def test_decoding_steps_forward_and_back_by_keys(app: App, own_checkpoints: dict[str, Path]):
    page = opened(app, own_checkpoints, "decode")
    figure = page.locator("[data-hidden][data-row]")
    stands_at(figure, 0)
    for key, step in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        page.keyboard.press(key)
        stands_at(figure, step)
    expect(page).to_have_url(re.compile("step=1"))
    page.reload()
    stands_at(figure, 1)
    page.keyboard.press("End")
    expect(figure).to_have_attribute("data-painted", re.compile(r"^step (\d+) of \1\b"))
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    stands_at(figure, 1)


def test_the_tree_grows_by_keys_and_a_click_adds_a_score_up(
    app: App, own_checkpoints: dict[str, Path]
):
    page = opened(app, own_checkpoints, "beams", beams="3")
    tree = page.locator('[data-painted*="hypothesis-margin"]')
    expect(tree).to_be_visible()
    page.locator("body").press("Home")
    for step in (1, 2):
        page.keyboard.press("ArrowRight")
        stands_at(tree, step)
    tree.locator("tr[data-node]").last.click()
    expect(tree.locator(".sums")).to_contain_text("with |Y| = 2")
    expect(page).to_have_url(re.compile("depth=2"))
    chosen = tree.get_attribute("data-selected") or ""
    page.reload()
    expect(tree).to_have_attribute("data-selected", chosen)
    stands_at(tree, 2)
    page.keyboard.press("Escape")
    expect(tree).to_have_attribute("data-selected", "-1")


def test_a_click_on_figure_one_shows_the_parts_numbers(app: App, own_checkpoints: dict[str, Path]):
    page = opened(app, own_checkpoints, "machine")
    figure = page.locator('[data-painted$="arrows"]')
    x, y = places(figure)["dec.mlp"]
    app.act(lambda: figure.locator(".stack").click(position={"x": x, "y": y}))
    expect(figure).to_have_attribute("data-selected", "dec.mlp")
    expect(page.get_by_text("32 → 48 → 32").first).to_be_visible()
    expect(page).to_have_url(re.compile("figure=dec.mlp"))


@pytest.mark.parametrize("app", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
def test_a_phone_shows_it_without_scrolling_sideways(app: App, own_checkpoints: dict[str, Path]):
    for view in ("decode", "beams", "machine"):
        page = opened(app, own_checkpoints, view)
        expect(page.locator("[data-painted]").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, view
