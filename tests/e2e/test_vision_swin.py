"""The Swin view in a browser: a server of its own, with a tiny Swin of two stages."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

import core
from app.services import vision
from core.explain import reach, stage_rollout_row
from tests.e2e.conftest import offering
from tests.e2e.test_positions import expect_painted, figure, place_of
from tests.e2e.test_positions_pictures import save

LAST = 16 * 16 - 1  # the first stage's last patch: its shifted window holds three corners more
MAP = "the window of the chosen patch"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return save("swin", tmp_path_factory.mktemp("swin"))


@pytest.fixture(scope="module")
def trace(folder: Path) -> core.Trace:
    return core.load(folder, device="cpu").trace(vision.sample("chelsea").image)


@pytest.fixture(scope="module")
def server(folder: Path, tmp_path_factory) -> Iterator[str]:
    with offering([folder], tmp_path_factory.mktemp("server")) as started:
        yield started


def window_map(page: Page, block: int) -> Locator:
    """The component of one block's map."""
    name = re.compile(rf"^Block {block} · .*{MAP}$")
    return page.locator("[data-painted]").filter(has=page.get_by_role("img", name=name))


def rows_of_csv(page: Page) -> list[list[str]]:
    buttons = page.get_by_test_id("stDownloadButton")  # beside "CSV: reach" and others
    with page.expect_download() as waiting:
        buttons.filter(has_text=re.compile(r"^CSV$")).get_by_role("button").click()
    text = Path(waiting.value.path()).read_text("utf-8")
    return list(csv.reader(io.StringIO(text)))[1:]


def test_a_click_shows_the_patchs_window_now_and_after_the_shift(app, folder, trace):
    page = app.open("vision", view="swin", model=str(folder))
    plain, shifted = window_map(page, 0), window_map(page, 1)
    expect(plain).to_have_attribute("data-painted", "16 x 16, sum 1.000")
    expect(shifted).to_have_attribute("data-painted", "16 x 16, sum 1.000")
    canvas = shifted.get_by_role("img")
    box = canvas.bounding_box()
    canvas.click(position={"x": box["width"] - 6, "y": box["width"] + 10})  # below the title
    expect(shifted).to_have_attribute("data-painted", "16 x 16, sum 1.000, hidden 12")
    expect(plain).to_have_attribute("data-selected", str(LAST))
    expect(page.get_by_text("12 more were rolled into its window")).to_be_visible()
    app.settled()
    lines = rows_of_csv(page)
    assert lines[0] == ["head", "row", "column", "weight", "state"]
    weights = trace.attention(0).row(LAST)
    assert len(lines) == 1 + 2 * 16
    for head, row, column, weight, _ in lines[1:]:
        expected = weights[int(head), 16 * int(row) + int(column)]
        assert float(weight) == pytest.approx(float(expected), abs=1e-6)
    plain.get_by_role("img").click(position={"x": 6, "y": 40})
    expect(plain).not_to_have_attribute("data-selected", str(LAST))
    expect(shifted).not_to_have_attribute("data-selected", str(LAST))


def test_stages_heads_and_blocks(app, folder, trace):
    page = app.open("vision", view="swin", model=str(folder), patch=str(LAST), layer="1")
    expect(window_map(page, 1)).to_have_attribute("data-painted", "16 x 16, sum 1.000, hidden 12")
    page.get_by_role("button", name="8 × 8: choose").click()
    expect(window_map(page, 3)).to_have_attribute("data-painted", "8 x 8, sum 1.000, hidden 12")
    expect(window_map(page, 2)).to_have_attribute("data-selected", "63")
    heads = page.get_by_role("group", name="Every head of block 2")
    expect(heads.get_by_role("button")).to_have_count(5)  # the mean, and four
    heads.get_by_role("button", name="head 3: choose").click()
    expect(heads.get_by_role("button", name="head 3: choose")).to_have_class(re.compile("lit"))
    app.settled()
    lines = rows_of_csv(page)
    own = next(line for line in lines if line[:3] == ["3", "7", "7"])
    assert float(own[3]) == pytest.approx(float(trace.attention(2).row(63)[3, 63]), abs=1e-6)
    page.get_by_role("slider", name="Block").press("ArrowRight")
    expect(page.get_by_text("Heads of block 3")).to_be_visible()


def test_reach_grows_block_by_block_and_rollout_fills_it(app, folder, trace):
    page = app.open("vision", view="swin", model=str(folder), patch="0", rollout="1")
    blocks = [layer.windows.partition for layer in trace.layers[trace.kinds[0]]]
    reached = reach(blocks, 0)
    row = page.locator("[data-painted]").filter(
        has=page.get_by_role("img", name="Reach after 1 blocks")
    )
    for count, seen in enumerate(reached):
        name = f"Reach after {count} blocks: {int(seen.sum())} of 256 patches"
        expect(row.get_by_role("img", name=name)).to_have_count(1)
    expect(row).to_have_attribute("data-painted", "; ".join(["16 x 16, sum 1.000"] * 5))
    found = stage_rollout_row(trace, 0)
    assert found.sum() == pytest.approx(1, abs=1e-5)
    assert found[~reached[-1].ravel()].max(initial=0) < 1e-30  # timm masks with -100
    page.get_by_text("How much, too").click()
    expect(row).to_have_attribute("data-painted", "; ".join(["16 x 16"] * 5))


def test_the_bias_is_the_models_and_a_cell_tells_its_index(app, folder):
    tables = core.load(folder, device="cpu").relative_biases()
    page = app.open("vision", view="swin", model=str(folder))
    shown = expect_painted(page, "Relative position bias of block 0", _tiles(tables[0]))
    shown.get_by_role("img").click(position=place_of(shown, 5, 10))
    value = tables[0][1, 5, 2]  # the second head begins after seven columns and a gap
    words = page.get_by_text("Head 1: Δrow +2, Δcolumn -1 → index")
    expect(words).to_contain_text("(+2 + 3) · 7 + (-1 + 3) = 37")
    expect(words).to_contain_text(f"{abs(value):.3g}"[:4])
    assert figure(page, "Relative position bias of block 0").count() == 1


def _tiles(table: np.ndarray) -> np.ndarray:
    """Two heads side by side and a gap of zeros: as drawn."""
    gap = np.zeros((7, 1), dtype=np.float32)
    return np.concatenate([table[0], gap, table[1]], axis=1)


def test_a_link_beyond_the_model_is_brought_within(app, folder):
    page = app.open("vision", view="swin", model=str(folder), patch="9999", layer="77", head="50")
    expect(window_map(page, 3)).to_have_attribute("data-painted", "8 x 8, sum 1.000")
    expect(page.get_by_role("button", name="head 3: choose")).to_have_class(re.compile("lit"))
    page = app.open("vision", view="swin", model="/nowhere/at/all")
    expect(page.get_by_text("There is no model “/nowhere/at/all” here")).to_be_visible()
    expect(window_map(page, 0)).to_be_visible()
