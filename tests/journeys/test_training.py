"""Training in a browser: the film of heads is scrubbed, clicked, walked, played and taken along."""

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, Position, expect

import core
from app.style.number_format import three
from core.data.snapshots import read_moments
from tests.journeys.browser_page import App, places

SNAPSHOTS = Path(core.__file__).parents[1] / "assets" / "models" / "bert-mini" / "snapshots.npz"


@pytest.fixture(scope="module")
def maps() -> np.ndarray:
    """(moment, layer, head, query, key)"""
    found = read_moments(SNAPSHOTS, "attention")
    assert found is not None
    return found.values.astype(np.float32)


def film(page: Page) -> Locator:
    return page.locator('[data-painted^="moment"]')


def shows(page: Page, moment: int, head: tuple[int, int], maps: np.ndarray) -> None:
    """The film stands at a moment with this head large; the sum's last digit may be rounded."""
    total = float(maps[(moment, *head)].sum())
    near = "|".join(re.escape(f"{total + step / 1000:.3f}") for step in (-1, 0, 1))
    expect(film(page)).to_have_attribute(
        "data-painted",
        re.compile(f"^moment {moment} of 7, layer {head[0]} · head {head[1]}, sum ({near})$"),
    )


def at(page: Page, part: str, row: int, column: int) -> Position:
    """The middle of a thumbnail (“grid”) or of a cell of the large map (“large”)."""
    left, top, wide, high = places(film(page))[part]
    return {"x": left + (column + 0.45) * wide, "y": top + (row + 0.45) * high}


@pytest.mark.parametrize("app", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
def test_heads_form_moment_by_moment_on_a_phone_too(app: App, maps: np.ndarray):
    page = app.open("training", head="1.5")
    shows(page, 7, (1, 5), maps)
    app.act(film(page).get_by_role("button", name="«").click)
    shows(page, 0, (1, 5), maps)
    expect(page).to_have_url(re.compile("moment=0"))
    app.act(lambda: film(page).locator(".stack").click(position=at(page, "grid", 0, 3)))
    shows(page, 0, (0, 3), maps)
    expect(page).to_have_url(re.compile(r"head=0\.3"))
    expect(page.get_by_role("heading", name="Layer 0, head 3")).to_be_visible()
    app.act(page.reload)
    shows(page, 0, (0, 3), maps)
    assert page.get_by_test_id("stMain").evaluate("node => node.scrollWidth") <= 390


def test_a_weight_is_told_keys_walk_it_plays_and_is_taken_along(
    app: App, maps: np.ndarray, tmp_path: Path
):
    page = app.open("training", head="0.2", moment="4")
    shows(page, 4, (0, 2), maps)
    stack = film(page).locator(".stack")
    stack.hover(position=at(page, "large", 3, 4))
    expect(film(page).locator(".readout")).to_contain_text(three(float(maps[4, 0, 2, 3, 4])))
    alone = tmp_path / "film.html"
    app.save("HTML").save_as(alone)
    app.act(lambda: stack.press("ArrowRight"))
    shows(page, 4, (0, 3), maps)
    page.get_by_role("heading", level=1).click()
    app.act(lambda: page.keyboard.press("ArrowLeft"))  # outside the figure: through the training
    shows(page, 3, (0, 3), maps)
    film(page).get_by_role("button", name="▶ Play").click()
    shows(page, 7, (0, 3), maps)
    expect(page).not_to_have_url(re.compile("moment="))
    offline = page.context.new_page()
    offline.goto(alone.as_uri())
    shows(offline, 4, (0, 2), maps)
    offline.close()
