"""Swin: a patch's windows, its reach, the bias: as the model has them."""

import csv

import numpy as np
import pytest

from core.explain import reach, stage_rollout_row
from tests.pages.page import Page
from tests.pages.vision.shown import PICTURE, Folders, drawn, loaded, opened

LAST = 16 * 16 - 1  # the first stage's last patch: its shifted window holds three corners more


def window(page: Page, block: int) -> dict[str, np.ndarray]:
    return page.figures[f"vision.swin.map.{block}"].arrays


def rows_of_csv(page: Page) -> list[list[str]]:
    return list(csv.reader(page.file("swin.csv").decode().splitlines()))[1:]


def test_a_click_shows_the_patchs_window_now_and_after_the_shift(folders: Folders):
    page = opened("swin", folders["swin"])
    for block in (0, 1):
        assert np.nansum(window(page, block)["values0"]) == pytest.approx(1, abs=1e-5)
    page.choose("vision.swin.map.1", LAST)
    assert window(page, 1)["hidden0"].sum() == 12
    assert "12 more were rolled into its window" in page.text
    assert page.link["patch"] == str(LAST)
    lines = rows_of_csv(page)
    assert lines[0] == ["head", "row", "column", "weight", "state"]
    weights = loaded(folders["swin"]).trace(PICTURE).attention(0).row(LAST)
    assert len(lines) == 1 + 2 * 16
    for head, row, column, weight, _ in lines[1:]:
        expected = weights[int(head), 16 * int(row) + int(column)]
        assert float(weight) == pytest.approx(float(expected), abs=1e-6)
    page.choose("vision.swin.map.0", 0)
    assert page.link["patch"] == "0"


def test_stages_heads_and_blocks(folders: Folders):
    page = opened("swin", folders["swin"], patch=str(LAST), layer="1")
    page.fire("vision.swin.stages", 1)
    assert window(page, 3)["values0"].shape == (8, 8)
    assert window(page, 3)["hidden0"].sum() == 12
    heads = page.figures["vision.swin.heads"].header
    assert heads["label"] == "Every head of block 2"
    assert [one["title"] for one in heads["figures"]] == [
        "mean", *(f"head {head}" for head in range(4))
    ]  # fmt: skip
    page.fire("vision.swin.heads", 4)
    assert page.link.items() >= {"layer": "2", "head": "3"}.items()
    own = next(line for line in rows_of_csv(page) if line[:3] == ["3", "7", "7"])
    row = loaded(folders["swin"]).trace(PICTURE).attention(2).row(63)
    assert float(own[3]) == pytest.approx(float(row[3, 63]), abs=1e-6)


def test_reach_grows_block_by_block_and_rollout_fills_it(folders: Folders):
    page = opened("swin", folders["swin"], patch="0", rollout="1")
    trace = loaded(folders["swin"]).trace(PICTURE)
    blocks = [layer.windows.partition for layer in trace.layers[trace.kinds[0]]]
    labels = [one["label"] for one in page.figures["vision.swin.reach"].header["figures"]]
    for count, seen in enumerate(reach(blocks, 0)):
        assert labels[count] == f"Reach after {count} blocks: {int(seen.sum())} of 256 patches"
        assert np.nansum(drawn(page, "swin.reach", count)) == pytest.approx(1, abs=1e-4)
    found = drawn(page, "swin.reach", len(blocks))
    np.testing.assert_allclose(np.nan_to_num(found).ravel(), stage_rollout_row(trace, 0), atol=1e-6)


def test_the_bias_is_the_models_and_a_cell_tells_its_index(folders: Folders):
    tables = loaded(folders["swin"]).relative_biases()
    page = opened("swin", folders["swin"])
    shown = page.figures["vision.swin.bias.0"].arrays["values"]
    gap = np.zeros((7, 1), dtype=np.float32)
    expected = np.concatenate([tables[0][0], gap, tables[0][1]], axis=1)
    np.testing.assert_allclose(shown, expected, atol=1e-6)
    page.choose("vision.swin.bias.0", [5, 10])  # the second head's column 2
    assert "Head 1: Δrow +2, Δcolumn -1 → index (+2 + 3) · 7 + (-1 + 3) = **37**" in page.text


def test_a_link_beyond_the_model_is_brought_within(folders: Folders):
    page = opened("swin", folders["swin"], patch="9999", layer="77", head="50")
    assert window(page, 3)["values0"].shape == (8, 8)
    assert page.figures["vision.swin.heads"].header["lit"] == 4
    page = Page("vision", view="swin", model="/nowhere/at/all")
    assert "There is no model “/nowhere/at/all” here" in page.notices
    assert "vision.swin.map.0" in page.figures


def test_the_paper_s_equations_have_this_blocks_numbers(folders: Folders):
    page = opened("swin", folders["swin"])
    assert "$hw$ = 16 · 16 = 256 and $M^2$ = 16" in page.text
    assert "every patch looks at 16 instead of 256, so the second term is 16 times" in page.text
