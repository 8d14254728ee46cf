"""Set prediction: slots and their looks, the matching on a scene, and on the reader's own boxes."""

import numpy as np
import pytest
from PIL import Image

from app.services.vision import sample, upload
from core.data.synthetic_scenes import SHAPES, make_scene
from core.explain.objectives.hungarian_matching import (
    greedy_assignment,
    matching_costs,
    optimal_assignment,
)
from core.trace import AttentionKind
from tests.pages.page import Page
from tests.pages.vision.shown import Folders, expect_drawn, loaded
from tests.pages.vision.test_pictures import encoded, give

SEED = 7
RIVALS = "0,0.3,0.45,0.3,0.3;0,0.55,0.5,0.3,0.34"
GUESSES = "0,0.9,0.42,0.47,0.3,0.32;0,0.6,0.14,0.45,0.26,0.3"


def opened(part: str, **link: str) -> Page:
    return Page("vision", view="detr", part=part, **link)


@pytest.fixture(scope="module")
def model():
    return loaded("detr-mini")


def test_a_click_on_a_box_shows_where_its_slot_looks(model):
    found = model.detect(SEED)
    layers = model.trace(SEED).layers[AttentionKind.CROSS]
    claims = np.flatnonzero(found.probabilities.argmax(1) < len(SHAPES))
    surest = int(found.probabilities[:, :-1].max(1).argmax())
    slot = int(next(claim for claim in claims if claim != surest))
    page = opened("queries", seed=str(SEED))
    assert page.figures["vision.detr.boxes"].header["selection"]["value"] == surest
    assert f"{len(claims)} of 10 slots claim an object" in page.text
    page.choose("vision.detr.boxes", slot)
    look = page.figures["vision.detr.look"].arrays["values"]
    expected = layers[-1].weights.mean(axis=0)[slot]
    np.testing.assert_allclose(look.ravel(), expected, atol=1e-6)
    page.fire("vision.detr.heads", 5)  # layer 1, head 1
    assert "After decoder layer 1:" in page.text
    assert page.link.items() >= {"slot": str(slot), "layer": "1", "head": "1"}.items()


def test_the_encoder_shows_both_directions_of_a_place(model):
    weights = model.trace(SEED).attention(1, kind=AttentionKind.ENCODER).weights.mean(axis=0)
    page = opened("encoder", seed=str(SEED))
    page.choose("vision.detr.encoder.place", 10)
    assert "Row 1, column 2 of 8 × 8 places" in page.text
    expect_drawn(page, "detr.encoder.map", weights[10])
    page.button_group(key="vision.detr.encoder.direction").set_value("to").run()
    expect_drawn(page, "detr.encoder.map", weights[:, 10])
    assert page.link.items() >= {"token": "10", "direction": "to"}.items()


def test_a_scene_is_matched_as_the_core_matches_it(model):
    scene, found = make_scene(SEED), model.detect(SEED)
    costs = matching_costs(found.probabilities, found.boxes, scene.labels, scene.boxes)
    page = opened("matching", seed=str(SEED))
    matrix = page.figures["vision.detr.costs"].arrays["values"]
    np.testing.assert_allclose(matrix, costs.total, atol=1e-5)
    rows, columns = costs.total.shape
    assert f"{rows - columns} of {rows} slots got no object" in page.text
    page.button_group(key="vision.detr.terms:options").set_value(["L1", "GIoU"]).run()
    matrix = page.figures["vision.detr.costs"].arrays["values"]
    np.testing.assert_allclose(matrix, costs.apart + costs.outside, atol=1e-5)
    assert page.link["terms"] == "L1,GIoU"
    page.choose("vision.detr.costs", [1, 0])
    assert "**Slot 1 with 1:" in page.text
    assert page.link["cell"] == "1.0"


def test_slots_are_counted_over_many_scenes(model):
    found = model.slot_boxes(50)
    page = opened("slots", scenes="50")
    (chart,) = page.charts
    titles = [each["text"] for each in chart["layout"]["annotations"]]
    assert titles == [f"slot {i} · {share:.0%}" for i, share in enumerate(found.claim_shares)]
    dots = sum(len(trace["x"]["bdata"]) for trace in chart["data"] if "bdata" in trace["x"])
    assert dots > 0
    assert len(page.file("slots.csv").splitlines()) == 2 + 50 * len(titles)


