"""The masked autoencoder's view: masks drawn, painted, in patterns; a server of its own."""

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, Position, expect

import core
from app.services.masked_autoencoder import RATIOS, SEEDS
from app.services.vision import sample
from core.models.vision.masked_autoencoder import AutoencoderModel
from core.outputs.autoencoder import Reconstruction
from tests.e2e.conftest import offering
from tests.tiny_autoencoder import save_autoencoder

CHELSEA = sample("chelsea").convert("RGB")
RIGHT_HALF = (2, 3, 6, 7, 10, 11, 14, 15)  # of 4 × 4


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return save_autoencoder(tmp_path_factory.mktemp("mae"), lessons=True)


@pytest.fixture(scope="module")
def model(folder: Path) -> AutoencoderModel:
    opened = core.load(folder, device="cpu")
    assert isinstance(opened, AutoencoderModel)
    return opened


@pytest.fixture(scope="module")
def server(folder: Path, tmp_path_factory) -> Iterator[str]:
    with offering([folder], tmp_path_factory.mktemp("server")) as started:
        yield started


def figure(page: Page, name: str) -> Locator:
    return page.locator(f".st-key-vision-mae-{name} .gf").first


def patch_at(root: Locator, patch: int) -> Position:
    expect(root).to_have_attribute("data-patches", re.compile(r"\d"))
    ((top, wide, high),) = json.loads(root.get_attribute("data-patches") or "null")
    row, column = divmod(patch, 4)
    return {"x": (column + 0.5) * wide, "y": top + (row + 0.5) * high}


def expect_shown(page: Page, made: Reconstruction) -> None:
    """Mask, error map and printed error are this reconstruction's."""
    expect(figure(page, "paint")).to_have_attribute(
        "data-painted", f"4 x 4, hidden {made.hidden.sum()}", timeout=60_000
    )
    total = float(made.errors[made.hidden].sum())
    near = "|".join(re.escape(f"{total + step / 1000:.3f}") for step in (-1, 0, 1))
    expect(figure(page, "Error")).to_have_attribute(
        "data-painted", re.compile(f"^4 x 4, sum ({near})$")
    )
    expect(page.get_by_text("Mean squared error at hidden patches:")).to_contain_text(
        f"{made.error:.3g}"
    )


def test_a_drawn_mask_is_the_models_own_and_a_share_hides_more(app, model, folder):
    page = app.open("vision", view="mae", model=str(folder), seed="3")
    expect_shown(page, model.reconstruct(CHELSEA, ratio=0.75, seed=3))
    flat = model.reconstruct(CHELSEA, ratio=0.75, seed=3).flat_error
    expect(page.get_by_text("in the mean colour of what is visible would")).to_contain_text(
        f"{flat:.3g}"
    )
    page.get_by_role("button", name="Another draw").click()
    expect_shown(page, model.reconstruct(CHELSEA, ratio=0.75, seed=4))
    page.get_by_role("slider", name="Hidden at random").press("Home")
    expect(page.get_by_text("Nothing is hidden, so there is nothing to paint")).to_be_visible()
    expect(page).to_have_url(re.compile("mae-ratio=0"))
    page.get_by_role("radio", name="coffee").click()
    page.get_by_role("button", name="Right half").click()
    coffee = sample("coffee").convert("RGB")
    expect_shown(page, model.reconstruct_hidden(coffee, RIGHT_HALF))


def test_patches_are_painted_and_the_link_keeps_them(app, model, folder):
    page = app.open("vision", view="mae", model=str(folder))
    before = model.reconstruct(CHELSEA)
    expect_shown(page, before)
    first, second = map(int, np.flatnonzero(before.hidden)[:2])
    paint = figure(page, "paint")
    paint.locator(".sheet").click(position=patch_at(paint, first))
    hidden = tuple(int(i) for i in np.flatnonzero(before.hidden) if i != first)
    expect_shown(page, model.reconstruct_hidden(CHELSEA, hidden))
    expect(page.get_by_text("as painted.")).to_be_visible()
    paint.locator(".sheet").click(position=patch_at(paint, second))
    made = model.reconstruct_hidden(CHELSEA, hidden[1:])
    expect_shown(page, made)
    expect(page).to_have_url(re.compile("mae-hidden=b"))
    app.settled()
    page.reload()
    app.settled()
    expect_shown(page, made)
    page.get_by_role("slider", name="Hidden at random").press("ArrowRight")
    expect_shown(page, model.reconstruct(CHELSEA, ratio=0.76))
    expect(page.get_by_text("as painted.")).to_have_count(0)


def test_numbers_to_take_along_are_the_models(app, model, folder):
    page = app.open("vision", view="mae", model=str(folder), raw="1")
    made = model.reconstruct(CHELSEA)
    near = re.escape(f"{made.errors.sum():.2f}"[:-1])
    expect(figure(page, "Error")).to_have_attribute(
        "data-painted", re.compile(f"^4 x 4, sum {near}"), timeout=60_000
    )
    expect(page.get_by_text("Outlined: visible, never trained on.")).to_be_visible()
    buttons = page.get_by_test_id("stDownloadButton")
    with page.expect_download() as waiting:
        buttons.get_by_role("button", name="CSV: error by share").click()
    lines = Path(waiting.value.path()).read_text().splitlines()
    assert "12 of 16 patches hidden (random mask, draw 0)" in lines[0]
    found = model.error_by_ratio(CHELSEA, RATIOS, SEEDS)
    rows = list(csv.DictReader(lines[1:]))
    assert len(rows) == len(RATIOS) * len(SEEDS)
    at = {(float(row["hidden_share"]), int(row["seed"])): row for row in rows}
    value = float(at[0.75, 2]["mean_squared_error"])
    assert value == pytest.approx(found.errors[2, RATIOS.index(0.75)], rel=1e-3)
    with page.expect_download() as waiting:
        buttons.get_by_role("button", name="NPZ").click()
    with np.load(waiting.value.path()) as arrays:
        np.testing.assert_allclose(arrays["predicted"], made.predicted, atol=1e-4)
        np.testing.assert_array_equal(arrays["hidden"], made.hidden)
        np.testing.assert_allclose(arrays["errors_by_seed_and_ratio"], found.errors, rtol=1e-3)


def test_the_training_is_watched_moment_by_moment(app, folder):
    page = app.open("vision", view="mae", model=str(folder))
    painted = page.get_by_role("img", name=re.compile("as painted at step"))
    expect(painted).to_have_attribute("aria-label", "The picture as painted at step 1,200")
    slider = page.get_by_role("slider", name="Moment of the training")
    slider.press("Home")
    expect(painted).to_have_attribute("aria-label", "The picture as painted at step 0")
    expect(page).to_have_url(re.compile("mae-at=0"))
    app.settled()
    page.reload()
    app.settled()
    expect(painted).to_have_attribute("aria-label", "The picture as painted at step 0")
    with page.expect_download() as waiting:
        page.get_by_test_id("stDownloadButton").get_by_role("button", name="CSV: training").click()
    rows = Path(waiting.value.path()).read_text().splitlines()[1:]
    assert rows == ["step,held_out_mean_squared_error", "0,0.5", "40,0.25", "1200,0.125"]


@pytest.mark.parametrize("nonsense", ["b!!", "zzz", "b" + "_" * 1500])
def test_nonsense_in_a_link_counts_as_absent_or_hides_what_there_is(app, model, folder, nonsense):
    page = app.open("vision", view="mae", model=str(folder), hidden=nonsense)
    ratio = 1.0 if nonsense.startswith("b_") else 0.75
    expect_shown(page, model.reconstruct(CHELSEA, ratio=ratio))
