"""Attention: the first screen, keys and clicks in the grid, the link, files, BertViz, a phone."""

import re
from itertools import permutations
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Position, expect

from tests.journeys.browser_page import App, places


def grid(page: Page) -> Locator:
    return page.locator('[data-painted*="heads of"]')


def view(page: Page) -> Locator:
    return page.locator('[data-painted*="maps of"]')


def thumbnail(page: Page, layer: int, head: int) -> Position:
    left, top, wide, high, gap = places(grid(page))
    return {"x": left + head * (wide + gap) + wide / 2, "y": top + layer * (high + gap) + high / 2}


def test_the_first_screen_makes_the_point_and_keys_walk_on(app: App):
    page = app.open("attention")
    expect(page.get_by_text("0.677 · rank 1 of 16 · 10.8 × uniform")).to_be_visible()
    expect(view(page)).to_be_in_viewport(ratio=0.9)
    grid(page).locator(".stack").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    app.act(lambda: page.keyboard.press("Enter"))
    expect(view(page).get_by_text("layer 4 · head 2").first).to_be_visible()


def test_clicks_choose_heads_and_a_copied_link_brings_them_back(app: App):
    page = app.open("attention")
    place = thumbnail(page, 5, 11)
    app.act(lambda: grid(page).locator(".stack").click(position=place, modifiers=["Shift"]))
    expect(page.get_by_text("2 heads overlaid")).to_be_visible()
    app.act(page.get_by_text("Mean", exact=True).click)
    expect(page.get_by_text("mean of 2 heads in 2 layers").first).to_be_visible()
    app.act(lambda: grid(page).locator(".stack").click(position=place))
    expect(view(page).get_by_text("layer 5 · head 11").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"heads=5\.11"))
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Link copied").first).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.url
    page.goto(copied)
    expect(view(page).get_by_text("layer 5 · head 11").first).to_be_visible()


def test_the_offline_page_and_the_picture_hold_the_figure(app: App, tmp_path: Path):
    page = app.open("attention")
    total = view(page).get_attribute("data-total")
    file = tmp_path / "attention.html"
    app.save("HTML").save_as(file)
    picture = Path(app.save("SVG", of=view(page)).path()).read_text()
    assert picture.startswith("<svg")
    assert "animal" in picture
    offline = page.context.new_page()
    asked: list[str] = []
    offline.on("request", lambda request: asked.append(request.url))
    offline.goto(file.as_uri())
    expect(view(offline)).to_have_attribute("data-total", total or "")
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


def test_bertviz_draws_in_its_own_frame(app: App):
    page = app.open("attention", bertviz="head")
    expect(page.frame_locator("iframe").last.locator("#vis svg").first).to_be_visible()
    expect(view(page)).to_be_visible()


