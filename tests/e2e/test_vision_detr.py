"""Set prediction: slots and their looks, the matching on a scene, and on the reader's own boxes."""

import json
import re

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, Position, expect

import core
from core.data.synthetic_scenes import SHAPES, make_scene
from core.explain.objectives.hungarian_matching import (
    greedy_assignment,
    matching_costs,
    optimal_assignment,
)
from core.trace import AttentionKind
from tests.e2e.conftest import App

SEED = 7
RIVALS = "objects=0,0.3,0.45,0.3,0.3;0,0.55,0.5,0.3,0.34"
GUESSES = "dpred=0,0.9,0.42,0.47,0.3,0.32;0,0.6,0.14,0.45,0.26,0.3"


@pytest.fixture(scope="module")
def model():
    return core.load("detr-mini", device="cpu")


def figure(page: Page, name: str) -> Locator:
    return page.locator(f".st-key-vision-detr-{name} .gf").first


def point_in(root: Locator, x: float, y: float) -> Position:
    """Where a share of the picture stands on the canvas."""
    expect(root).to_have_attribute("data-geometry", re.compile(r"\d"))
    top, wide, high = json.loads(root.get_attribute("data-geometry") or "")
    return {"x": x * wide, "y": top + y * high}


def canvas(root: Locator) -> Locator:
    return root.locator(".stack canvas").first


def test_a_click_on_a_box_shows_where_its_slot_looks(app: App, model):
    found = model.detect(SEED)
    layers = model.trace(SEED).layers[AttentionKind.CROSS]
    claims = np.flatnonzero(found.probabilities.argmax(1) < len(SHAPES))
    surest = int(found.probabilities[:, :-1].max(1).argmax())
    slot = int(next(claim for claim in claims if claim != surest))
    page = app.open(f"vision?view=detr&seed={SEED}")
    boxes = figure(page, "boxes")
    expect(boxes).to_have_attribute("data-selected", str(surest))
    expect(page.get_by_text(f"{len(claims)} of 10 slots claim an object")).to_be_visible()
    x, y = found.boxes[slot, :2].tolist()
    canvas(boxes).click(position=point_in(boxes, x, y))
    expect(boxes).to_have_attribute("data-selected", str(slot))
    look = figure(page, "look")
    expect(look.get_by_label(re.compile(f"^Where slot {slot} looks: layer 2, mean")).first)
    largest = float(layers[-1].weights.mean(axis=0)[slot].max())
    expect(page.get_by_text(f"largest {largest:.3g}"[:12]).first).to_be_visible()
    heads = figure(page, "heads")
    heads.locator("button.sheet").nth(5).click()  # layer 1, head 1
    expect(heads.locator("button.sheet").nth(5)).to_have_class(re.compile("lit"))
    expect(page.get_by_text("After decoder layer 1:")).to_be_visible()
    expect(page).to_have_url(re.compile(f"dslot={slot}"))


def test_the_encoder_shows_both_directions_of_a_place(app: App, model):
    weights = model.trace(SEED).attention(1, kind=AttentionKind.ENCODER).weights.mean(axis=0)
    page = app.open(f"vision?view=detr&part=encoder&seed={SEED}")
    place = figure(page, "place")
    expect(place).to_have_attribute("data-patches", re.compile(r"\d"))
    ((top, wide, high),) = json.loads(place.get_attribute("data-patches") or "")
    at: Position = {"x": 2.5 * wide, "y": top + 1.5 * high}  # row 2, column 3
    place.locator("canvas").first.click(position=at)
    expect(page.get_by_text("Row 2, column 3 of 8 × 8 places")).to_be_visible()
    shown = figure(page, "encoder-map")
    expect(shown).to_have_attribute("data-painted", "8 x 8, sum 1.000")
    page.get_by_role("radio", name="who looks at it").click()
    column = float(weights[:, 10].sum())
    expect(shown).to_have_attribute("data-painted", f"8 x 8, sum {column:.3f}")


def test_a_scene_is_matched_as_the_core_matches_it(app: App, model):
    scene, found = make_scene(SEED), model.detect(SEED)
    costs = matching_costs(found.probabilities, found.boxes, scene.labels, scene.boxes)
    page = app.open(f"vision?view=detr&part=matching&seed={SEED}")
    matrix = figure(page, "costs")
    rows, columns = costs.total.shape
    total = float(costs.total.astype(np.float32).sum())
    expect(matrix).to_have_attribute(
        "data-painted", re.compile(rf"{rows} x {columns}, sum {total:.1f}")
    )
    unmatched = rows - columns
    expect(page.get_by_text(f"{unmatched} of {rows} slots got no object")).to_be_visible()
    page.get_by_role("button", name="class", exact=True).click()
    part = float((costs.apart + costs.outside).astype(np.float32).sum())
    expect(matrix).to_have_attribute(
        "data-painted", re.compile(rf"{rows} x {columns}, sum {part:.1f}")
    )


def test_slots_are_counted_over_many_scenes(app: App, model):
    found = model.slot_boxes(50)
    claims = (found.probabilities.argmax(-1) < len(SHAPES)).mean(axis=0)
    page = app.open("vision?view=detr&part=slots&scenes=50")
    for slot in (0, 5):
        expect(page.get_by_text(f"slot {slot} · {claims[slot]:.0%}")).to_be_visible()


def test_greedy_is_dearer_for_two_rivals_and_a_drag_ends_it(app: App):
    boxes = np.array([[0.42, 0.47, 0.3, 0.32], [0.14, 0.45, 0.26, 0.3]])
    things = np.array([[0.3, 0.45, 0.3, 0.3], [0.55, 0.5, 0.3, 0.34]])
    chances = np.array([[0.9, *[0.025] * 4], [0.6, *[0.1] * 4]])
    costs = matching_costs(chances, boxes, np.array([0, 0]), things).total
    optimal, greedy = optimal_assignment(costs), greedy_assignment(costs)
    assert optimal.slots != greedy.slots
    page = app.open(f"vision?view=detr&part=own&{RIVALS}&{GUESSES}")
    more = f"{greedy.cost - optimal.cost:.3g} dearer"
    expect(page.get_by_text(more)).to_be_visible()
    own = figure(page, "own")
    canvas(own).click(position=point_in(own, 0.05, 0.55))  # slot 1 alone stands there
    expect(own).to_have_attribute("data-selected", "3")
    own.locator(".stack").press("ArrowRight")
    expect(page).to_have_url(re.compile(r"dpred=.*0\.15"))
    grip, goal = point_in(own, 0.06, 0.55), point_in(own, 0.06, 0.85)
    canvas(own).drag_to(canvas(own), source_position=grip, target_position=goal)
    expect(page).not_to_have_url(re.compile(r"dpred=.*0\.15(,|%2C)0\.45"))
    after = json.loads(own.get_attribute("data-boxes") or "[]")
    np.testing.assert_allclose(after[:3], [*things, boxes[0]], atol=1e-6)
    np.testing.assert_allclose(after[3], [0.15, 0.75, 0.26, 0.3], atol=0.02)
    page.get_by_role("button", name="no overlap at all").click()
    expect(figure(page, "costs")).to_have_attribute("data-painted", re.compile("^2 x 1"))


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("dpred=0,0.9,0.4,0.4,0,0.3", "Prediction 1: width is 0; give a share of the picture"),
        ("dpred=0,0.9,0.4,0.4,0.2,0.3", "2 objects and 1 predictions"),
    ],
)
def test_boxes_that_can_not_be_are_told(app: App, query: str, message: str):
    page = app.open(f"vision?view=detr&part=own&{query}")
    expect(page.get_by_text(message)).to_be_visible()
