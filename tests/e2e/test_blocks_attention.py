"""“Attention from scratch” in a real browser: every part, its numbers, its link."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

import core
from app.style.number_format import three
from app.views.blocks.attention.state import KEYS, QUERIES, VALUES
from core.blocks.attention import attention_steps
from core.blocks.iterated_attention import iterate, start
from core.blocks.qk_circuit import symmetric_share
from core.blocks.softmax_as_optimum import optimum

PAGE = "blocks"


def figure(page: Page, label: str) -> Locator:
    """The canvas component with this label."""
    picture = page.get_by_role("img", name=label)
    return page.locator("[data-painted]").filter(has=picture).first


def chart(page: Page, name: str) -> Locator:
    return page.locator(f"[class*='st-key-blocks-'][class*='-{name}-figure']")


def matrix(rows: tuple, size: int = 4) -> np.ndarray:
    return np.array([row[:size] for row in rows[:size]], dtype=np.float32)


def worked(q: np.ndarray, allowed: np.ndarray | None = None, scale: float = 0.5):
    mask = np.ones((4, 4), dtype=bool) if allowed is None else allowed
    return attention_steps(q, matrix(KEYS), matrix(VALUES), scale=scale, allowed=mask)


def painted(steps_matrix: np.ndarray) -> re.Pattern[str]:
    rows, columns = steps_matrix.shape
    total = re.escape(f"{float(steps_matrix.sum()):.3f}")
    return re.compile(rf"^{rows} x {columns}, sum {total}$")


def click_cell(root: Locator, row: int, column: int) -> None:
    left, top, wide, high = json.loads(root.get_attribute("data-geometry") or "null")
    place = {"x": left + (column + 0.5) * wide, "y": top + (row + 0.5) * high}
    root.locator(".stack").click(position=place)


def write_cell(page: Page, table: int, row: int, column: int, text: str) -> None:
    """Type into a table's cell as a reader does, who looks whether it stands there.

    An empty text empties it. A page that is still drawing itself may close the editor and
    forget what was typed.
    """
    grid = page.get_by_test_id("stDataFrame").nth(table)
    grid.evaluate("table => table.scrollIntoView({ block: 'center' })")
    field = page.locator("input.gdg-input")
    cell = grid.get_by_test_id(f"glide-cell-{column + 1}-{row}")
    for _ in range(3):
        assert any(opens(grid, field, row, column) for _ in range(5))
        field.fill(text)
        field.press("Enter")
        expect(field).to_have_count(0)
        page.wait_for_timeout(500)
        if cell.text_content() == text:
            return
    expect(cell).to_have_text(text)


def opens(grid: Locator, field: Locator, row: int, column: int) -> bool:
    """Double-click a cell; False if the page moved meanwhile and the editor stands elsewhere."""
    box = grid.bounding_box()
    assert box
    x, y = 64.0 + (column + 0.5) * (box["width"] - 64) / 4, 36 + (row + 0.5) * 32
    grid.dblclick(position={"x": x, "y": y})
    editor, box = field.bounding_box(), grid.bounding_box()
    assert editor
    assert box
    left, middle = editor["x"] - box["x"], editor["y"] + editor["height"] / 2 - box["y"]
    inside = left - 10 <= x <= left + editor["width"] + 10 and abs(middle - y) < 16
    if not inside:
        field.press("Escape")
    return inside


def test_five_matrices_follow_an_edited_number_and_the_link_keeps_it(app):
    page = app.open(PAGE)
    before = worked(matrix(QUERIES))
    expect(figure(page, "4 · softmax")).to_have_attribute("data-painted", painted(before.weights))
    expect(figure(page, "5 · times V")).to_have_attribute("data-painted", painted(before.output))
    box = figure(page, "4 · softmax").bounding_box()
    assert box
    assert box["y"] + 60 < 900  # on the first screen
    write_cell(page, 0, 2, 0, "-2")
    edited = matrix(QUERIES)
    edited[2, 0] = -2
    after = worked(edited)
    expect(figure(page, "1 · Q Kᵀ")).to_have_attribute("data-painted", painted(after.dots))
    expect(figure(page, "5 · times V")).to_have_attribute("data-painted", painted(after.output))
    app.settled()
    expect(page).to_have_url(re.compile(r"q=1%2C0%2C0%2C1"))
    page.reload()
    app.settled()
    expect(figure(page, "5 · times V")).to_have_attribute("data-painted", painted(after.output))
    write_cell(page, 1, 0, 0, "")
    expect(page.get_by_text("K, row 1, column 1 is empty")).to_be_visible()
    write_cell(page, 1, 0, 0, "2")
    expect(figure(page, "5 · times V")).to_have_attribute("data-painted", painted(after.output))


def test_masks_temperature_and_one_weight(app):
    page = app.open(PAGE, mask="causal", no_root="1", temperature="2")
    allowed = np.tri(4, dtype=bool)
    steps = worked(matrix(QUERIES), allowed)
    expect(figure(page, "4 · softmax")).to_have_attribute("data-painted", painted(steps.weights))
    weights = figure(page, "4 · softmax")
    click_cell(weights, 3, 2)
    app.settled()
    expect(page.get_by_text("tired → it").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"cell=3\.2"))
    page.get_by_text("chosen cells", exact=True).click()
    app.settled()
    expect(figure(page, "3 · chosen cells")).to_be_visible()
    page.get_by_text("two keys alike share", exact=True).click()
    app.settled()
    expect(figure(page, "3 · no mask")).to_be_visible()
    expect(page.get_by_label("Tokens (3 to 6 words)")).to_have_value("red crimson blue it")


def test_nonsense_in_a_link_counts_as_absent(app):
    page = app.open(PAGE, part="nowhere", d_k="99", q="1,x", hidden="9.x", seed="-1", cell="7.7")
    steps = worked(matrix(QUERIES))
    expect(figure(page, "4 · softmax")).to_have_attribute("data-painted", painted(steps.weights))


def test_saturation_scores_and_entropy_draw_their_curves(app):
    page = app.open(PAGE, part="root", d_k="256")
    for name in ("variance", "largest_weight", "gradient_norm"):
        expect(chart(page, name).locator(".scatterlayer .trace").first).to_be_visible()
    expect(page.get_by_text("d_k = 256").first).to_be_attached()
    expect(figure(page, "One query's weights")).to_have_attribute(
        "data-painted", re.compile(r"^2 x 16, sum (2\.000|1\.999)")
    )
    page.get_by_text("Two kinds of score", exact=True).click()
    app.settled()
    expect(chart(page, "growing").locator(".scatterlayer .trace")).to_have_count(3)
    expect(figure(page, "additive, untrained")).to_be_visible()
    page.get_by_text("Why softmax", exact=True).click()
    app.settled()
    expect(chart(page, "landscape").locator(".contourlayer")).to_be_visible()
    page.get_by_text("a clear winner", exact=True).click()
    app.settled()
    expect(page).to_have_url(re.compile(r"s1=3&s2=0&s3=-3"))
    with page.expect_download() as waiting:
        page.get_by_role("button", name="CSV", exact=True).first.click()  # shadow roots come last
    text = Path(waiting.value.path()).read_text("utf-8")
    _, value = optimum(np.array([3.0, 0.0, -3.0]), 1.0)
    assert f"maximum {value:.6g}" in text


def test_a_real_heads_m_and_another_head_by_click(app):
    page = app.open(PAGE, part="metric", layer="2", head="3")
    expect(page.get_by_text("rank 32")).to_be_visible(timeout=60_000)
    shares = figure(page, "Symmetric share of every head")
    expect(shares).to_have_attribute("data-selected", "[2,3]")
    click_cell(shares, 5, 1)
    app.settled()
    expect(page).to_have_url(re.compile(r"layer=5&head=1"))
    head = core.load("bert-mini").head_projections(5, 1)
    share = symmetric_share(head.query, head.key)
    expect(page.get_by_text(f"{three(share)} of")).to_be_visible()
    expect(figure(page, "antisymmetric")).to_be_visible()


@pytest.mark.parametrize(
    "app", [{}, {"reduced_motion": "reduce"}], indirect=True, ids=["", "still"]
)
def test_iterated_attention_plays_pauses_and_is_scrubbed(app):
    page = app.open(PAGE, part="limit", temperature="2", step="1")
    run = iterate(start("scattered", n_points=40, seed=0), temperature=2.0, steps=60)
    moving = figure(page, "Points under iterated self-attention")
    expect(moving).to_have_attribute("data-painted", f"step 1 of 60, {run.clusters[1]} groups")
    page.get_by_role("button", name="Step ›").click()
    expect(moving).to_have_attribute("data-painted", f"step 2 of 60, {run.clusters[2]} groups")
    page.keyboard.press("ArrowRight")
    expect(moving).to_have_attribute("data-painted", f"step 3 of 60, {run.clusters[3]} groups")
    page.get_by_role("button", name="▶ Play").click()
    page.get_by_role("button", name="❚❚ Pause").click()
    page.get_by_role("slider", name="Step of the iteration").fill("60")
    expect(moving).to_have_attribute("data-painted", "step 60 of 60, 1 groups")
    expect(page.get_by_text(re.compile(r"All points have met after \d+ steps"))).to_be_visible()
    expect(page).to_have_url(re.compile(r"step=60"))
    with page.expect_download() as waiting:
        page.get_by_role("button", name="SVG", exact=True).first.click()
    assert "<svg" in Path(waiting.value.path()).read_text("utf-8")


@pytest.mark.parametrize("app", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
def test_a_phone_scrolls_down_and_never_sideways(app):
    page = app.open(PAGE)
    for part in ("Step by step", "A real head's M", "Again and again"):
        page.get_by_text(part, exact=True).click()
        app.settled()
        wide = page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollWidth")
        assert wide <= 390
