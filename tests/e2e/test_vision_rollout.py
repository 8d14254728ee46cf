"""Rollout's film and how far heads look, in a browser, against the numbers of tiny checkpoints."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, Position, expect

import core
from app.services.vision import sample
from core import positions
from core.explain.attention.head_atlas import head_atlas
from core.explain.flow.rollout import (
    film_of_maps,
    fused_maps,
    mean_of_patches,
    one_hot,
)
from core.explain.flow.stage_rollout import film_of_stages, fused_stages
from tests.e2e.conftest import App, offering
from tests.tiny_pictures import save_picture_model

MODELS = ("vit", "wide", "siglip", "swin", "registers", "pvt")
PICTURE: Any = sample("chelsea").convert("RGB")
LONG = 120_000  # ms: the first page opens a model


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> dict[str, Path]:
    return {name: save_picture_model(name, tmp_path_factory.mktemp(name)) for name in MODELS}


@pytest.fixture(scope="module")
def server(folders: dict[str, Path], tmp_path_factory) -> Iterator[str]:
    with offering(folders.values(), tmp_path_factory.mktemp("server")) as started:
        yield started


def opened(app: App, **params: str) -> Page:
    """The page by its link; the first one opens a model, so each test waits for its figure."""
    app.page.goto(f"{app.address}/vision?{urlencode(params)}")
    return app.page


def figure(page: Page, key: str) -> Locator:
    """A component's root by its key on the page."""
    return page.locator(f".st-key-vision-{key} .gf").first


def expect_frame(film: Locator, frame: int, last: int, patches: float) -> None:
    """The film stands at a frame whose patches hold so much, to rounding."""
    near = "|".join(re.escape(f"{patches + step / 1000:.3f}") for step in (-1, 0, 1))
    expect(film).to_have_attribute(
        "data-painted", re.compile(f"^frame {frame} of {last}, patches ({near})$"), timeout=LONG
    )


def patch_at(film: Locator, patch: int, columns: int) -> Position:
    expect(film).to_have_attribute("data-patches", re.compile(r"\d"))
    top, wide, high = json.loads(film.get_attribute("data-patches") or "null")
    row, column = divmod(patch, columns)
    return {"x": (column + 0.5) * wide, "y": top + (row + 0.5) * high}


def test_the_film_scrubs_in_the_browser_and_a_clicked_patch_has_a_film_of_its_own(app, folders):
    page = opened(app, view="rollout", model=str(folders["vit"]))
    maps = fused_maps(core.load(folders["vit"]).trace(PICTURE))
    of_class = film_of_maps(maps, one_hot(17, 0))
    film = figure(page, "rollout-film")
    expect_frame(film, 2, 2, of_class[2, 1:].sum())
    expect(film.get_by_role("button", name="[CLS]")).to_have_attribute("aria-pressed", "true")
    expect(film.get_by_text("on prefix tokens").first).to_be_visible()
    film.get_by_role("button", name="‹ Back").click()
    expect_frame(film, 1, 2, of_class[1, 1:].sum())
    film.get_by_role("button", name="«").click()
    expect_frame(film, 0, 2, 0.0)
    expect(page).to_have_url(re.compile("roat=0"))
    film.locator(".sheet").click(position=patch_at(film, 6, 4))
    of_patch = film_of_maps(maps, one_hot(17, 7))
    expect_frame(film, 0, 2, 1.0)  # the frame stays, the token is another
    expect(page).to_have_url(re.compile("rofrom=token"))
    film.get_by_role("button", name="▶ Play").click()
    expect_frame(film, 2, 2, of_patch[2, 1:].sum())
    expect(film.locator(".readout")).to_contain_text(f"{of_patch[2, 7]:.3g}"[:5])
    expect(film.locator(".readout")).to_contain_text("of 16")
    film.get_by_role("button", name="[CLS]").click()
    expect_frame(film, 2, 2, of_class[2, 1:].sum())


def test_a_link_restores_residual_fusion_discard_and_first_layer(app, folders):
    link = {"residual": "0", "fusion": "max", "discard": "0.5", "start": "1", "origin": "mean"}
    page = opened(app, view="rollout", model=str(folders["registers"]), **link)
    trace = core.load(folders["registers"]).trace(PICTURE)
    assert trace.patches is not None
    maps = fused_maps(trace, head_fusion="max", discard=0.5, start_layer=1)
    expected = film_of_maps(maps, mean_of_patches(trace.patches), residual=0)
    film = figure(page, "rollout-film")
    expect_frame(film, 1, 1, expected[1, 5:].sum())
    expect(film.get_by_role("button", name=re.compile("register [1-4] "))).to_have_count(4)
    expect(page.get_by_text("what a model that averages its patches would use")).to_be_visible()
    for part in ("rores=0", "rofuse=max", "rodrop=0.5", "rostart=1", "rofrom=mean"):
        assert part in page.url
    page = opened(app, view="rollout", model=str(folders["registers"]), residual="1")
    expect_frame(figure(page, "rollout-film"), 2, 2, 0.0)  # the identity: all stays on [CLS]


