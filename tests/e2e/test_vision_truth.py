"""Explanations put to the test, in a browser: every number shown is the core's."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import core
from app.services.vision import sample
from core.data.pointing_game import Layout, collage, half
from core.explain.attribution.localization import mass_inside
from core.explain.attribution.perturbation_curves import area, hidden_sets
from core.explain.attribution.rank_correlation import rank_correlation
from core.interventions import HidePatches
from core.targets import ClassTarget
from tests.e2e.conftest import offering
from tests.tiny_pictures import save_picture_model

PICTURE = sample("chelsea").convert("RGB")
STEPS = np.linspace(0, 1, 11)


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> dict[str, Path]:
    return {
        name: save_picture_model(name, tmp_path_factory.mktemp(name)) for name in ("vit", "swin")
    }


@pytest.fixture(scope="module")
def server(folders: dict[str, Path], tmp_path_factory) -> Iterator[str]:
    with offering(folders.values(), tmp_path_factory.mktemp("server")) as started:
        yield started


def expect_row(page: Page, method: str, *numbers: str) -> None:
    """A table's line: the method's name, then these cells."""
    words = r"\s+".join(map(re.escape, (method, *numbers)))
    row = page.get_by_role("row", name=re.compile(rf"^{words}"))
    expect(row.first).to_be_visible(timeout=120_000)


def curves(model, method: str, index: int, fill: str) -> list[np.ndarray]:
    """The class's probabilities as its most, then its least relevant patches are hidden."""
    evidence = model.evidence(PICTURE, method, ClassTarget(index))
    return [
        model.measure(PICTURE, [(HidePatches(one, fill),) for one in sets], ClassTarget(index))
        for sets in hidden_sets(evidence, STEPS)
    ]


def areas(values: list[np.ndarray]) -> tuple[str, str, str]:
    most, least = (100 * area(STEPS[:10], v[:10].astype(float)) for v in values)
    return f"{most:.1f}", f"{least:.1f}", f"{least - most:+.1f}".replace("-", "−")


def test_the_benchmark_on_board_is_shown(app):
    page = app.open("vision", view="truth", part="table", methods="nonsense")
    shown = page.get_by_role("row", name=re.compile("^Random"))
    expect(shown.first).to_be_visible(timeout=120_000)


def test_hiding_what_a_map_names_is_measured_by_the_model(app, folders):
    model = core.load(folders["vit"])
    best = int(model.trace(PICTURE).logits.argmax())
    page = app.open("vision", view="truth", model=str(folders["vit"]), hidden="40")
    expect_row(page, "Generic relevance", *areas(curves(model, "relevance", best, "mean")))
    expect(page.get_by_role("row", name=re.compile(r"^Random order"))).to_be_visible()
    expect(page.get_by_text("Most relevant first, 40 % hidden")).to_be_visible()
    page.get_by_role("radio", name="a blur").click()
    blurred = curves(model, "relevance", best, "blur")
    expect_row(page, "Generic relevance", *areas(blurred))
    expect(page).to_have_url(re.compile("truthfill=blur"))
    app.settled()
    with page.expect_download() as waiting:
        page.get_by_test_id("stDownloadButton").get_by_role("button", name="NPZ").click()
    with np.load(waiting.value.path()) as arrays:
        for way, values in zip(("most", "least"), blurred, strict=True):
            np.testing.assert_allclose(
                arrays[f"generic_relevance_{way}_relevant_first"], values, atol=1e-5
            )


def test_a_collages_halves_are_asked_for_their_own_class(app, folders):
    model = core.load(folders["vit"])
    image = collage(PICTURE, sample("coffee").convert("RGB"), Layout.STACKED)
    link = {
        "part": "objects",
        "other_picture": "coffee",
        "layout": "stacked",
        "class": "0",
        "other_class": "2",
    }
    page = app.open(*("vision",), view="truth", model=str(folders["vit"]), **link)
    shares = [
        mass_inside(
            model.evidence(image, "relevance", ClassTarget(index)),
            half(4, 4, Layout.STACKED, first=first),
        )
        for index, first in ((0, True), (2, False))
    ]
    expect_row(page, "Generic relevance", *(f"{100 * share:.1f} %" for share in shares))
    for blind in ("Attention rollout", "Random", "Uniform"):
        row = page.get_by_role("row", name=re.compile(rf"^{blind}"))
        expect(row.get_by_role("cell").last).to_have_text("50.0 %")
    expect(page.get_by_text("Asked for car, which stands below")).to_be_visible()
    page.get_by_role("combobox", name=re.compile("Asked for, below")).click()
    page.get_by_role("option", name="cat", exact=True).click()
    expect(page.get_by_text("no map can tell them apart")).to_be_visible(timeout=120_000)


def test_random_weights_change_what_explains_the_class_alone(app, folders):
    model = core.load(folders["vit"])
    best = int(model.trace(PICTURE).logits.argmax())
    page = app.open("vision", view="truth", part="weights", model=str(folders["vit"]), blocks="0")
    expect_row(page, "Attention rollout", "1.00", "the same map")
    target = ClassTarget(best)
    fresh = model.randomised_evidence(PICTURE, "relevance", target, blocks=0, seed=0)
    value = rank_correlation(model.evidence(PICTURE, "relevance", target), fresh.evidence)
    expect_row(page, "Generic relevance", f"{value:.2f}".replace("-", "−"))
    page.get_by_text("At every depth").click()
    chart = page.locator(".js-plotly-plot")
    expect(chart).to_be_visible(timeout=120_000)
    expect(chart.locator(".legendtext")).to_have_count(2)
    expect(page).to_have_url(re.compile("truthcascade=1"))


def test_a_swin_says_which_methods_it_can_not_be_asked_with(app, folders):
    page = app.open(
        "vision", view="truth", model=str(folders["swin"]), methods="relevance,occlusion"
    )
    expect(page.get_by_role("row", name=re.compile("^Occlusion"))).to_be_visible(timeout=120_000)
    expect(page.get_by_text("Generic relevance. ").first).to_contain_text("looks within windows")
