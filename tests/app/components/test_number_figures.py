"""Matrices, token rows, candidates and diagrams in a real browser, against the exact numbers."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from app.components.frame import unpack
from app.components.heat_map import NOWHERE, HeatMap, heat_map_frame, read_cell
from app.components.selection import Seed

DEMO = "demo_numbers.py"
HOSTILE = "</script><img src=x onerror=document.title='owned'>"


def matrix(rows: int, columns: int) -> np.ndarray:
    return np.random.default_rng(3).normal(size=(rows, columns)).astype(np.float32)


def figure(page: Page, address: str) -> Locator:
    page.goto(address)
    painted = page.locator("[data-painted]").first
    painted.wait_for()
    return painted


def place_of(root: Locator, row: int, column: int) -> tuple[float, float]:
    left, top, wide, high = json.loads(root.get_attribute("data-geometry") or "null")
    box = root.locator(".stack").bounding_box()
    assert box
    return box["x"] + left + (column + 0.5) * wide, box["y"] + top + (row + 0.5) * high


def pixel(root: Locator, x: float, y: float) -> list[int]:
    """The colour of the lower canvas at page coordinates."""
    return root.evaluate(
        """(root, [x, y]) => {
            const canvas = root.querySelector("canvas");
            const box = canvas.getBoundingClientRect();
            const ratio = canvas.width / box.width;
            const spot = [Math.round((x - box.x) * ratio), Math.round((y - box.y) * ratio)];
            return Array.from(canvas.getContext("2d").getImageData(...spot, 1, 1).data).slice(0, 3);
        }""",
        [x, y],
    )


def test_hover_reads_the_exact_value_and_the_columns_note(page, server):
    root = figure(page, f"{server}/?rows=6&columns=8")
    values = matrix(6, 8)
    page.mouse.move(*place_of(root, 2, 5))
    readout = root.locator(".readout")
    expect(readout).to_have_attribute("data-value", re.compile(r"\d"))
    assert float(readout.get_attribute("data-value") or "nan") == values[2, 5]
    expect(readout).to_contain_text("note of column 5")
    expect(root.locator(".tip")).to_contain_text("position t2")


def test_colours_of_a_diverging_map_have_two_hues_and_grow_with_the_value(page, server):
    root = figure(page, f"{server}/?rows=6&columns=8")
    values = matrix(6, 8)
    largest, smallest = (np.unravel_index(f(values), values.shape) for f in (np.argmax, np.argmin))
    nearest = np.unravel_index(np.abs(values).argmin(), values.shape)

    def colour(cell: tuple[np.intp, ...]) -> np.ndarray:
        return np.array(pixel(root, *place_of(root, int(cell[0]), int(cell[1]))))

    zero, high, low = colour(nearest), colour(largest), colour(smallest)
    assert high[0] > high[2] + 40  # positive is reddish
    assert low[2] > low[0] + 40  # negative is bluish-green
    assert np.abs(zero - [252, 251, 247]).max() < 20  # near zero: the page's own background


def test_a_click_selects_arrows_walk_escape_clears_and_the_page_can_seed(page, server):
    root = figure(page, f"{server}/?rows=6&columns=8")
    page.mouse.click(*place_of(root, 3, 4))
    expect(page.get_by_text("(3, 4)")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("(3, 5)")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("None")).to_be_visible()
    page.get_by_role("button", name="elsewhere").click()
    expect(root).to_have_attribute("data-selected", "[1,2]")
    expect(page.get_by_text("(1, 2)")).to_be_visible()


def test_masked_cells_say_so_and_a_missing_number_is_no_zero(page, server):
    root = figure(page, f"{server}/?rows=4&columns=4&mask=1&nan=1&numbers=1")
    page.mouse.move(*place_of(root, 0, 3))
    expect(root.locator(".readout")).to_contain_text("masked")
    page.mouse.move(*place_of(root, 0, 0))
    expect(root.locator(".readout")).to_contain_text("undefined")
    expected = np.nansum(np.where(np.tri(4, dtype=bool), matrix(4, 4), 0)) - matrix(4, 4)[0, 0]
    painted = root.get_attribute("data-painted") or ""
    assert float(painted.split("sum ")[1]) == pytest.approx(expected, abs=2e-3)


def test_a_matrix_exports_its_cells_as_svg_and_png(page, server):
    root = figure(page, f"{server}/?rows=6&columns=8&numbers=1")
    with page.expect_download() as svg:
        root.get_by_role("button", name="SVG").click()
    picture = ET.parse(svg.value.path())
    texts = ["".join(node.itertext()) for node in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert "demo · seed 3" in texts
    assert sum(bool(re.fullmatch(r"−?\d+(\.\d+)?", text)) for text in texts) >= 48
    with page.expect_download() as png:
        root.get_by_role("button", name="PNG").click()
    assert Path(png.value.path()).read_bytes()[:4] == b"\x89PNG"


def test_a_matrix_exports_every_value_as_csv(page: Page, server: str):
    root = figure(page, f"{server}/?rows=4&columns=3&mask=1")
    with page.expect_download() as table:
        root.get_by_role("button", name="CSV").click()
    lines = list(csv.reader(Path(table.value.path()).read_text("utf-8").splitlines()))
    assert lines[0] == ["# demo · seed 3"]
    assert lines[1] == ["position \\ dimension", "0", "1", "2"]
    assert lines[2][0] == HOSTILE
    values = matrix(4, 3)
    for row, line in enumerate(lines[2:]):
        shown = [np.float32(cell) if cell else None for cell in line[1:]]
        assert shown == [values[row, c] if c <= row else None for c in range(3)]


def test_a_large_matrix_fits_the_page_and_thins_its_labels(page, server):
    page.set_viewport_size({"width": 390, "height": 844})
    root = figure(page, f"{server}/?rows=300&columns=512")
    box = root.bounding_box()
    assert box
    assert box["width"] <= 390
    _, _, wide, high = json.loads(root.get_attribute("data-geometry") or "null")
    assert 0 < wide < 2
    assert high * 300 <= 521


def test_tokens_are_buttons_that_report_one_click_once(page, server):
    root = figure(page, f"{server}/?show=words")
    assert page.title() != "owned"
    root.get_by_role("button", name="Ġdog").click()
    expect(page.get_by_text("[4]")).to_be_visible()
    page.get_by_role("button", name="again").click()
    page.get_by_role("button", name="[MASK]").click()
    expect(page.get_by_text("[4, 3]")).to_be_visible()  # “again” added nothing
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.get_by_text("[4, 3, 2]")).to_be_visible()


def test_candidates_have_bars_as_long_as_their_probability(page, server):
    figure(page, f"{server}/?show=words")
    rows = page.locator(".rows .row")
    expect(rows).to_have_count(3)
    shares = rows.evaluate_all(
        """rows => rows.map((row) => {
            const [bar, track] = [row.querySelector(".fill"), row.querySelector(".track")];
            return bar.getBoundingClientRect().width / track.getBoundingClientRect().width;
        })"""
    )
    assert shares[:2] == pytest.approx([0.61803, 0.2], abs=0.01)
    expect(rows.first).to_contain_text("0.618")
    rows.nth(1).click()
    expect(page.get_by_text("[1]")).to_be_visible()


def test_a_diagrams_boxes_are_clicked_walked_and_seeded(page, server):
    root = figure(page, f"{server}/?show=boxes")
    centres = json.loads(root.get_attribute("data-geometry") or "null")
    box = root.locator(".stack").bounding_box()
    assert box
    page.mouse.click(box["x"] + centres["attention"][0], box["y"] + centres["attention"][1])
    expect(page.get_by_text("'attention'")).to_be_visible()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_text("'embed'")).to_be_visible()
    page.get_by_role("button", name="elsewhere").click()
    expect(root).to_have_attribute("data-selected", "in")
    with page.expect_download() as svg:
        root.get_by_role("button", name="SVG").click()
    assert "Multi-head attention" in Path(svg.value.path()).read_text("utf-8")


def test_what_a_browser_reports_is_checked():
    assert read_cell([1, 2], (3, 4)) == (1, 2)
    assert read_cell([-1, -1], (3, 4)) == NOWHERE
    for nonsense in ([3, 0], [0, 4], [0.5, 1], [True, "x"], "1,2", None, [1]):
        assert read_cell(nonsense, (3, 4)) is None


def test_a_frame_carries_the_exact_values_and_the_scale():
    values = np.array([[1.5, -4.0], [np.inf, 2.0]], dtype=np.float32)
    shown = HeatMap(values, ("a", "b"), ("c", "d"), label="m")
    header, arrays = unpack(heat_map_frame(shown, seed=Seed((1, 0), serial=7)))
    assert np.array_equal(arrays["values"], values)
    assert header["limit"] == 4.0  # infinity tops no scale
    assert header["selection"] == {"serial": 7, "value": [1, 0], "visit": ""}


@pytest.mark.parametrize("shape", [(0, 2), (2, 3)])
def test_a_matrix_that_does_not_fit_its_labels_is_refused(shape):
    with pytest.raises(ValueError, match="labels"):
        HeatMap(np.zeros(shape, np.float32), ("a",) * shape[0], ("b",) * 2, label="m")
