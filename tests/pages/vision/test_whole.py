"""A picture that is not square, whole: rectangles in every view, or the reason why not."""

import pytest

from core.explain.attention.patch_attention import look
from core.outputs.vision import WholePicture
from tests.pages.vision.shown import PICTURE, Folders, drawn, expect_drawn, loaded, opened

WHOLE = WholePicture(PICTURE)  # 300 × 451: 4 × 6 patches for a model of 4 × 4
MAPS = {
    "patches": "patches.through",
    "attention": "attention.picture",
    "rollout": "rollout.film",
    "why": "why.map",
    "what-if": "what-if.lens",
}


@pytest.mark.parametrize("view", MAPS)
def test_every_view_draws_the_rectangle(folders: Folders, view: str):
    page = opened(view, folders["vit"], whole="1")
    arrays = page.figures[f"vision.{MAPS[view]}"].arrays
    assert arrays["values" if view == "rollout" else "values0"].shape[-2:] == (4, 6)
    assert "was trained on 4 × 4 patches and is shown 4 × 6: its table of positions is" in page.text
    assert page.link["whole"] == "1"


def test_the_weights_are_the_whole_picture_s(folders: Folders):
    page = opened("attention", folders["vit"], whole="1", token="24", layer="0")
    layer = loaded(folders["vit"]).trace(WHOLE).attention(0)
    expect_drawn(page, "attention.picture", look(layer, 24).fused("mean").patches)
    assert page.figures["vision.attention.picture"].arrays["picture0"].shape == (32, 48, 3)


def test_a_place_that_the_centre_does_not_have_gives_way(folders: Folders):
    links = {"attention": {"token": "24"}, "patches": {"token": "24"}, "why": {"patch": "23"}}
    for view, link in (links | {"what-if": {"hidden": "20,23", "patch": "23"}}).items():
        page = opened(view, folders["vit"], whole="1", **link)
        (toggle,) = (one for one in page.toggle if one.label == "Whole picture")
        assert toggle.value
        toggle.set_value(False)
        page.run()
        assert drawn(page, MAPS[view]).shape[-2:] == (4, 4)
        assert "and is shown 4 × 6" not in page.text
        assert "whole" not in page.link


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("swin", "its windows tile pictures of the trained size"),
        ("transformers-swin", "its windows tile pictures of the trained size"),
        ("pvt", "its positions belong to one grid of patches"),
    ],
)
def test_a_model_that_can_t_says_why_and_shows_the_centre(folders: Folders, name: str, why: str):
    page = opened("attention", folders[name], whole="1")
    assert why in page.notices
    assert "The centre of the picture is shown instead." in page.text
    assert "vision.attention.picture" in page.figures


@pytest.mark.parametrize("name", ["transformers-vit", "transformers-clip", "siglip", "registers"])
def test_models_whose_positions_can_be_interpolated(folders: Folders, name: str):
    page = opened("attention", folders[name], whole="1")
    assert drawn(page, "attention.picture").shape == (4, 6)


def test_a_second_model_sees_the_same(folders: Folders):
    page = opened("attention", folders["vit"], whole="1", other_model=str(folders["registers"]))
    assert drawn(page, "attention.picture2").shape == (4, 6)
    page = opened("attention", folders["vit"], whole="1", other_model=str(folders["swin"]))
    assert "its windows tile" in page.notices
    assert drawn(page, "attention.picture").shape == (4, 6)


def test_of_a_square_picture_nothing_is_cropped_anyway(folders: Folders):
    page = opened("attention", folders["vit"], picture="camera", whole="1")
    (toggle,) = (one for one in page.toggle if one.label == "Whole picture")
    assert toggle.disabled
    assert drawn(page, "attention.picture").shape == (4, 4)