@pytest.mark.parametrize("app", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
def test_a_phone_shows_it_without_scrolling_sideways(app: App):
    page = app.open("attention")
    expect(view(page)).to_be_visible()
    assert page.get_by_test_id("stMain").evaluate("node => node.scrollWidth") <= 390


def test_two_sentences_are_compared_head_by_head(app: App):
    page = app.open("attention", view="pair")
    expect(page.get_by_text("head 1 in layer 3")).to_be_visible()
    place = thumbnail(page, 2, 5)
    app.act(lambda: grid(page).locator(".stack").click(position=place))
    expect(page).to_have_url(re.compile(r"heads=2\.5"))
    expect(page.get_by_text("Head 5 in layer 2")).to_be_visible()
    app.write("Second sentence", "The animal didn't cross the street because it was too cold.")
    expect(page.get_by_text("tired | cold")).to_be_visible()
    page.reload()
    app.settled()
    expect(page.get_by_text("Head 5 in layer 2")).to_be_visible()


def test_a_node_of_the_flow_is_followed_and_a_link_brings_it_back(app: App):
    page = app.open("attention", view="flow")
    flow = page.locator('[data-painted*="edges"]')
    expect(page.get_by_text("the strongest path from another token")).to_be_visible()
    left, top, step, row = places(flow)
    at: Position = {"x": left + 3 * step, "y": top + 2.5 * row}
    app.act(lambda: flow.locator(".stack").click(position=at))
    expect(page).to_have_url(re.compile(r"node=3\.2"))
    expect(flow).to_have_attribute("data-node", "[3,2]")
    app.act(page.get_by_text("everything", exact=True).click)
    expect(page.get_by_text("the strongest path between two tokens")).to_be_visible()
    page.reload()
    app.settled()
    expect(page.get_by_text("the strongest path between two tokens")).to_be_visible()


def test_one_head_from_products_to_weights_and_its_queries_and_keys_in_a_plane(app: App):
    page = app.open("attention", view="steps", heads="3.1", cell="10.2")
    matrix = page.locator('[data-painted^="16 x 16"]').first
    before = matrix.get_attribute("data-painted")
    app.act(page.get_by_text("4 · softmax", exact=True).click)
    expect(matrix).to_have_attribute("data-painted", "16 x 16, sum 16.000")
    assert before != "16 x 16, sum 16.000"
    expect(page.get_by_text("makes it 0.677").first).to_be_visible()

    page = app.open("attention", view="space", heads="3.1")

    def told() -> int:
        said = page.get_by_text(re.compile(r"\d+ of [\d,]+ pairs")).first.inner_text()
        return int(said.split()[0])

    arrows = page.locator(".js-plotly-plot .annotation-arrow-g")
    expect(page.locator(".js-plotly-plot .scatterlayer .trace")).to_have_count(2)
    expect(arrows).to_have_count(told())
    before = told()
    slider = page.get_by_role("slider", name="Arrows from a weight of")
    slider.focus()
    app.act(lambda: page.keyboard.press("ArrowLeft"))
    expect(page).to_have_url(re.compile(r"arrows=0\.25"))
    assert told() > before
    expect(arrows).to_have_count(told())
    app.act(page.get_by_test_id("stCheckbox").filter(has_text="special").click)
    expect(page.locator(".js-plotly-plot").get_by_text("[CLS]")).to_have_count(0)
    expect(arrows).to_have_count(told())


def test_a_relation_s_best_head_opens_on_its_sentence(app: App):
    page = app.open("attention", view="syntax")
    expect(page.get_by_text("heads beat the best guess at")).to_be_visible()
    button = page.get_by_role("button", name=re.compile(r"^Open head"))
    head = (button.text_content() or "").split()[2]
    app.act(button.click)
    expect(page).to_have_url(re.compile(rf"heads={re.escape(head)}"))
    layer, number = head.split(".")
    expect(view(page).get_by_text(f"layer {layer} · head {number}").first).to_be_visible()


def test_a_readers_sentences_name_the_heads_and_a_found_head_opens(app: App, tmp_path: Path):
    tales = tmp_path / "tales.txt"
    animals = ("dog", "cat", "horse", "hen", "cow", "goat", "pig", "duck")
    pairs = permutations(animals, 2)
    lines = [f"The {one} saw the {other} because it was tired." for one, other in pairs]
    tales.write_text("\n".join(lines), "utf-8")
    page = app.open("attention", view="heads", part="many")
    page.get_by_role("button", name="Your sentences").click()
    app.act(lambda: page.locator("input[type=file]").first.set_input_files(tales))
    page.keyboard.press("Escape")
    expect(page.get_by_text("sentences: ").first).to_contain_text(f"Over your {len(lines)} ")
    expect(page.locator('[data-painted^="12 x 21"]')).to_have_count(2)
    app.act(page.get_by_text("Find one", exact=True).click)
    app.act(page.get_by_role("button", name="Open head 3.1 on this sentence").click)
    expect(page.get_by_text("0.677 · rank 1 of 16 · 10.8 × uniform")).to_be_visible()
    expect(page).to_have_url(re.compile(r"attention$|heads=3\.1"))
