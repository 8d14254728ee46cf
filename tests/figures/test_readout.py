"""What a figure says of the place under the pointer never moves the figure away from it."""

import numpy as np
from playwright.sync_api import expect

from app.components.heat_map import HeatMap, heat_map_frame
from tests.figures.conftest import Mount

LONG = "cos(pos / 10000^(126/128)) · wavelength 54,400, of which a position makes the smallest part"


def test_a_long_readout_leaves_the_figure_where_it_is(mount: Mount):
    names = tuple("abcdef")
    values = np.eye(6, dtype=np.float32)
    shown = HeatMap(values, names, names, label="ones", column_notes=(LONG,) * 6)
    figure = mount("heat_map", heat_map_frame(shown), width=390)
    stack = figure.root.locator(".stack")
    before = stack.bounding_box()
    left, top, wide, high = figure.data()
    figure.hover(left + 2.5 * wide, top + 1.5 * high)
    expect(figure.root.locator(".readout")).to_have_text(f"0 · b · c · {LONG}")
    assert stack.bounding_box() == before
    figure.click(left + 2.5 * wide, top + 1.5 * high)
    expect(figure.root).to_have_attribute("data-selected", "[1,2]")
