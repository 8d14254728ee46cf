"""How models learned, in a browser: every number shown is what the training kept."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, Position, expect

from app.style.number_format import three
from core.data.snapshots import Moments, read_moments

ROOT = Path(__file__).parent.parent.parent
PAGE = "training"
PHONE = {"viewport": {"width": 390, "height": 844}}


def kept(model: str, name: str) -> Moments:
    found = read_moments(ROOT / "assets" / "models" / model / "snapshots.npz", name)
    assert found is not None
    return found


def film(page: Page) -> Locator:
    return page.locator(f".st-key-{PAGE}-film .gf").first


def expect_shown(page: Page, moment: int, head: tuple[int, int], values: np.ndarray) -> None:
    """The film stands at a moment, with this head large, whose map has the sum of `values`."""
    near = "|".join(re.escape(f"{values.sum() + d / 1000:.3f}") for d in (-1, 0, 1))
    expect(film(page)).to_have_attribute(
        "data-painted",
        re.compile(f"^moment {moment} of 7, layer {head[0]} · head {head[1]}, sum ({near})$"),
        timeout=60_000,
    )


def at(page: Page, part: str, row: int, column: int) -> Position:
    """The middle of a thumbnail (“grid”) or of a cell of the large map (“large”)."""
    left, top, wide, high = json.loads(film(page).get_attribute("data-geometry") or "{}")[part]
    return {"x": left + (column + 0.45) * wide, "y": top + (row + 0.45) * high}


@pytest.mark.parametrize("app", [{}, PHONE], indirect=True, ids=["wide", "phone"])
def test_heads_form_moment_by_moment(app):
    page = app.open(PAGE, head="1.5")
    maps = kept("bert-mini", "attention").values  # (moment, layer, head, query, key)
    expect_shown(page, 7, (1, 5), maps[7, 1, 5])
    box = film(page)
    box.get_by_role("button", name="«").click()
    expect_shown(page, 0, (1, 5), maps[0, 1, 5])
    expect(page).to_have_url(re.compile("moment=0"))
    box.locator(".stack").click(position=at(page, "grid", 0, 2))
    expect_shown(page, 0, (0, 2), maps[0, 0, 2])
    expect(page).to_have_url(re.compile(r"head=0\.2"))
    expect(page.get_by_role("heading", name="Layer 0, head 2")).to_be_visible()
    page.reload()
    app.settled()
    expect_shown(page, 0, (0, 2), maps[0, 0, 2])
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0  # nothing runs out of the page


def test_a_weight_is_told_exactly_and_keys_walk(app):
    page = app.open(PAGE, head="0.2", moment="4")
    maps = kept("bert-mini", "attention").values
    expect_shown(page, 4, (0, 2), maps[4, 0, 2])
    stack = film(page).locator(".stack")
    stack.hover(position=at(page, "large", 3, 4))
    expect(film(page).locator(".readout")).to_contain_text(three(maps[4, 0, 2, 3, 4])[:5])
    page.mouse.move(5, 5)
    stack.press("ArrowRight")
    expect_shown(page, 4, (0, 3), maps[4, 0, 3])
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("ArrowLeft")  # outside the figure arrows walk through the training
    expect_shown(page, 3, (0, 3), maps[3, 0, 3])
    page.keyboard.press("End")
    expect_shown(page, 7, (0, 3), maps[7, 0, 3])


def test_it_plays_to_the_end(app):
    page = app.open(PAGE, head="0.2", moment="5")
    maps = kept("bert-mini", "attention").values
    expect_shown(page, 5, (0, 2), maps[5, 0, 2])
    film(page).get_by_role("button", name="▶ Play").click()
    expect_shown(page, 7, (0, 2), maps[7, 0, 2])
    expect(page).not_to_have_url(re.compile("moment="))


def test_three_kinds_of_a_translator_and_a_head_worth_watching(app):
    page = app.open(PAGE, model="transformer-en-de", maps="cross", head="3.3")
    maps = kept("transformer-en-de", "cross").values
    expect_shown(page, 7, (3, 3), maps[7, 3, 3])
    page.get_by_role("button", name=re.compile("^sharpest")).click()
    expect(page.get_by_role("heading", name=re.compile(r"^Layer \d, head \d$"))).to_be_visible()
    page.get_by_text("Encoder self-attention", exact=True).click()
    expect(page.get_by_role("button", name=re.compile("^the token before"))).to_be_visible()
    expect(film(page).locator("canvas").first).to_have_attribute(
        "aria-label", re.compile("^Encoder self-attention of Transformer")
    )


def vit(page: Page) -> None:
    values = kept("vit-mini", "class_attention").values
    expect_shown(page, 2, (1, 0), values[2, 1, 0])
    expect(page.get_by_text("It began with mae-mini’s weights")).to_be_visible()


def swin(page: Page) -> None:
    values = kept("swin-mini", "relative_position_bias").values  # two heads in the first layer
    expect_shown(page, 2, (1, 0), values[2, 2])


def mae(page: Page) -> None:
    steps = kept("mae-mini", "painted").steps
    expect(page.get_by_text(f"step {steps[2]:,}").first).to_be_attached()
    expect(page.get_by_role("group", name=re.compile("^One picture as MAE mini"))).to_be_visible()


def detr(page: Page) -> None:
    boxes, chances = kept("detr-mini", "boxes"), kept("detr-mini", "probabilities")
    claims = int((chances.values[2].argmax(axis=1) < 4).sum())
    said = f"At step {boxes.steps[2]:,}, {claims} of 10 slots claim one"
    expect(page.get_by_text(said)).to_be_visible()


@pytest.mark.parametrize(
    ("model", "check"),
    [("vit-mini", vit), ("swin-mini", swin), ("mae-mini", mae), ("detr-mini", detr)],
)
def test_models_of_pictures(app, model: str, check: Callable[[Page], None]):
    page = app.open(PAGE, model=model, moment="2", head="1.0")
    check(page)
    expect(page.get_by_role("heading", name="Loss")).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(
        3 if model in ("vit-mini", "swin-mini") else 2
    )


def test_another_model_forgets_the_head_and_tells_how_it_was_trained(app):
    page = app.open(PAGE, head="5.7")
    page.get_by_text("GPT mini", exact=True).click()
    app.settled()
    assert "head=5.7" not in page.url
    page.get_by_text("How GPT mini (trained here) was trained").click()
    expect(page.get_by_text("python -m core.training.gpt_mini --data DIR")).to_be_visible()


def test_numbers_and_the_figure_as_a_page_of_its_own(app, tmp_path):
    page = app.open(PAGE, head="0.2", moment="4")
    buttons = page.get_by_test_id("stDownloadButton")
    with page.expect_download() as waiting:
        buttons.get_by_role("button", name="NPZ").click()
    with np.load(waiting.value.path()) as arrays:
        maps = kept("bert-mini", "attention").values
        np.testing.assert_array_equal(arrays["maps"], maps.reshape(arrays["maps"].shape))
        assert len(arrays["loss_curve"]) > 300
    with page.expect_download() as waiting:
        buttons.get_by_role("button", name="HTML").click()
    alone = tmp_path / "film.html"
    waiting.value.save_as(alone)
    other = page.context.new_page()
    other.goto(alone.as_uri())
    expect(other.locator(".gf").first).to_have_attribute(
        "data-painted", re.compile("^moment 4 of 7, layer 0 · head 2")
    )


@pytest.mark.parametrize(
    ("link", "told"),
    [
        ({"model": "<b>nobody"}, "“<b>nobody” kept no moments of its training; showing BERT mini"),
        ({"head": "99.99", "at": "77", "maps": "none"}, "Worth watching"),
        ({"head": "x.y", "at": "soon"}, "Worth watching"),
    ],
)
def test_links_that_ask_for_what_is_not_there(app, link: dict[str, str], told: str):
    page = app.open(PAGE, **link)
    expect(page.get_by_text(told).first).to_be_visible()
    expect(film(page)).to_have_attribute("data-painted", re.compile("^moment 7 of 7"))
