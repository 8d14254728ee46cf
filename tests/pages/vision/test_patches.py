"""From a patch to a token: every number that is shown is the model's."""

from io import BytesIO

import numpy as np

from app.style.number_format import three
from app.ui.number_box import BOX
from core.explain.embeddings.patch_components import patch_components
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


def test_patches_in_colours_of_their_components(folders: Folders):
    page = opened("patches", folders["vit"], layer="1", map="colours")
    states = loaded(folders["vit"]).trace(PICTURE).hidden_states()[1]
    states = states[1:].reshape(4, 4, -1)
    found = patch_components(states)
    figure = page.figures["vision.patches.colours"]
    assert "vision.patches.norms" not in page.figures
    key = "vision.patches.layer:options"
    assert page.select_slider(key=key).options[1] == "layer 0"
    assert page.number_input(key=f"{key}{BOX}").value == 0
    assert page.charts[-1]["data"][0]["x"][:2] == ["input", "0"]
    picture = figure.arrays["picture0"]
    np.testing.assert_array_equal(picture[::112, ::112, :3], found.colours)
    shares = ", ".join(
        f"{three(100 * float(share))} % {name}"
        for share, name in zip(found.explained, ("red", "green", "blue"), strict=True)
    )
    assert f"Of the variance of these 16 patches: {shares}, together" in page.text
    with np.load(BytesIO(page.file("patch-to-token.npz"))) as arrays:
        np.testing.assert_allclose(arrays["components_layer_0"], found.scores, atol=1e-6)
        np.testing.assert_allclose(arrays["components_explained"], found.explained)
    page.button_group(key="vision.patches.map").set_value("lengths").run()
    assert "map" not in page.link
