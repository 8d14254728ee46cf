"""Sinusoids and the rotation in them: sliders, cells and orders, against the core's numbers."""

import numpy as np
import pytest

from app.style.number_format import three
from core import positions
from core.positions import Layout
from tests.pages.positions.shown import drawn, opened

PAPER, HALVES = "sinusoidal.interleaved", "sinusoidal.concatenated"


def test_both_layouts_are_drawn():
    page = opened()
    np.testing.assert_array_equal(drawn(page, PAPER), positions.sinusoidal(64, 128))
    halves = positions.sinusoidal(64, 128, layout=Layout.CONCATENATED)
    np.testing.assert_array_equal(drawn(page, HALVES), halves)


def test_a_number_chosen_in_one_layout_is_the_same_number_in_the_other():
    page = opened()
    page.choose(f"positions.{PAPER}", [12, 34])
    value = np.sin(12 / 10000 ** (34 / 128))
    assert f"= sin(1.04) = **{three(value)}**" in page.text
    assert page.figures[f"positions.{HALVES}"].header["selection"]["value"] == [12, 17]
    assert page.link["cell"] == "12.34"
    page.choose(f"positions.{HALVES}", [5, 64 + 3])  # the fourth cosine
    assert page.link["cell"] == "5.7"
    again = opened(**page.link)
    assert "PE(5, 7) = cos(5 / 10000^(6/128))" in again.text
    assert again.figures[f"positions.{PAPER}"].header["selection"]["value"] == [5, 7]
    assert again.figures[f"positions.{HALVES}"].header["selection"]["value"] == [5, 67]


def test_every_slider_is_in_the_link_and_the_numbers_follow():
    page = opened()
    page.slider(key="positions.sinusoidal.n").set_value(65).run()
    page.slider(key="positions.sinusoidal.d_model").set_value(130).run()
    page.select_slider(key="positions.sinusoidal.base:options").set_value(100_000.0).run()
    assert page.link == {"n": "65", "d_model": "130", "base": "100000"}
    table = positions.sinusoidal(65, 130, 100_000)
    np.testing.assert_array_equal(drawn(page, PAPER), table)
    longest = positions.wavelengths(130, 100_000)[-1]
    assert f"(130-2)/130}} = {longest:,.2f}" in page.text
    assert "is wrong. 10,000 is the base of the ladder" in page.text
    rows = page.table("sinusoidal-positions.csv")
    assert list(rows[0]) == ["position", "dimension", "value"]
    last = rows[130 * 64 + 129]
    assert (last["position"], last["dimension"]) == ("64", "129")
    assert float(last["value"]) == table[64, 129]


def test_a_shift_is_a_rotation_with_its_error():
    page = opened("shift", k="7", d_model="12")
    np.testing.assert_array_equal(drawn(page, "shift.shift"), positions.shift_matrix(7, 12))
    error = positions.check_shift(7, 12, n_positions=200).error
    assert 0 < error < 1e-6
    assert f"Largest error over 200 positions, in float32: **{three(error)}**" in page.text
    page.button_group(key="positions.shift.order").set_value("concatenated").run()
    halves = positions.shift_matrix(7, 12, layout=Layout.CONCATENATED)
    np.testing.assert_array_equal(drawn(page, "shift.shift"), halves)
    page.slider(key="positions.shift.k").set_value(8).run()
    assert (page.link["k"], page.link["order"]) == ("8", "concatenated")
    table = positions.sinusoidal(96, 12)
    np.testing.assert_allclose(drawn(page, "shift.dots"), table @ table.T, atol=1e-5)


def test_what_a_link_asks_in_vain_is_told_and_the_defaults_are_shown():
    page = opened(n="0", d_model="65", base="7", cell="900.900", dims="9000")
    assert "0 positions leave nothing to encode" in page.notices
    assert "d_model is 65, an odd number" in page.notices
    assert "The link asks for base 7" in page.notices
    np.testing.assert_array_equal(drawn(page, PAPER), positions.sinusoidal(64, 128))
    assert page.figures[f"positions.{PAPER}"].header["selection"]["value"] == [-1, -1]
    page.slider(key="positions.sinusoidal.n").set_value(65).run()
    assert "0 positions leave nothing" not in page.notices


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ({"n": "1000000000"}, "The link asks for 1,000,000,000; up to 512"),
        ({"d_model": "1"}, "d_model is 1. It needs at least one pair"),
        ({"d_model": "0"}, "d_model is 0"),
        ({"base": "12"}, "asks for base 12"),
        ({"view": "shift", "d_model": "33"}, "is 33, an odd number"),
        ({"view": "relative", "n": "5000"}, "asks for 5,000; up to 128"),
    ],
)
def test_a_size_that_can_not_be_shown_is_told(link: dict[str, str], said: str):
    page = opened(**link)
    assert said in page.notices
    assert any(key.endswith(("interleaved", "shift", "rotary")) for key in page.figures)
