"""A number box beside every slider: one value, in step, whichever of the two is moved."""

import pytest

from app.ui.number_box import BOX, is_worded, nearest_option, on_the_steps
from tests.pages.declared import SHOWN, Shown
from tests.pages.page import Page


@pytest.mark.parametrize("shown", SHOWN, ids=str)
def test_every_slider_has_one_that_says_the_same(shown: Shown):
    page = Page(shown.path, **shown.link)
    boxes = {box.key: box for box in page.number_input}
    for slider in page.slider:
        assert boxes[f"{slider.key}{BOX}"].value == slider.value
        assert boxes[f"{slider.key}{BOX}"].label == f"{slider.label}, as a number"
    for slider in page.select_slider:
        assert f"{slider.key}{BOX}" in boxes


def test_what_is_typed_moves_the_slider_and_the_link():
    page = Page("gpt")
    page.number_input(key=f"gpt.temperature{BOX}").set_value(0.5).run()
    assert page.slider(key="gpt.temperature").value == 0.5
    assert page.link["temperature"] == "0.5"
    page.slider(key="gpt.temperature").set_value(1.5).run()
    assert page.number_input(key=f"gpt.temperature{BOX}").value == 1.5
    assert page.link["temperature"] == "1.5"


def test_an_option_is_found_by_its_number():
    page = Page("blocks", view="tuning", part="lora")
    key = "blocks.tuning.lora.rank:options"
    page.number_input(key=f"{key}{BOX}").set_value(10).run()
    assert page.select_slider(key=key).value == 8
    assert page.number_input(key=f"{key}{BOX}").value == 8


@pytest.mark.parametrize(
    ("typed", "low", "high", "step", "meant"),
    [
        (7, 2, 512, 2, 6),
        (0.333, 0.0, 1.0, 0.05, 0.35),
        (0.9999, 0.0, 0.9999, 0.0001, 0.9999),
        (99, 0, 50, 10, 50),
    ],
)
def test_a_slider_has_steps(typed: float, low: float, high: float, step: float, meant: float):
    assert on_the_steps(typed, low, high, step) == meant


@pytest.mark.parametrize(
    ("typed", "now", "meant"),
    [(64, 8, 64), (60, 8, 64), (9, 8, 64), (7, 8, 1), (100, 8, 64), (512, 64, 512), (-3, 8, 1)],
)
def test_an_arrow_key_goes_to_the_next_option(typed: int, now: int, meant: int):
    options = (1, 8, 64, 512)
    assert options[nearest_option(typed, now, options)] == meant


@pytest.mark.parametrize(
    ("label", "number", "says_more"),
    [
        ("64", 64, False),
        ("10,000", 10_000, False),
        ("0.5", 0.5, False),
        ("whole matrix", 196_608, True),
        ("step 3,633 (100 %)", 3_633, True),
        ("1 of 4", 1, True),
    ],
)
def test_a_knob_has_words_where_they_say_more_than_the_box(
    label: str, number: float, says_more: bool
):
    assert is_worded(label, number) == says_more
