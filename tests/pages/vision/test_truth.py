"""Explanations put to the test: every number shown is the core's."""

import re
from io import BytesIO

import numpy as np

from app.services.vision import sample
from core.data.pointing_game import Layout, collage, half
from core.explain.attribution.localization import mass_inside
from core.explain.attribution.perturbation_curves import area, hidden_sets
from core.explain.attribution.rank_correlation import rank_correlation
from core.interventions import HidePatches
from core.targets import ClassTarget
from tests.pages.page import Page
from tests.pages.vision.shown import PICTURE, Folders, line_of, loaded, opened
from tests.printed import NUMBER, follows, numbers, value

RELEVANCE = "Generic relevance"
STEPS = np.linspace(0, 1, 11)


def curves(model, method: str, index: int, fill: str) -> list[np.ndarray]:
    """The class's probabilities as its most, then its least relevant patches are hidden."""
    evidence = model.evidence(PICTURE, method, ClassTarget(index))
    return [
        model.measure(PICTURE, [(HidePatches(one, fill),) for one in sets], ClassTarget(index))
        for sets in hidden_sets(evidence, STEPS)
    ]


def are_told(page: Page, values: list[np.ndarray]) -> bool:
    """Both areas, and their difference, which follows from them as they are printed."""
    most, least = (100 * area(STEPS[:10], v[:10].astype(float)) for v in values)
    told = re.findall(rf"\| ({NUMBER}) \| ({NUMBER}) \| ({NUMBER}) \|", line_of(page, RELEVANCE))
    ((up, down, gap),) = told
    assert follows(value(down) - value(up), gap)
    return follows(most, up) and follows(least, down)


def test_hiding_what_a_map_names_is_measured_by_the_model(folders: Folders):
    model = loaded(folders["vit"])
    best = int(model.trace(PICTURE).logits.argmax())
    page = opened("truth", folders["vit"], hidden="40")
    assert are_told(page, curves(model, "relevance", best, "mean"))
    assert line_of(page, "Random order")
    assert "Most relevant first**, 40 % hidden" in page.text
    names = [trace["name"] for trace in page.charts[0]["data"]]
    assert "Generic relevance, least relevant first" in names
    page.button_group(key="vision.truth.hide.fill").set_value("blur").run()
    blurred = curves(model, "relevance", best, "blur")
    assert are_told(page, blurred)
    assert page.link["fill"] == "blur"
    with np.load(BytesIO(page.file("perturbation-curves.npz"))) as arrays:
        for way, values in zip(("most", "least"), blurred, strict=True):
            found = arrays[f"generic_relevance_{way}_relevant_first"]
            np.testing.assert_allclose(found, values, atol=1e-5)


def test_a_methods_two_curves_have_one_colour(folders: Folders):
    random, *pairs = opened("truth", folders["vit"]).charts[0]["data"]
    for solid, dotted in zip(pairs[::2], pairs[1::2], strict=True):
        assert dotted["line"]["color"] == solid["line"]["color"] != random["line"]["color"]
        assert dotted["marker"]["symbol"] == f"{solid['marker']['symbol']}-open"
        assert (solid["line"]["dash"], dotted["line"]["dash"]) == ("solid", "dot")


def test_a_collages_halves_are_asked_for_their_own_class(folders: Folders):
    model = loaded(folders["vit"])
    image = collage(PICTURE, sample("coffee").convert("RGB"), Layout.STACKED)
    link = {"part": "objects", "other_picture": "coffee", "layout": "stacked"}
    classes = {"class": "0", "other_class": "2"}
    page = opened("truth", folders["vit"], **link, **classes)
    shares = [
        mass_inside(
            model.evidence(image, "relevance", ClassTarget(index)),
            half(4, 4, Layout.STACKED, first=first),
        )
        for index, first in ((0, True), (2, False))
    ]
    *halves, mean = numbers(line_of(page, "Generic relevance"))
    assert all(follows(100 * share, told) for share, told in zip(shares, halves, strict=True))
    assert follows(sum(map(value, halves)) / 2, mean)
    for blind in ("Attention rollout", "Random", "Uniform"):
        assert line_of(page, blind).endswith("50.0 % |")
    assert "Asked for **car**, which stands below" in page.text
    page.selectbox(key="vision.truth.objects.other_class:options").set_value(0).run()
    assert "no map can tell them apart" in page.notices


def test_random_weights_change_what_explains_the_class_alone(folders: Folders):
    model = loaded(folders["vit"])
    target = ClassTarget(int(model.trace(PICTURE).logits.argmax()))
    page = opened("truth", folders["vit"], part="weights", blocks="0")
    assert "| 1.00 | the same order of patches" in line_of(page, "Attention rollout")
    fresh = model.randomised_evidence(PICTURE, "relevance", target, blocks=0, seed=0)
    value = rank_correlation(model.evidence(PICTURE, "relevance", target), fresh.evidence)
    assert f"| {value:.2f} |".replace("-", "−") in line_of(page, "Generic relevance")
    page.toggle(key="vision.truth.weights.depths").set_value(True).run()
    assert len(page.charts[0]["data"]) == 2
    assert page.link["depths"] == "1"


def test_a_swin_says_which_methods_it_can_not_be_asked_with(folders: Folders):
    page = opened("truth", folders["swin"], methods="relevance,occlusion")
    assert line_of(page, "Occlusion")
    assert "Generic relevance. " in page.text
    assert "looks within windows" in page.text


def test_a_model_without_classes_is_declined(folders: Folders):
    for part in ("hide", "objects", "weights"):
        assert "knows no classes" in opened("truth", folders["headless"], part=part).notices
