"""What a figure says of the place under the pointer never moves the figure away from it."""

import numpy as np
import pytest
from playwright.sync_api import expect

from app.components.heat_map import HeatMap, heat_map_frame
from tests.figures.conftest import Mount
from tests.figures.harness import Figure
from tests.figures.samples import SAMPLES

LONG = "cos(pos / 10000^(126/128)) · wavelength 54,400, of which a position makes the smallest part"


def test_a_long_readout_tells_what_has_room_and_leaves_the_figure_where_it_is(mount: Mount):
    names = tuple("abcdef")
    values = np.eye(6, dtype=np.float32)
    shown = HeatMap(values, names, names, label="ones", column_notes=(LONG,) * 6)
    figure = mount("heat_map", heat_map_frame(shown), width=390)
    stack = figure.root.locator(".stack")
    before = stack.bounding_box()
    left, top, wide, high = figure.data()
    figure.hover(left + 2.5 * wide, top + 1.5 * high)
    expect(figure.root.locator(".readout")).to_have_text("0 · b · c")  # what has room
    expect(figure.tip).to_contain_text(LONG)
    assert stack.bounding_box() == before
    figure.click(left + 2.5 * wide, top + 1.5 * high)
    expect(figure.root).to_have_attribute("data-selected", "[1,2]")


BOXES = """root => [root, ...root.querySelectorAll("canvas, button, .track")]
    .filter((node) => !node.closest(".unseen, .tip"))
    .map((node) => { const { x, y, width, height } = node.getBoundingClientRect();
                     return [x + scrollX, y + scrollY, width, height].map(Math.round).join() })
    .join(" ")"""
ACROSS, DOWN = 9, 7  # places of the pointer


def boxes(figure: Figure) -> str:
    return figure.root.evaluate(BOXES)


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("component", sorted(SAMPLES))
def test_no_hover_moves_a_figure(mount: Mount, component: str, width: int):
    """Over every part of it: labels of rows and columns, cells, lines, buttons, nothing."""
    figure = mount(component, SAMPLES[component](), width=width)
    before = boxes(figure)
    box = figure.root.bounding_box()
    assert box
    figure.page.set_viewport_size({"width": width, "height": 100 + round(box["height"])})
    assert boxes(figure) == before
    for row in range(DOWN):
        for column in range(ACROSS):
            x = box["x"] + (column + 0.5) * box["width"] / ACROSS
            y = box["y"] + (row + 0.5) * box["height"] / DOWN
            figure.page.mouse.move(x, y)
            assert boxes(figure) == before, f"at {x:.0f}, {y:.0f}"
