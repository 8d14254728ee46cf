"""Rollout: the film is the core's, whatever the link asks; how far heads look."""

import numpy as np
import pytest

from app.style.number_format import three
from core import positions
from core.explain.attention.attention_distance import attention_reach
from core.explain.attention.head_roles import role_masses
from core.explain.flow.rollout import film_of_maps, fused_maps, mean_of_patches, one_hot
from core.explain.flow.stage_rollout import film_of_stages, fused_stages
from tests.pages.page import Page
from tests.pages.vision.shown import PICTURE, Folders, expect_drawn, loaded, opened


def film(page: Page) -> np.ndarray:
    """Prefix tokens and patches, a row a frame."""
    arrays = page.figures["vision.rollout.film"].arrays
    patches = arrays["values"].reshape(len(arrays["values"]), -1)
    return np.concatenate([arrays["prefix"].reshape(len(patches), -1), patches], axis=1)


def test_the_film_of_a_class_token_and_of_a_patch(folders: Folders):
    maps = fused_maps(loaded(folders["vit"]).trace(PICTURE))
    page = opened("rollout", folders["vit"])
    np.testing.assert_allclose(film(page), film_of_maps(maps, one_hot(17, 0)), atol=1e-6)
    assert page.figures["vision.rollout.film"].header["prefix_names"] == ["[CLS]"]
    page = opened("rollout", folders["vit"], origin="token", token="7", frame="0")
    np.testing.assert_allclose(film(page), film_of_maps(maps, one_hot(17, 7)), atol=1e-6)
    assert "the patch itself" in str(page.charts)


def test_a_link_restores_residual_fusion_discard_and_first_layer(folders: Folders):
    link = {"residual": "0", "fusion": "max", "discard": "0.5", "start": "1", "origin": "mean"}
    page = opened("rollout", folders["registers"], **link)
    trace = loaded(folders["registers"]).trace(PICTURE)
    maps = fused_maps(trace, head_fusion="max", discard=0.5, start_layer=1)
    expected = film_of_maps(maps, mean_of_patches(trace.patches), residual=0)
    np.testing.assert_allclose(film(page), expected, atol=1e-6)
    assert "what a model that averages its patches would use" in page.text
    assert page.link.items() >= link.items()
    page = opened("rollout", folders["registers"], residual="1")
    assert film(page)[-1, 0] == pytest.approx(1)  # the identity: all stays on [CLS]


def test_models_without_a_class_token_stages_and_wide_pictures(folders: Folders):
    page = opened("rollout", folders["siglip"])
    assert film(page).shape == (3, 16)
    assert "one learned query reads all patches out" in page.text
    page = opened("rollout", folders["swin"], origin="token", token="19")
    maps, grids = fused_stages(loaded(folders["swin"]).trace(PICTURE))
    np.testing.assert_allclose(film(page), film_of_stages(maps, grids, 19), atol=1e-6)
    assert "2 × 2 patches are merged into one." in page.text
    page = opened("rollout", folders["wide"])
    assert page.figures["vision.rollout.flow"].arrays["values1"].shape == (2, 5)
    assert "looks from one grid of patches at another" in opened("rollout", folders["pvt"]).notices


def test_every_head_has_its_distance_and_its_masses_on_this_picture(folders: Folders):
    page = opened("how-far", folders["vit"])
    trace = loaded(folders["vit"]).trace(PICTURE)
    found, (reach, *_) = role_masses(trace), attention_reach(trace, patch_pixels=(8, 8))
    shown = page.figures["vision.how-far.labels"]
    np.testing.assert_allclose(shown.arrays["maxima"][: len(reach.distances)], reach.distances)
    local = found.roles.index("local")
    told = f"local {three(float(found.masses[0][local, 1]))}, row "
    assert told in shown.header["notes"][0][1]
    assert shown.header["names"] is None, "a tiny model's heads were never measured"
    lines = page.table("how-far.csv")
    assert float(lines[1]["mass_local"]) == pytest.approx(float(found.masses[0][local, 1]))
    assert "a patch is 8 px wide" in page.text
    page.choose("vision.how-far.labels", [[1, 2]])
    page.button_group(key="vision.how-far.quantity").set_value("entropy").run()
    assert " bits (layer" in page.text
    next(b for b in page.button if b.label.startswith("See layer 1, head 2")).click().run()
    assert page.link.items() >= {"view": "attention", "fusion": "one", "head": "2"}.items()
    assert "layer 1, head 2" in page.figures["vision.attention.picture"].header["caption"]


def test_a_patchs_position_tile(folders: Folders):
    page = opened("how-far", folders["vit"], pictures="all", order="sorted")
    similarity = positions.cosine_similarity(loaded(folders["vit"]).position_table().patches)
    expect_drawn(page, "how-far.tile", similarity[10])  # the middle
    page.choose("vision.how-far.tile", 4)
    expect_drawn(page, "how-far.tile", similarity[4])
    assert page.link["patch"] == "4"
    page = opened("how-far", folders["swin"])
    assert "it knows distances instead" in page.notices
    assert "vision.how-far.labels" in page.figures