def test_greedy_is_dearer_for_two_rivals_and_a_drag_ends_it():
    boxes = np.array([[0.42, 0.47, 0.3, 0.32], [0.14, 0.45, 0.26, 0.3]])
    things = np.array([[0.3, 0.45, 0.3, 0.3], [0.55, 0.5, 0.3, 0.34]])
    chances = np.array([[0.9, *[0.025] * 4], [0.6, *[0.1] * 4]])
    costs = matching_costs(chances, boxes, np.array([0, 0]), things).total
    optimal, greedy = optimal_assignment(costs), greedy_assignment(costs)
    assert optimal.slots != greedy.slots
    page = opened("own", objects=RIVALS, predictions=GUESSES)
    assert f"{greedy.cost - optimal.cost:.3g} dearer" in page.text
    moved = [*things.tolist(), boxes[0].tolist(), [0.15, 0.75, 0.26, 0.3]]
    page.choose("vision.detr.own", moved)
    assert page.link["predictions"] == "0,0.9,0.42,0.47,0.3,0.32;0,0.6,0.15,0.75,0.26,0.3"
    page.button_group(key="vision.detr.example").set_value("no overlap at all").run()
    assert page.figures["vision.detr.costs"].arrays["values"].shape == (2, 1)


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ({"predictions": "0,0.9,0.4,0.4,0,0.3"}, "Prediction 1: width is 0; give a share of the"),
        ({"predictions": "0,0.9,0.4,0.4,0.2,0.3"}, "2 objects and 1 predictions"),
        ({"objects": "", "predictions": ""}, "There is no prediction: add a row to the table."),
    ],
)
def test_boxes_that_can_not_be_are_told(link: dict[str, str], message: str):
    assert message in opened("own", **link).notices


def test_without_a_detector_the_own_boxes_are_named(monkeypatch: pytest.MonkeyPatch):
    from app.services import models

    monkeypatch.setattr(models, "cards", lambda *_: ())
    page = opened("queries")
    assert "No detector is on board" in page.notices
    assert "“Your own boxes”" in page.notices


@pytest.mark.parametrize("part", ["queries", "encoder", "slots"])
def test_transformers_own_layout(folders: Folders, part: str):
    page = opened(part, model=str(folders["transformers-detr"]))
    assert page.link["model"] == str(folders["transformers-detr"])
    if part == "queries":
        found = loaded(folders["transformers-detr"]).detect(SEED)
        claims = int((found.probabilities.argmax(1) < 5).sum())
        assert f"{claims} of 4 slots claim an object" in page.text
        assert "house" in str(page.figures["vision.detr.answer"].header)


def test_classes_that_are_not_the_scenes_can_t_be_matched(folders: Folders):
    page = opened("matching", model=str(folders["transformers-detr"]))
    assert "its 5 classes are not circle, square, triangle, star" in page.notices
    assert "vision.detr.matched" not in page.figures


def test_the_detector_of_scenes_says_that_it_knows_no_photographs(model):
    found = model.detect(sample("astronaut"))
    page = opened("queries", of="picture", picture="astronaut")
    assert (
        "knows 4 classes, circle, square, triangle, star: what it says of a photograph is no"
        in (page.text)
    )
    claims = int((found.probabilities.argmax(1) < len(SHAPES)).sum())
    assert f"{claims} of 10 slots claim an object." in page.text
    assert "astronaut" in str(page.figures["vision.detr.boxes"].header)
    assert page.link.items() >= {"of": "picture", "picture": "astronaut"}.items()


def test_a_picture_that_is_not_square_is_seen_around_its_middle(folders: Folders):
    model = loaded(folders["transformers-detr"])
    expected = model.trace(sample("chelsea")).attention(0, kind=AttentionKind.ENCODER)
    page = opened(
        "encoder", model=str(folders["transformers-detr"]), of="picture", picture="chelsea",
        layer="0", token="0",
    )  # fmt: skip
    assert "Seen is the square around the picture’s middle." in page.text
    assert "no finding" not in page.text
    expect_drawn(page, "detr.encoder.map", expected.weights.mean(axis=0)[0])


def test_a_pictures_slots_have_nothing_to_be_matched_with():
    page = opened("matching", of="picture")
    assert "Nobody has drawn this picture’s true boxes" in page.notices
    assert "vision.detr.matched" not in page.figures


def test_slots_are_counted_over_scenes_whatever_picture_is_chosen():
    page = opened("slots", of="picture", scenes="50")
    assert "Counted over generated scenes, whichever picture is chosen above." in page.text


def test_the_readers_own_picture_is_detected_in(model):
    page = opened("queries", of="picture")
    own = Image.new("RGB", (90, 60), (200, 30, 30))
    give(page, "own.png", encoded(own, "PNG"))
    found = model.detect(upload(own))
    np.testing.assert_array_equal(found.picture[0, 0], (200, 30, 30))
    chances = page.figures["vision.detr.answer"].header
    assert "your picture" in str(chances)
