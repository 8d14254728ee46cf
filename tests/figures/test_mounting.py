"""The life of a figure on its node: hidden, resized, enlarged, given nonsense, given too much."""

import re

import pytest
from playwright.sync_api import expect

from app.components.worked_cell import worked_cell_frame
from app.style import theme
from core.trace import AttentionKind
from tests.figures import samples
from tests.figures.conftest import Mount
from tests.figures.harness import drawn_rects
from tests.figures.samples import SAMPLES

FIGURE = "document.getElementById('figure').style.display"


def test_a_figure_in_a_closed_tab_is_drawn_when_it_opens(mount: Mount):
    figure = mount("worked_cell")
    figure.page.evaluate(f"{FIGURE} = 'none'")
    figure.give(SAMPLES["worked_cell"]())
    expect(figure.root).to_have_attribute("aria-busy", "false")
    assert figure.root.get_attribute("data-geometry") is None
    expect(figure.root).to_have_js_property("inert", value=True)  # nothing to click, or to save
    figure.page.evaluate(f"{FIGURE} = 'block'")
    expect(figure.root).to_have_attribute("data-geometry", re.compile("products"))
    assert figure.data()[0]["w"] > 200
    expect(figure.root).to_have_js_property("inert", value=False)


def test_projector_mode_enlarges_the_figure_in_place(mount: Mount):
    figure = mount("worked_cell", SAMPLES["worked_cell"]())
    before = figure.data()[0]["h"]
    figure.page.evaluate("document.documentElement.style.fontSize = '22.4px'")
    figure.page.wait_for_function(
        "before => JSON.parse(document.getElementById('figure').shadowRoot"
        ".querySelector('.gf').dataset.geometry)[0].h !== before",
        arg=before,
    )
    assert figure.data()[0]["h"] == pytest.approx(1.4 * before, rel=0.01)


def test_a_narrower_page_draws_a_narrower_figure(mount: Mount):
    figure = mount("heat_map", SAMPLES["heat_map"]())
    before = figure.root.get_attribute("data-geometry") or ""
    figure.page.set_viewport_size({"width": 390, "height": 844})
    expect(figure.root).not_to_have_attribute("data-geometry", before)


@pytest.mark.parametrize("dark", [False, True])
def test_a_figure_is_drawn_in_the_pages_own_colours(mount: Mount, dark: bool):
    figure = mount("worked_cell")
    figure.page.emulate_media(color_scheme="dark" if dark else "light")
    figure.show(SAMPLES["worked_cell"]())
    paper = theme.page_colours(dark=dark)["backgroundColor"]
    page = tuple(int(paper[i : i + 2], 16) for i in (1, 3, 5))
    assert drawn_rects(figure.download("SVG"))[0].fill == page


def test_a_figure_takes_the_colours_that_come_after_it(mount: Mount):
    figure = mount("heat_map", SAMPLES["heat_map"]())
    sheets = (
        "[...document.styleSheets].filter((one) => one.ownerNode.textContent.includes('--gf-'))"
    )
    drawn = (
        "document.getElementById('figure').shadowRoot.querySelector('.stack canvas').toDataURL()"
    )
    coloured = figure.page.evaluate(drawn)
    figure.page.evaluate(f"{sheets}.forEach((one) => {{ one.disabled = true; }})")
    figure.page.wait_for_function(f"before => {drawn} !== before", arg=coloured)
    figure.page.evaluate(f"{sheets}.forEach((one) => {{ one.disabled = false; }})")
    figure.page.wait_for_function(f"before => {drawn} === before", arg=coloured)


def test_data_that_did_not_arrive_whole_says_so(mount: Mount, console_errors: list[str]):
    frame = worked_cell_frame(samples.cell(), kind=AttentionKind.ENCODER)
    figure = mount("worked_cell")
    figure.give(frame[: len(frame) // 2])
    expect(figure.root).to_have_text("This figure's data did not arrive whole. Reload the page.")
    assert len(console_errors) == 1
    console_errors.clear()


def test_of_two_frames_in_a_row_the_later_is_shown(mount: Mount):
    figure = mount("head_grid")
    figure.give(samples.grid(60))
    figure.show(samples.grid(8))
    expect(figure.root).to_have_attribute(
        "data-painted",
        "12 heads of 8 x 8 codes, sum "
        + str(sum(int(codes.sum()) for codes in samples.overview(8).codes)),
    )
