"""From a patch to a token: every number that is shown is the model's."""

import numpy as np

from tests.pages.vision.shown import PICTURE, Folders, loaded, opened


def test_a_patch_becomes_a_token_and_one_number_is_worked_out(folders: Folders):
    page = opened("patches", folders["vit"], token="6")
    model = loaded(folders["vit"])
    embedded = model.patch_embedding(PICTURE)
    tokens = model.trace(PICTURE).hidden_states()[0]
    rows = np.stack([embedded.projected[5], embedded.positions[5], tokens[6]])
    strip = page.figures["vision.patches.strip"].arrays["values"]
    np.testing.assert_allclose(strip, rows, atol=1e-5)
    assert "Output 0 = Σ pixel × weight + bias" in page.text
    page.choose("vision.patches.strip", [0, 9])
    assert "Output 9 = Σ pixel × weight + bias" in page.text
    page.choose("vision.patches.picture", 10)
    products = page.figures["vision.patches.products"].arrays["values"]
    np.testing.assert_allclose(products, embedded.worked(10, 9).products.sum(-1), atol=1e-5)
    assert (page.link["token"], page.link["output"]) == ("11", "9")


def test_a_class_token_is_no_piece_of_the_picture(folders: Folders):
    page = opened("patches", folders["vit"], token="0")
    assert "is no piece of the picture" in page.text
    assert page.figures["vision.patches.strip"].arrays["values"].shape == (3, 24)
    assert "vision.patches.products" not in page.figures


def test_filters_and_lengths_of_a_swin(folders: Folders):
    page = opened("patches", folders["swin"], layer="1")
    assert "patches are all it has" in page.text
    assert "This model adds no positions here" in page.text
    assert "of 256 patches stand out" in page.text
    norms = page.figures["vision.patches.norms"]
    assert norms.arrays["values0"].shape == (16, 16)
    assert opened("patches", folders["swin"]).figures["vision.patches.norms"].arrays[
        "values0"
    ].shape == (8, 8)


def test_a_model_without_a_grid_is_declined_with_the_reason(folders: Folders):
    page = opened("patches", folders["xcit"])
    assert page.notices
    assert "vision.patches.picture" not in page.figures
