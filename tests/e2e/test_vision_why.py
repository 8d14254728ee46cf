"""Why this class, in the browser: a server of its own, with tiny checkpoints of random weights."""

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

import core
from app.services.vision import sample
from core import ClassTarget
from core.explain.attribution.registry import EVIDENCE
from core.models.vision.classifier import VisionModel
from tests.e2e.conftest import App, offering
from tests.tiny_pictures import CLASSES, save_picture_model

PICTURE = sample("chelsea").convert("RGB")
QUICK = [m for m in EVIDENCE if m.id not in ("integrated-gradients", "occlusion")]


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> dict[str, Path]:
    made = {
        name: save_picture_model(name, tmp_path_factory.mktemp(name)) for name in ("vit", "swin")
    }
    return made | {
        "headless": save_picture_model("vit", tmp_path_factory.mktemp("headless"), n_classes=0)
    }


@pytest.fixture(scope="module")
def model(folders: dict[str, Path]) -> VisionModel:
    loaded = core.load(folders["vit"])
    assert isinstance(loaded, VisionModel)
    return loaded


@pytest.fixture(scope="module")
def server(folders: dict[str, Path], tmp_path_factory) -> Iterator[str]:
    with offering(folders.values(), tmp_path_factory.mktemp("server")) as started:
        yield started


def ranked(model: VisionModel) -> list[int]:
    """Classes, most probable first."""
    logits = model.trace(PICTURE).logits
    assert logits is not None
    return [int(index) for index in np.argsort(-logits)]


def figure(page: Page, name: str) -> Locator:
    return page.locator(f".st-key-vision-why-{name} .gf").first


def expect_sums(root: Locator, maps: list[np.ndarray]) -> None:
    """The figure holds exactly these maps, in this order, to rounding."""
    parts: list[str] = []
    for values in maps:
        near = (f"{values.sum() + step / 1000:.3f}" for step in (-1, 0, 1))
        rows, columns = values.shape
        parts.append(f"{rows} x {columns}, sum ({'|'.join(map(re.escape, near))})")
    expect(root).to_have_attribute(
        "data-painted", re.compile(f"^{'; '.join(parts)}$"), timeout=60_000
    )


def opened(app: App, **params: str) -> Page:
    """The view by its link, every method's map drawn: the first time models are opened, too."""
    query = urlencode({"view": "why"} | params)
    app.page.goto(f"{app.address}/vision?{query}")
    expect(app.page.get_by_text("What am I looking at?")).to_be_visible(timeout=180_000)
    return app.settled()


def test_all_methods_stand_side_by_side_with_random_and_uniform(app, folders, model):
    page = opened(app, model=str(folders["vit"]))
    answer = ClassTarget(ranked(model)[0])
    maps = {method.id: model.evidence(PICTURE, method.id, answer) for method in EVIDENCE}
    expect_sums(figure(page, "map"), [maps["relevance"]])
    expect_sums(figure(page, "quick"), [maps[method.id] for method in QUICK])
    expect_sums(figure(page, "slow"), [maps["integrated-gradients"], maps["occlusion"]])
    quick = figure(page, "quick")
    for title in ("Random *", "Uniform *", "Attention rollout *", "Generic relevance"):
        expect(quick.get_by_role("button", name=f"{title}: choose")).to_be_visible()
    expect(page.get_by_text("the same map for every class").first).to_be_visible()
    figure(page, "slow").get_by_role("button", name="Occlusion: choose").click()
    expect_sums(figure(page, "map"), [maps["occlusion"]])
    n_for = int((maps["occlusion"] > 0).sum())
    expect(page.get_by_text(re.compile(rf"For: \+.* on {n_for} patches"))).to_be_visible()
    app.settled()
    expect(page).to_have_url(re.compile("whymethod=occlusion"))
    page.reload()
    app.settled()
    expect_sums(figure(page, "map"), [maps["occlusion"]])


