"""“How much data?”: the trainings of this repository beside the ViT paper's."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from app.views.vision import data_hunger as view
from core.data import data_hunger
from core.data.data_hunger import VIT_PAPER, Kind
from tests.pages.curves import curves, numbers, words
from tests.pages.page import Page


def test_both_charts_draw_the_numbers_of_their_source():
    page = Page("vision", view="data")
    measured = data_hunger.read()
    here, paper = curves(page, 0), curves(page, 1)
    assert list(here) == ["CNN", "Swin", "ViT", "ViT after MAE"]
    for kind, (photos, accuracy) in zip(Kind, here.values(), strict=True):
        points = measured.of(kind)
        np.testing.assert_array_equal(photos, [point.photos for point in points])
        np.testing.assert_allclose(accuracy, [100 * point.mean for point in points])
    pictures, accuracy = paper["ViT-B/16"]
    assert pictures.tolist() == [1.3e6, 14e6, 303e6]
    assert accuracy.tolist() == list(VIT_PAPER["ViT-B/16"])
    assert paper["ViT-H/14"][0].tolist() == [14e6, 303e6]
    assert "87.54" in words(page, 1)


def test_bars_reach_from_low_to_high():
    trace = Page("vision", view="data").charts[0]["data"][0]
    points = data_hunger.read().of(Kind.CNN)
    y, up, down = (
        numbers(values)
        for values in (trace["y"], trace["error_y"]["array"], trace["error_y"]["arrayminus"])
    )
    np.testing.assert_allclose(y + up, [min(100.0, 100 * point.high) for point in points])
    np.testing.assert_allclose(y - down, [max(0.0, 100 * point.low) for point in points])


def test_a_share_is_chosen_and_travels_in_the_link():
    page = Page("vision", view="data", share="0.1")
    photos = data_hunger.read().at(Kind.VIT, 0.1).photos
    assert page.answer.startswith(f"With {photos} photographs")
    assert page.link["share"] == "0.1"
    assert page.charts[0]["layout"]["shapes"][0]["x0"] == photos


def test_every_training_can_be_taken_along():
    page = Page("vision", view="data")
    table = page.file("data-hunger.csv").decode("utf-8-sig").splitlines()
    assert len(table) == 2 + len(Kind) * 3 * 3
    assert "All 36 trainings" in page.text


def test_without_the_measurement_the_page_says_how_to_make_it(monkeypatch: pytest.MonkeyPatch):
    nowhere = partial(data_hunger.read, Path("nowhere/data_hunger.json"))
    monkeypatch.setattr(view.data_hunger, "read", nowhere)
    page = Page("vision", view="data")
    assert "core.training.data_hunger --data DIR" in page.text
    assert page.charts == []
