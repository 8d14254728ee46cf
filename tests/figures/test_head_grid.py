"""All heads at a glance: codes, strongest pairs, and every way to select."""

import re

import pytest
from playwright.sync_api import expect

from app.style.number_format import three
from tests.figures import samples
from tests.figures.conftest import Mount
from tests.figures.harness import Figure


def place_of(figure: Figure, layer: float, head: float) -> tuple[float, float]:
    left, top, wide, high, gap = figure.data()
    return left + head * (wide + gap) + wide / 2, top + layer * (high + gap) + high / 2


def test_paints_exactly_the_codes_of_the_overview(mount: Mount):
    figure = mount("head_grid", samples.grid(20))
    total = sum(int(codes.sum()) for codes in samples.overview(20).codes)
    expect(figure.root).to_have_attribute("data-painted", f"12 heads of 20 x 20 codes, sum {total}")
    drawing = figure.download("SVG").read_text("utf-8")
    assert len(set(re.findall(r'fill="(rgb[^"]+)"', drawing))) > 40  # the ramp, not a blank


def test_hovering_a_thumbnail_names_its_strongest_pair_exactly(mount: Mount):
    figure = mount("head_grid", samples.grid())
    status = figure.root.locator(".status")
    for layer, head in ((0, 0), (2, 3), (1, 1)):
        figure.hover(*place_of(figure, layer, head))
        pair = samples.overview().strongest[layer][head]
        assert pair is not None
        expect(status).to_contain_text(f"layer {layer} · head {head}")
        expect(status).to_contain_text(three(pair.weight))
        assert float(status.get_attribute("data-value") or 0) == pair.weight


def test_the_table_says_of_each_head_what_a_hover_says(mount: Mount):
    rows = mount("head_grid", samples.grid()).table()
    for layer, found in enumerate(samples.overview().strongest):
        for head, pair in enumerate(found):
            assert pair is not None
            assert rows[layer][head].startswith(f"layer {layer} · head {head} — ")
            assert f" {three(pair.weight)} · " in rows[layer][head]


def test_click_shift_click_and_labels_select(mount: Mount):
    figure = mount("head_grid", samples.grid())
    figure.click(*place_of(figure, 2, 0))
    figure.chose([[2, 0]])
    figure.click(*place_of(figure, 0, 1), shift=True)
    figure.chose([[2, 0], [0, 1]])
    figure.click(*place_of(figure, 2, 0), shift=True)
    figure.chose([[0, 1]])
    left, _, _, _, _ = figure.data()
    figure.click(left / 2, place_of(figure, 1, 0)[1])  # the label "1" at the left
    figure.chose([[1, 0], [1, 1], [1, 2], [1, 3]])
    assert figure.data("selected") == [[1, 0], [1, 1], [1, 2], [1, 3]]


@pytest.mark.parametrize("key", ["Control", "Meta"])
def test_ctrl_or_command_click_adds_and_takes_away(mount: Mount, key: str):
    figure = mount("head_grid", samples.grid())
    figure.click(*place_of(figure, 2, 0))
    figure.page.keyboard.down(key)
    figure.click(*place_of(figure, 0, 1))
    figure.chose([[2, 0], [0, 1]])
    figure.click(*place_of(figure, 2, 0))
    figure.chose([[0, 1]])
    figure.page.keyboard.up(key)


def test_arrow_keys_walk_enter_selects_escape_keeps_one(mount: Mount):
    figure = mount("head_grid", samples.grid())
    figure.root.locator(".stack").focus()
    figure.press("ArrowRight", "ArrowUp")
    expect(figure.root.locator(".status")).to_contain_text("layer 0 · head 3")
    figure.press("Enter")
    figure.chose([[0, 3]])
    figure.press("ArrowRight", "ArrowDown", "Shift+Enter")  # the edge holds
    figure.chose([[0, 3], [1, 3]])
    figure.press("Escape")
    figure.chose([[1, 3]])


def test_the_page_may_change_the_selection_after_the_reader_did(mount: Mount):
    figure = mount("head_grid", samples.grid())
    figure.click(*place_of(figure, 2, 0))
    figure.chose([[2, 0]])
    figure.show(samples.grid(selected=((0, 0), (2, 3)), serial=2))
    assert figure.data("selected") == [[0, 0], [2, 3]]
    figure.click(*place_of(figure, 1, 1))
    figure.chose([[1, 1]], serial=2)


def test_a_frame_with_an_old_seed_leaves_the_readers_selection(mount: Mount):
    figure = mount("head_grid", samples.grid())
    figure.click(*place_of(figure, 2, 0))
    figure.show(samples.grid(20))  # other maps, the same serial number
    assert figure.data("selected") == [[2, 0]]


@pytest.mark.parametrize("width", [1280, 390])
def test_thumbnails_share_the_width(mount: Mount, width: int):
    figure = mount("head_grid", samples.grid(), width=width)
    left, _, wide, _, gap = figure.data()
    assert left + 4 * (wide + gap) <= width - 32 + gap
    assert wide >= 12


def test_names_are_counted_below_and_told_on_hover(mount: Mount):
    figure = mount("head_grid", samples.named_grid())
    legend = figure.root.locator(".names")
    expect(legend).to_contain_text("previous 2")
    expect(legend).to_contain_text("next 1")
    expect(legend).not_to_contain_text("first")
    expect(legend).to_contain_text("no clear role 9")
    figure.hover(*place_of(figure, 0, 1))
    expect(figure.root.locator(".status")).to_contain_text("layer 0 · head 1 — note of 0 1")
    drawing = figure.download("SVG").read_text("utf-8")
    assert "P: previous" in drawing


def test_a_grid_without_names_has_no_legend_of_them(mount: Mount):
    figure = mount("head_grid", samples.grid())
    expect(figure.root.locator(".names")).to_be_hidden()
