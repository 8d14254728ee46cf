"""Building blocks in a browser: an edited table, a played figure, clicks, files, a phone."""

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

import core
from app.views.blocks.attention.state import KEYS, QUERIES, VALUES
from core.blocks.attention import attention_steps
from core.blocks.iterated_attention import iterate, start
from core.blocks.lr_schedules import transformer_peak
from core.blocks.qk_circuit import symmetric_share
from tests.journeys.browser_page import App, places

MEASURING = 180_000  # ms: 15 s of one core, on a machine that may be busy


def figure(page: Page, label: str) -> Locator:
    """The canvas component with this label."""
    picture = page.get_by_role("img", name=label)
    return page.locator("[data-painted]").filter(has=picture).first


def painted(values: np.ndarray) -> str:
    rows, columns = values.shape
    return f"{rows} x {columns}, sum {float(values.sum()):.3f}"


def output(queries: np.ndarray) -> str:
    """What “times V” paints for these queries."""
    keys, values = (np.array([r[:4] for r in m[:4]], dtype=np.float32) for m in (KEYS, VALUES))
    allowed = np.ones((4, 4), dtype=bool)
    return painted(attention_steps(queries, keys, values, scale=0.5, allowed=allowed).output)


def write_cell(app: App, table: int, row: int, column: int, text: str) -> None:
    """Type into a table's cell; an empty text empties it."""
    grid = app.page.get_by_test_id("stDataFrame").nth(table)
    grid.scroll_into_view_if_needed()
    box = grid.bounding_box()
    assert box
    x, y = 64 + (column + 0.5) * (box["width"] - 64) / 4, 36 + (row + 0.5) * 32
    grid.click(position={"x": x, "y": y})
    # The table gives the chosen cell the focus a moment later: it would take it from the editor.
    expect(grid.get_by_test_id(f"glide-cell-{column + 1}-{row}")).to_be_focused()
    app.page.keyboard.press("Enter")
    field = app.page.locator("input.gdg-input")
    expect(field).to_be_focused()
    field.fill(text)
    # Enter takes what the editor last drew: milliseconds after the typing, that is the old number.
    app.drawn()
    app.act(lambda: field.press("Enter"))


def test_an_edited_table_is_computed_and_its_link_comes_back(app: App):
    page = app.open("blocks")
    mixed = figure(page, "5 · times V")
    queries = np.array([row[:4] for row in QUERIES[:4]], dtype=np.float32)
    expect(mixed).to_have_attribute("data-painted", output(queries))
    box = figure(page, "4 · softmax").bounding_box()
    assert box
    assert box["y"] + 60 < 900  # on the first screen
    write_cell(app, 0, 2, 0, "-2")
    queries[2, 0] = -2
    expect(mixed).to_have_attribute("data-painted", output(queries))
    expect(page).to_have_url(re.compile(r"q=1%2C0%2C0%2C1"))
    app.act(page.reload)
    expect(mixed).to_have_attribute("data-painted", output(queries))
    write_cell(app, 1, 0, 0, "")
    expect(page.get_by_text("K, row 0, column 0 is empty")).to_be_visible()
    write_cell(app, 1, 0, 0, "2")
    expect(mixed).to_have_attribute("data-painted", output(queries))


def test_another_head_by_a_click(app: App):
    page = app.open("blocks", part="metric", layer="2", head="3")
    shares = figure(page, "Symmetric share of every head")
    expect(shares).to_have_attribute("data-selected", "[2,3]")
    left, top, wide, high = places(shares)
    place = {"x": left + 1.5 * wide, "y": top + 5.5 * high}
    app.act(lambda: shares.locator(".stack").click(position=place))
    expect(page).to_have_url(re.compile(r"layer=5&head=1"))
    head = core.load("bert-mini").head_projections(5, 1)
    share = symmetric_share(head.query, head.key)
    expect(page.get_by_text("M is 256 × 256")).to_contain_text(f"{share:.3g} of")


@pytest.mark.parametrize("app", [{"reduced_motion": "reduce"}], indirect=True)
def test_iterated_attention_plays_pauses_and_is_scrubbed(app: App):
    page = app.open("blocks", part="limit", temperature="2", step="1")
    groups = iterate(start("scattered", n_points=40, seed=0), temperature=2.0, steps=60).clusters
    moving = figure(page, "Points under iterated self-attention")
    expect(moving).to_have_attribute("data-painted", f"step 1 of 60, {groups[1]} groups")
    page.get_by_role("button", name="Step ›").click()
    expect(moving).to_have_attribute("data-painted", f"step 2 of 60, {groups[2]} groups")
    page.keyboard.press("ArrowRight")
    expect(moving).to_have_attribute("data-painted", f"step 3 of 60, {groups[3]} groups")
    page.get_by_role("button", name="▶ Play").click()
    page.get_by_role("button", name="❚❚ Pause").click()
    page.get_by_role("slider", name="Step of the iteration").fill("60")
    expect(moving).to_have_attribute("data-painted", "step 60 of 60, 1 groups")
    expect(page).to_have_url(re.compile(r"step=60"))


def test_a_charts_files(app: App):
    page = app.open("blocks", view="optimisation")
    chart = page.locator(".st-key-blocks-optimisation-schedule-rates-figure")
    saved: dict[str, bytes] = {}
    for kind in ("CSV", "PNG", "SVG"):
        file = app.save(kind, of=chart)
        assert file.suggested_filename == f"learning-rate.{kind.lower()}"
        saved[kind] = Path(file.path()).read_bytes()
    assert f"inverse square root,4000,{transformer_peak(512, 4000)}" in saved["CSV"].decode()
    assert saved["PNG"].startswith(b"\x89PNG")
    assert b"<svg" in saved["SVG"][:200]
    assert b"peak 0.000699" in saved["SVG"]


@pytest.mark.slow
def test_attention_is_measured_once_for_all(app: App):
    page = app.open("blocks", view="cost", part="measured")
    page.get_by_role("button", name="Measure on this machine").click()
    chart = ".st-key-blocks-cost-measured-times-figure .js-plotly-plot"
    expect(page.locator(chart)).to_be_visible(timeout=MEASURING)
    expect(page.get_by_role("button", name="Measure again")).to_be_disabled()
    fused = page.locator(chart).get_by_text(re.compile(r"fused.* · n\^"))
    slope = re.search(r"n\^(\d\.\d+)", fused.text_content() or "")
    assert slope
    assert 1 < float(slope[1]) < 3
    other = page.context.new_page()
    other.goto(f"{app.address}/blocks?view=cost&part=measured")
    expect(other.locator(chart)).to_be_visible()
    other.close()


@pytest.mark.parametrize("app", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
def test_a_phone_scrolls_down_and_never_sideways(app: App):
    for link in (
        {},
        {"part": "metric"},
        {"part": "limit"},
        {"view": "activations"},
        {"view": "norms"},
    ):
        page = app.open("blocks", **link)
        wide = page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollWidth")
        assert wide <= 390