def test_models_without_a_class_token_stages_and_wide_pictures(app, folders):
    page = opened(app, view="rollout", model=str(folders["siglip"]))
    expect_frame(figure(page, "rollout-film"), 2, 2, 1.0)  # no prefix tokens: all on patches
    expect(page.get_by_text("one learned query reads all patches out")).to_be_visible()
    page = opened(app, view="rollout", model=str(folders["swin"]), origin="token", token="19")
    maps, grids = fused_stages(core.load(folders["swin"]).trace(PICTURE))
    expected = film_of_stages(maps, grids, 19)
    film = figure(page, "rollout-film")
    expect_frame(film, 4, 4, 1.0)
    expect(film.locator(".readout")).to_contain_text(f"{expected[4, 19]:.3g}"[:5])
    expect(page.get_by_text("2 × 2 patches are merged into one.")).to_be_visible()
    page = opened(app, view="rollout", model=str(folders["wide"]))
    flow = figure(page, "rollout-flow")
    expect(flow).to_have_attribute("data-painted", re.compile("^2 x 5, sum .*; 2 x 5, sum"))
    page = opened(app, view="rollout", model=str(folders["pvt"]))
    expect(page.get_by_text("looks from one grid of patches at another")).to_be_visible(
        timeout=LONG
    )


def test_heads_are_labelled_and_a_chosen_one_opens_on_the_picture(app, folders):
    page = opened(app, view="how-far", model=str(folders["vit"]))
    atlas = head_atlas(core.load(folders["vit"]).trace(PICTURE))
    words = [one.label for one in atlas]
    labels = figure(page, "labels")
    expected = " / ".join((" ".join(words[:3]), " ".join(words[3:])))
    expect(labels).to_have_attribute("data-painted", expected, timeout=LONG)
    expect(page.get_by_text(re.compile("^From .* px .*; a patch is 8 px wide"))).to_be_visible()
    left, top, wide, high = json.loads(labels.get_attribute("data-geometry") or "null")
    labels.locator(".stack").click(position={"x": left + 2.5 * wide, "y": top + 1.5 * high})
    expect(labels).to_have_attribute("data-selected", "[1,2]")
    expect(labels.locator(".readout")).to_contain_text(f"layer 1, head 2: {atlas[5].label}")
    page.get_by_role("radio", name="Entropy").click()
    app.settled()
    expect(page.get_by_text(re.compile("^From .* bits"))).to_be_visible()
    page.get_by_role("button", name="See layer 1, head 2 on the picture").click()
    expect(page).to_have_url(re.compile("view=attention"), timeout=LONG)


def test_a_patchs_position_tile_is_shown_large_and_other_models_say_what_they_have(app, folders):
    page = opened(app, view="how-far", model=str(folders["vit"]), pictures="all", order="sorted")
    table: Any = core.load(folders["vit"]).position_table()
    similarity = positions.cosine_similarity(table.patches)
    tile = figure(page, "position-tile")

    def expect_tile(patch: int) -> None:
        total = float(similarity[patch].sum())
        near = "|".join(re.escape(f"{total + step / 1000:.3f}") for step in (-1, 0, 1))
        expect(tile).to_have_attribute(
            "data-painted", re.compile(f"^4 x 4, sum ({near})$"), timeout=LONG
        )
        expect(tile).to_have_attribute("data-selected", str(patch))

    expect_tile(10)  # the middle
    ((top, wide, high),) = json.loads(tile.get_attribute("data-patches") or "null")
    tile.locator(".sheet").click(position={"x": 0.5 * wide, "y": top + 1.5 * high})
    expect_tile(4)
    tiles = figure(page, "position-tiles")
    left, top, wide, high = json.loads(tiles.get_attribute("data-geometry") or "null")
    # the tile in row 0, column 3 begins after three tiles and three gaps
    tiles.locator(".stack").click(position={"x": left + 16.5 * wide, "y": top + 1.5 * high})
    expect_tile(3)
    expect(page).to_have_url(re.compile("hfpatch=3"))
    assert np.allclose(similarity[3, 3], 1)
    page = opened(app, view="how-far", model=str(folders["swin"]))
    expect(page.get_by_text("it knows distances instead")).to_be_visible(timeout=LONG)
    expect(figure(page, "labels")).to_have_attribute("data-painted", re.compile(" / "))
