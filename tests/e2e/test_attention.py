"""The attention page, every interaction, against the model's own numbers."""

import json
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, Position, expect

import core

TEXT = "The animal didn't cross the street because it was too tired."
HEAD, IT, ANIMAL = (3, 1), 10, 2


@pytest.fixture(scope="module")
def trace():
    return core.load("minilm-l6").trace(TEXT)


@pytest.fixture(scope="module")
def head(trace) -> np.ndarray:
    return trace.attention(HEAD[0]).weights[HEAD[1]]


def grid(page: Page) -> Locator:
    return page.locator('[data-painted*="heads of"]')


def view(page: Page) -> Locator:
    return page.locator('[data-painted*="maps of"]')


def selection(root: Locator) -> dict:
    return json.loads(root.get_attribute("data-selection") or "{}")


def thumbnail(page: Page, layer: int, head: int) -> Position:
    left, top, wide, high, gap = json.loads(grid(page).get_attribute("data-geometry") or "")
    return {"x": left + head * (wide + gap) + wide / 2, "y": top + layer * (high + gap) + high / 2}


def painted_sum(root: Locator) -> float:
    return float(root.get_attribute("data-total") or "nan")


def test_the_first_screen_makes_the_point(app, head):
    page = app.open("attention")
    assert f"{head[IT, ANIMAL]:.3f}" == "0.677"
    expect(page.get_by_text("0.677 · rank 1 of 16 · 10.8 × uniform")).to_be_visible()
    expect(view(page)).to_be_in_viewport(ratio=0.9)


def test_a_click_on_a_thumbnail_chooses_the_head(app, trace):
    page = app.open("attention")
    grid(page).locator(".stack").click(position=thumbnail(page, 5, 11))
    expect(view(page).get_by_text("layer 5 · head 11").first).to_be_visible()
    app.settled()
    assert "heads=5.11" in page.url
    expect(page.get_by_text("0.673").first).to_be_visible()
    assert trace.attention(5).weights[11][IT, ANIMAL] == pytest.approx(0.673, abs=5e-4)


def test_shift_click_overlays_and_mean_averages(app, trace):
    page = app.open("attention")
    place = thumbnail(page, 5, 11)
    grid(page).locator(".stack").click(position=place, modifiers=["Shift"])
    expect(page.get_by_text("2 heads overlaid")).to_be_visible()
    app.settled()
    page.get_by_text("Mean", exact=True).click()
    expect(page.get_by_text("mean of 2 heads in 2 layers").first).to_be_visible()
    app.settled()
    mean = (trace.attention(3).weights[1] + trace.attention(5).weights[11]) / 2
    expect(page.get_by_text(f"{mean[IT, ANIMAL]:.3f} · rank 1 of 16")).to_be_visible()


def test_arrow_keys_walk_the_grid(app):
    page = app.open("attention")
    grid(page).locator(".stack").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(view(page).get_by_text("layer 4 · head 2").first).to_be_visible()


def test_copy_link_copies_the_link_that_restores_the_page(app):
    page = app.open("attention", heads="5.11", cell="10.2", layout="lines")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Link copied").first).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.url
    page.goto(copied)
    app.settled()
    expect(view(page).get_by_text("layer 5 · head 11").first).to_be_visible()


def download(page: Page, name: str) -> bytes:
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name, exact=True).last.click()
    return Path(waiting.value.path()).read_bytes()


def test_the_offline_page_works_from_a_file(app, head, tmp_path):
    page = app.open("attention")
    file = tmp_path / "attention.html"
    file.write_bytes(download(page, "HTML"))
    offline = app.page.context.new_page()
    asked: list[str] = []
    offline.on("request", lambda request: asked.append(request.url))
    offline.goto(file.as_uri())
    expect(view(offline)).to_have_count(1)
    assert painted_sum(view(offline)) == pytest.approx(float(head.sum()), abs=0.01)
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


@pytest.mark.parametrize("kind", ["PNG", "SVG"])
def test_pictures_of_the_figure(app, kind):
    page = app.open("attention")
    with page.expect_download() as waiting:
        view(page).get_by_text(kind, exact=True).click()
    content = Path(waiting.value.path()).read_bytes()
    if kind == "PNG":
        assert content.startswith(b"\x89PNG")
    else:
        text = content.decode()
        assert text.startswith("<svg")
        assert "animal" in text
        assert "MiniLM" in text


@pytest.mark.parametrize(
    ("name", "mark"), [("head view", "#vis"), ("model view", "#vis"), ("neuron view", "#vis")]
)
def test_bertviz_draws_in_its_own_frame(app, name, mark):
    page = app.open("attention")
    page.get_by_text(name, exact=True).click()
    app.settled()
    frame = page.frame_locator("iframe").last
    expect(frame.locator(f"{mark} svg").first).to_be_visible()
    expect(view(page)).to_be_visible()


@pytest.mark.parametrize("app", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
def test_a_phone_shows_it_all_without_scrolling_sideways(app):
    page = app.open("attention")
    expect(view(page)).to_be_visible()
    assert page.evaluate(
        "() => document.querySelector('[data-testid=stMain]').scrollWidth <= window.innerWidth"
    )
