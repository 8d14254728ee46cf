"""Fine-tuning cheaply: counted, and on the model that was tuned here."""

import numpy as np
import pytest

import core
from app.services import models
from core.catalog.checkpoints import is_on_board
from tests.pages.curves import rows
from tests.pages.page import Page

TUNED = ("vit-mini", "mae-mini")
on_board = pytest.mark.skipif(
    {card.id for card in core.CATALOG if is_on_board(card)}.isdisjoint(TUNED),
    reason="vit-mini is not on board",
)


def opened(part: str = "lora", **link: str) -> Page:
    return Page("blocks", view="tuning", part=part, **link)


def test_adapters_are_counted():
    page = opened("adapters", d_model="64", rank="4", layers="2")
    assert "trains 2,048 numbers" in page.answer  # 2 · 2 · 4 · (64 + 64)
    assert "two adapters a layer 2,320" in page.answer  # 2 · 2 · (2·4·64 + 4 + 64)


@on_board
def test_a_real_update_and_its_factors():
    page = opened(rank="8", block="1", matrix="mlp.fc1")
    update = core.load("vit-mini").weight_updates()["blocks.1.mlp.fc1.weight"]
    m, n = update.update.shape
    assert f"r(m + n) = **{8 * (m + n):,}** numbers" in page.text
    values = [float(row[1]) for row in rows(page, "low-rank-update.csv")]
    np.testing.assert_allclose(values, update.update.values, rtol=1e-5)


@on_board
def test_a_block_that_is_not_there_is_the_last():
    page = opened(block="99")
    assert page.link["block"] == str(len(core.load("vit-mini").weight_updates()) // 4 - 1)


@on_board
def test_one_outlier_spoils_what_shares_its_step():
    page = opened("int8", outlier="200", size="0")
    assert "of 255 codes" in page.text
    errors = {row[0]: float(row[1]) for row in rows(page, "int8.csv")}
    assert errors["the matrix"] > 5 * errors["64"]


@on_board
def test_the_whole_matrix_is_a_size_of_its_own_in_the_measured_accuracies():
    page = opened("int8", size="0")
    chart = page.charts[-1]
    assert chart["data"][0]["x"] == ["16", "64", "256", "1,024", "4,096", "the matrix"]
    assert chart["layout"]["xaxis"]["type"] == "category"
    assert chart["layout"]["shapes"][-1]["x0"] == "the matrix"


@pytest.mark.parametrize("part", ["lora", "int8"])
def test_without_a_tuned_model_it_says_what_to_train(monkeypatch: pytest.MonkeyPatch, part: str):
    monkeypatch.setattr(models, "fine_tuned", lambda: None)
    assert "train mae-mini, then vit-mini" in opened(part).notices
