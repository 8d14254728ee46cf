"""The masked autoencoder's view: masks drawn, painted, in patterns; its errors and its training."""

import csv
from io import BytesIO

import numpy as np
import pytest

import core
from app.services import training_history as history
from app.services.masked_autoencoder import RATIOS, SEEDS
from app.services.vision import sample
from core.outputs.autoencoder import Reconstruction
from tests.pages.page import Page
from tests.pages.vision.shown import PICTURE, Folders, drawn, loaded, opened

RIGHT_HALF = (2, 3, 6, 7, 10, 11, 14, 15)  # of 4 × 4


def expect_shown(page: Page, made: Reconstruction) -> None:
    """The error map and the printed error are this reconstruction's."""
    errors = np.where(made.hidden, made.errors, np.nan)
    np.testing.assert_allclose(drawn(page, "mae.Error"), errors, atol=1e-4)
    assert f"Mean squared error at hidden patches: {made.error:.3g}**" in page.text


def test_a_drawn_mask_is_the_models_own_and_a_share_hides_more(folders: Folders):
    model = loaded(folders["mae"])
    page = opened("mae", folders["mae"], seed="3")
    made = model.reconstruct(PICTURE, ratio=0.75, seed=3)
    expect_shown(page, made)
    assert f"would give {made.flat_error:.3g}" in page.text
    next(b for b in page.button if b.label == "Another draw").click().run()
    expect_shown(page, model.reconstruct(PICTURE, ratio=0.75, seed=4))
    page.slider(key="vision.mae.ratio").set_value(0).run()
    assert "Nothing is hidden, so there is nothing to paint" in page.text
    assert page.link["ratio"] == "0"
    page.button_group(key="vision.picture").set_value("coffee").run()
    next(b for b in page.button if b.label == "Right half").click().run()
    coffee = sample("coffee").convert("RGB")
    expect_shown(page, model.reconstruct_hidden(coffee, RIGHT_HALF))


def test_patches_are_painted_and_a_share_draws_again(folders: Folders):
    model, page = loaded(folders["mae"]), opened("mae", folders["mae"])
    hidden = tuple(int(i) for i in np.flatnonzero(model.reconstruct(PICTURE).hidden))
    page.choose("vision.mae.paint", list(hidden[1:]))
    expect_shown(page, model.reconstruct_hidden(PICTURE, hidden[1:]))
    page.choose("vision.mae.paint", list(hidden[2:]))
    made = model.reconstruct_hidden(PICTURE, hidden[2:])
    expect_shown(page, made)
    assert "as painted." in page.text
    link = page.link
    assert link["hidden"].startswith("b")
    expect_shown(Page("vision", **link), made)
    page.slider(key="vision.mae.ratio").set_value(76).run()
    expect_shown(page, model.reconstruct(PICTURE, ratio=0.76))
    assert "hidden" not in page.link


def test_numbers_to_take_along_are_the_models(folders: Folders):
    model, page = loaded(folders["mae"]), opened("mae", folders["mae"], raw="1")
    made = model.reconstruct(PICTURE)
    np.testing.assert_allclose(drawn(page, "mae.Error"), made.errors, atol=1e-4)
    assert "Outlined: visible, never trained on." in page.text
    lines = page.file("masked-autoencoder-error-by-share.csv").decode().splitlines()
    assert "12 of 16 patches hidden (random mask, draw 0)" in lines[0]
    found = model.error_by_ratio(PICTURE, RATIOS, SEEDS)
    rows = list(csv.DictReader(lines[1:]))
    assert len(rows) == len(RATIOS) * len(SEEDS)
    at = {(float(row["hidden_share"]), int(row["seed"])): row for row in rows}
    value = float(at[0.75, 2]["mean_squared_error"])
    assert value == pytest.approx(found.errors[2, RATIOS.index(0.75)], rel=1e-3)
    with np.load(BytesIO(page.file("masked-autoencoder.npz"))) as arrays:
        np.testing.assert_allclose(arrays["predicted"], made.predicted, atol=1e-4)
        np.testing.assert_array_equal(arrays["hidden"], made.hidden)
        np.testing.assert_allclose(arrays["errors_by_seed_and_ratio"], found.errors, rtol=1e-3)


def test_the_training_is_watched_moment_by_moment(folders: Folders):
    page = opened("mae", folders["mae"])

    def lesson() -> str:
        return page.figures["vision.mae.lesson"].header["label"]

    assert lesson() == "The picture as painted at step 1,200"
    page.select_slider(key="vision.mae.moment:options").set_value(0).run()
    assert lesson() == "The picture as painted at step 0"
    assert page.link["moment"] == "0"
    rows = page.file("masked-autoencoder-training.csv").decode().splitlines()[1:]
    assert rows == ["step,held_out_mean_squared_error", "0,0.5", "40,0.25", "1200,0.125"]


@pytest.mark.parametrize("nonsense", ["b!!", "zzz", "b" + "_" * 1500])
def test_nonsense_in_a_link_counts_as_absent_or_hides_what_there_is(
    folders: Folders, nonsense: str
):
    page = opened("mae", folders["mae"], hidden=nonsense)
    ratio = 1.0 if nonsense.startswith("b_") else 0.75
    expect_shown(page, loaded(folders["mae"]).reconstruct(PICTURE, ratio=ratio))


def test_only_the_shipped_model_is_told_of(folders: Folders):
    assert "mae-mini is small" not in opened("mae", folders["mae"]).text
    card = next(card for card in core.CATALOG if card.id == "mae-mini")
    sheet = history.sheet(card)
    assert f"7,129 photographs, {history.trained(sheet)};" in Page("vision", view="mae").text


def test_the_slider_says_what_is_painted(folders: Folders):
    page = opened("mae", folders["mae"])
    page.choose("vision.mae.paint", [0, 1])
    assert "Hidden: 2 of 16 patches, 12%, as painted" in page.text
    assert page.slider(key="vision.mae.ratio").value == 12
    page.slider(key="vision.mae.ratio").set_value(50).run()
    assert "Hidden: 8 of 16 patches, 50%, draw 0" in page.text
