"""Why this class: every method's map is the model's, for any class and against another."""

import csv
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from io import BytesIO

import numpy as np
import pytest

from app.views.vision.why import asking, maps
from core import ClassTarget
from core.explain.attribution.registry import EVIDENCE
from core.models.attribution import methods
from tests.pages.page import Page
from tests.pages.vision.shown import PICTURE, Folders, drawn, expect_drawn, loaded, opened
from tests.tiny_pictures import CLASSES

QUICK = [m.id for m in EVIDENCE if m.id not in ("integrated-gradients", "occlusion")]


def ranked(model) -> list[int]:
    return [int(index) for index in np.argsort(-model.trace(PICTURE).logits)]


def expect_row(page: Page, row: str, maps: list[np.ndarray]) -> None:
    for index, values in enumerate(maps):
        expect_drawn(page, f"why.{row}", values, index)
    assert len(page.figures[f"vision.why.{row}"].header["figures"]) == len(maps)


def test_all_methods_stand_side_by_side_with_random_and_uniform(folders: Folders):
    page, model = opened("why", folders["vit"]), loaded(folders["vit"])
    answer = ClassTarget(ranked(model)[0])
    maps = {method.id: model.evidence(PICTURE, method.id, answer) for method in EVIDENCE}
    expect_drawn(page, "why.map", maps["relevance"])
    expect_row(page, "quick", [maps[name] for name in QUICK])
    expect_row(page, "slow", [maps["integrated-gradients"], maps["occlusion"]])
    titles = [one["title"] for one in page.figures["vision.why.quick"].header["figures"]]
    assert {"Random *", "Uniform *", "Attention rollout *", "Generic relevance"} <= set(titles)
    page.fire("vision.why.slow", 1)
    expect_drawn(page, "why.map", maps["occlusion"])
    assert f" on {int((maps['occlusion'] > 0).sum())} patches · against" in page.text
    assert page.link["method"] == "occlusion"


def test_another_class_and_one_against_another(folders: Folders):
    page, model = opened("why", folders["vit"]), loaded(folders["vit"])
    first, second, third = ranked(model)[:3]
    page.fire("vision.why.classes", 1)
    expect_drawn(page, "why.map", model.evidence(PICTURE, "relevance", ClassTarget(second)))
    page.selectbox(key="vision.why.against:options").set_value(third).run()
    two = [name for name in QUICK if name != "lrp"]
    contrast = [
        model.evidence(PICTURE, name, ClassTarget(second), ClassTarget(third)) for name in two
    ]
    expect_row(page, "quick", contrast)
    assert "Not here: LRP through attention. LRP starts with relevance 1 on one class" in page.text
    rollout = two.index("rollout")  # what knows no class stays as it is
    np.testing.assert_array_equal(
        contrast[rollout], model.evidence(PICTURE, "rollout", ClassTarget(first))
    )
    assert page.link.items() >= {"class": str(second), "against": str(third)}.items()


def test_a_patch_is_read_in_every_method(folders: Folders):
    page = opened("why", folders["vit"], method="raw-attention")
    values = loaded(folders["vit"]).evidence(PICTURE, "raw-attention", ClassTarget(0))
    expect_drawn(page, "why.map", values)
    page.choose("vision.why.map", 6)
    assert "The patch in row 1, column 2, in every method" in page.text
    rank = 1 + int((values > values[1, 2]).sum())
    table = next(each.value for each in page.markdown if each.value.startswith("| method"))
    lines = table.splitlines()
    assert len(lines) == 2 + len(EVIDENCE)
    assert any("Attention, last layer" in line and f"{rank} of 16" in line for line in lines)
    assert page.link["patch"] == "6"
    page.choose("vision.why.map", -1)
    assert "in every method**" not in page.text


def test_swin_says_which_methods_are_not_for_it(folders: Folders):
    page, swin = opened("why", folders["swin"]), loaded(folders["swin"])
    assert "looks within windows" in page.notices
    answer = ClassTarget(ranked(swin)[0])
    quick = [swin.evidence(PICTURE, name, answer) for name in ("random", "uniform", "gradcam")]
    expect_row(page, "quick", quick)
    assert "Not here: Attention, last layer, Attention rollout" in page.text
    assert "LRP through attention" in page.text.split("Not here: ")[1]
    page.fire("vision.why.quick", 2)
    expect_drawn(page, "why.map", quick[2])