def test_another_class_and_one_against_another(app, folders, model):
    page = opened(app, model=str(folders["vit"]))
    first, second, third = ranked(model)[:3]
    expect_sums(figure(page, "map"), [model.evidence(PICTURE, "relevance", ClassTarget(first))])
    figure(page, "classes").locator("button").filter(has_text=CLASSES[second]).click()
    expect_sums(figure(page, "map"), [model.evidence(PICTURE, "relevance", ClassTarget(second))])
    app.settled()
    expect(page).to_have_url(re.compile(f"whyclass={second}"))
    page.get_by_role("combobox", name="… rather than for").click()
    page.get_by_role("option", name=CLASSES[third]).click()
    contrast = [
        model.evidence(PICTURE, method.id, ClassTarget(second), ClassTarget(third))
        for method in QUICK
    ]
    expect_sums(figure(page, "quick"), contrast)
    np.testing.assert_array_equal(  # what knows no class stays as it is
        contrast[3], model.evidence(PICTURE, "rollout", ClassTarget(first))
    )
    app.settled()
    expect(page).to_have_url(re.compile(f"whyagainst={third}"))


def test_a_patch_is_read_in_every_method(app, folders, model):
    page = opened(app, model=str(folders["vit"]), method="raw-attention")
    root = figure(page, "map")
    values = model.evidence(PICTURE, "raw-attention", ClassTarget(0))
    expect_sums(root, [values])
    ((top, wide, high),) = json.loads(root.get_attribute("data-patches") or "null")
    root.locator(".sheet").click(position={"x": 2.5 * wide, "y": top + 1.5 * high})
    expect(page.get_by_text("The patch in row 2, column 3, in every method")).to_be_visible()
    rank = 1 + int((values > values[1, 2]).sum())
    row = page.get_by_role("row").filter(has_text="Attention, last layer")
    expect(row).to_contain_text(f"{rank} of 16")
    expect(page.get_by_role("row")).to_have_count(1 + len(EVIDENCE))
    app.settled()
    expect(page).to_have_url(re.compile("whypatch=6"))
    root.locator(".sheet").press("Escape")
    expect(page.get_by_text("in every method")).to_have_count(0)


def test_swin_says_which_methods_are_not_for_it(app, folders):
    page = opened(app, model=str(folders["swin"]))
    expect(page.get_by_text("looks within windows").first).to_be_visible(timeout=60_000)
    swin = core.load(folders["swin"])
    assert isinstance(swin, VisionModel)
    answer = ClassTarget(ranked(swin)[0])
    quick = [swin.evidence(PICTURE, name, answer) for name in ("random", "uniform", "gradcam")]
    expect_sums(figure(page, "quick"), quick)
    figure(page, "quick").get_by_role("button", name="GradCAM: choose").click()
    expect_sums(figure(page, "map"), quick[2:])
    expect(page.get_by_text("Not for this model:")).to_contain_text("Attention rollout")


def test_every_map_is_exported(app, folders, model):
    page = opened(app, model=str(folders["vit"]), against="1", **{"class": "3"})
    expected = {
        method.id: model.evidence(PICTURE, method.id, ClassTarget(3), ClassTarget(1))
        for method in EVIDENCE
    }
    expect_sums(figure(page, "slow"), [expected["integrated-gradients"], expected["occlusion"]])
    with page.expect_download() as handed:
        page.get_by_role("button", name="NPZ").click()
    with np.load(handed.value.path()) as arrays:
        for name, values in expected.items():
            np.testing.assert_allclose(arrays[name], values, atol=1e-6, err_msg=name)
        assert arrays["picture"].shape == (32, 32, 3)
        assert f"{CLASSES[3]} against {CLASSES[1]}" in str(arrays["caption"])
    with page.expect_download() as handed:
        page.get_by_role("button", name="CSV").click()
    lines = Path(handed.value.path()).read_text("utf-8").splitlines()
    table = list(csv.DictReader(io.StringIO("\n".join(lines[1:]))))
    assert len(table) == 16 * len(EVIDENCE)
    last = table[-1]
    assert (last["method"], last["row"], last["column"]) == ("occlusion", "3", "3")
    assert float(last["evidence"]) == pytest.approx(float(expected["occlusion"][3, 3]), abs=1e-6)


def test_nonsense_in_a_link_and_a_model_without_classes(app, folders, model):
    page = opened(
        app,
        model=str(folders["vit"]),
        against="x",
        method="magic",
        patch="99",
        **{"class": "77"},
    )
    answer = ClassTarget(ranked(model)[0])
    expect_sums(figure(page, "map"), [model.evidence(PICTURE, "relevance", answer)])
    expect(figure(page, "map")).to_have_attribute("data-selected", "-1")
    page = app.open("vision", view="why", model=str(folders["headless"]))
    expect(page.get_by_text("knows no classes")).to_be_visible(timeout=60_000)