def test_every_map_is_exported(folders: Folders):
    page = opened("why", folders["vit"], against="1", **{"class": "3"})
    model = loaded(folders["vit"])
    asked = [m.id for m in EVIDENCE if m.id != "lrp"]
    expected = {
        name: model.evidence(PICTURE, name, ClassTarget(3), ClassTarget(1)) for name in asked
    }
    with np.load(BytesIO(page.file("evidence-for-a-class.npz"))) as arrays:
        for name, values in expected.items():
            np.testing.assert_allclose(arrays[name], values, atol=1e-6, err_msg=name)
        assert arrays["picture"].shape == (32, 32, 3)
        assert f"{CLASSES[3]} against {CLASSES[1]}" in str(arrays["caption"])
    lines = page.file("evidence-for-a-class.csv").decode().splitlines()
    table = list(csv.DictReader(lines[1:]))
    assert len(table) == 16 * len(asked)
    last = table[-1]
    assert (last["method"], last["row"], last["column"]) == ("occlusion", "3", "3")
    assert float(last["evidence"]) == pytest.approx(float(expected["occlusion"][3, 3]), abs=1e-6)


def test_a_class_or_patch_that_is_not_there_and_a_model_without_classes(folders: Folders):
    page = opened("why", folders["vit"], patch="99", **{"class": "77"})
    model = loaded(folders["vit"])
    answer = ClassTarget(ranked(model)[0])
    expect_drawn(page, "why.map", model.evidence(PICTURE, "relevance", answer))
    assert drawn(page, "why.map").shape == (4, 4)
    assert "patch" not in page.link
    assert "knows no classes" in opened("why", folders["headless"]).notices


def test_another_cam_takes_gradcams_place(folders: Folders):
    page, model = opened("why", folders["vit"], method="gradcam"), loaded(folders["vit"])
    answer = ClassTarget(ranked(model)[0])
    expect_drawn(page, "why.map", model.evidence(PICTURE, "gradcam", answer))
    page.selectbox(key="vision.why.cam").set_value("layercam").run()
    expect_drawn(page, "why.map", model.evidence(PICTURE, "layercam", answer))
    row = ["layercam" if name == "gradcam" else name for name in QUICK]
    expect_row(page, "quick", [model.evidence(PICTURE, name, answer) for name in row])
    assert page.link.items() >= {"method": "gradcam", "cam": "layercam"}.items()
    with np.load(BytesIO(page.file("evidence-for-a-class.npz"))) as arrays:
        assert "layercam" in arrays
        assert "gradcam" not in arrays
    page.fire("vision.why.quick", row.index("rollout"))
    page.fire("vision.why.quick", row.index("layercam"))
    expect_drawn(page, "why.map", model.evidence(PICTURE, "layercam", answer))


def test_each_map_is_drawn_before_the_next_is_there(
    folders: Folders, monkeypatch: pytest.MonkeyPatch
):
    """Occlusion is held back until the chosen map and the quick ones stand on the page."""
    steps: list[str] = []
    shown = {"large": threading.Event(), "quick": threading.Event()}
    draw_large, draw_small = maps.large_map, maps.small_maps

    def large(*args):
        figure = draw_large(*args)
        steps.append("large")
        shown["large"].set()
        return figure

    def small(chosen, asked, answers, row):
        draw_small(chosen, asked, answers, row)
        awaited = [name for name in answers.awaited if name in QUICK]
        if row == "quick" and not awaited:
            steps.append("quick")
            shown["quick"].set()

    def after(event, name):
        make = methods.MAKERS[name]

        def made(question):
            assert event.wait(20), f"the page waits for {name} before it draws"
            return make(question)

        return made

    held = {name: after(shown["large"], name) for name in QUICK if name != "relevance"}
    held["occlusion"] = after(shown["quick"], "occlusion")
    monkeypatch.setattr(methods, "MAKERS", {**methods.MAKERS, **held})
    monkeypatch.setattr(maps, "large_map", large)
    monkeypatch.setattr(maps, "small_maps", small)
    page = opened("why", folders["vit"], picture="coffee")
    assert steps == ["large", "quick"]
    expect_row(page, "quick", [page_map(page, name) for name in QUICK])
    assert not any("before" in key for key in page.figures)


def page_map(page: Page, name: str) -> np.ndarray:
    with np.load(BytesIO(page.file("evidence-for-a-class.npz"))) as arrays:
        return arrays[name]


def test_what_is_still_to_come_is_a_dim_picture(folders: Folders, monkeypatch: pytest.MonkeyPatch):
    """A page that is left half-way: its maps are drawn no more, and asked of nobody."""
    monkeypatch.setattr(asking.arrived.progress, "arrivals", lambda _: iter([None]))
    monkeypatch.setattr(asking.engine, "wanted", never)
    page = opened("why", folders["vit"], picture="rocket")
    (large,) = page.figures["vision.why.map.before.relevance"].header["figures"]
    assert large["title"] == "Generic relevance …"
    names = [
        one["title"]
        for one in page.figures[f"vision.why.quick.before{len(QUICK)}"].header["figures"]
    ]
    assert all(name.endswith(" …") for name in names)
    assert len(names) == len(QUICK)


@contextmanager
def never(requests: Mapping[str, object]) -> Iterator[dict[str, Future[object]]]:
    yield {name: Future() for name in requests}
