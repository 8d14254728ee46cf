"""detr-mini's recipe: the loss is the paper's, it falls, and its figures mean what they say."""

from copy import deepcopy

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torchvision.ops import box_convert, generalized_box_iou

from core.data.synthetic_scenes import make_scene
from core.explain.objectives import hungarian_matching
from core.models.load import load
from core.models.vision.detr_network import Detections
from core.training import detr_mini, evaluate
from core.training.common.card import Run, read_metrics
from core.training.common.loop import train
from core.training.detection import export, measure, recipe
from core.training.detection.loss import assign, generalised_iou, matching_costs, set_loss
from core.training.detection.measure import Answer, average_precision, figures_of
from core.training.detection.network import build
from core.training.detection.pool import draw_pool, turned
from core.training.detection.recipe import DetectionRecipe
from tests.tiny_detector import SHAPE


def some_detections(scenes: int, slots: int = 6, layers: int = 2) -> Detections:
    torch.manual_seed(0)
    boxes = torch.rand(layers, scenes, slots, 4) * 0.8 + 0.1
    return Detections(torch.randn(layers, scenes, slots, 5), boxes)


def test_the_loss_is_the_explainers_slot_by_slot():
    """The class loss is a weighted mean over all slots, the boxes' a mean over the objects."""
    pool, found = draw_pool(range(3), 16), some_detections(3)
    total = 0.0
    objects = int(pool.present.sum())
    for layer in range(2):
        named = weights = apart = 0.0
        for row in range(3):
            scene = make_scene(row)
            chances = found.logits[layer, row].softmax(-1).numpy()
            costs = hungarian_matching.matching_costs(
                chances, found.boxes[layer, row].numpy(), scene.labels, scene.boxes
            )
            chosen = hungarian_matching.optimal_assignment(costs.total)
            losses = hungarian_matching.hungarian_loss(chances, costs, scene.labels, chosen)
            named += sum(loss.named for loss in losses)
            weights += sum(0.1 if loss.target is None else 1.0 for loss in losses)
            apart += sum(loss.apart + loss.outside for loss in losses)
        total += named / weights + apart / objects
    flat = [found.logits[layer] for layer in range(2)]
    assert len(flat) == 2
    assert float(set_loss(found, pool.boxes, pool.labels, pool.present)) == pytest.approx(
        total, rel=0.02
    )  # the recipe's mean runs over both layers at once


def test_the_matching_is_the_explainers():
    pool, found = draw_pool(range(4), 16), some_detections(4, layers=1)
    costs = matching_costs(found, pool.boxes, pool.labels)
    chosen = assign(costs, pool.present)
    for row in range(4):
        scene = make_scene(row)
        chances, boxes = found.logits[0, row].softmax(-1).numpy(), found.boxes[0, row].numpy()
        told = hungarian_matching.matching_costs(chances, boxes, scene.labels, scene.boxes)
        count = len(scene.shapes)
        np.testing.assert_allclose(costs[0, row, :, :count].numpy(), told.total, atol=1e-5)
        best = hungarian_matching.optimal_assignment(told.total)
        assert tuple(chosen[0, row, :count].tolist()) == best.slots


sides = st.floats(0.01, 1)
box = st.tuples(st.floats(0, 1), st.floats(0, 1), sides, sides)


@given(st.lists(box, min_size=1, max_size=5), st.lists(box, min_size=1, max_size=5))
def test_both_giou_are_torchvisions(one: list[tuple[float, ...]], other: list[tuple[float, ...]]):
    boxes = [torch.tensor(given, dtype=torch.float64) for given in (one, other)]
    corners = [box_convert(given, "cxcywh", "xyxy") for given in boxes]
    expected = generalized_box_iou(*corners)
    pairs = generalised_iou(boxes[0][:, None], boxes[1][None])
    np.testing.assert_allclose(pairs, expected, atol=1e-9)
    explained = hungarian_matching.generalised_iou(boxes[0].numpy(), boxes[1].numpy())
    np.testing.assert_allclose(explained, expected, atol=1e-9)


def test_boxes_turn_with_their_pictures():
    """In all eight positions, a drawn shape is still where its box says."""
    torch.manual_seed(0)
    pool = draw_pool(range(1), 48)
    empty = draw_pool(range(1), 48).pictures.float().median(dim=-1).values.median(dim=-1).values
    seen = set()
    for _ in range(40):
        batch = turned(pool)
        x, y, width, height = (float(n) * 48 for n in batch.boxes[0, 0])
        inside = batch.pictures[0, :, round(y - 2) : round(y + 3), round(x - 2) : round(x + 3)]
        seen.add((round(x), round(y), round(width), round(height)))
        assert (inside.float().mean(dim=(1, 2)) - empty[0]).abs().sum() > 40
    assert len(seen) > 4


@pytest.fixture(scope="module")
def trained():
    torch.manual_seed(0)
    made = DetectionRecipe(build(SHAPE), device="cpu", scenes=64, batch_size=32)
    return made, [made.step(0.1) for _ in range(60)]


def test_the_loss_falls(trained):
    _, losses = trained
    assert np.mean(losses[-10:]) < np.mean(losses[:10]) - 0.7


def test_a_training_goes_on_where_it_was(trained):
    made, _ = trained
    state = deepcopy(made.state())
    first = made.step(0.5)
    made.restore(state)
    assert made.step(0.5) == pytest.approx(first, rel=1e-3)


def test_what_ships_opens_and_has_a_true_card(tmp_path, monkeypatch):
    monkeypatch.setattr(measure, "HELD_OUT", 6)
    monkeypatch.setattr(export, "SHAPE", SHAPE)
    monkeypatch.setattr(measure, "answers", lambda folder: few(folder, 6))
    torch.manual_seed(0)
    network = build(SHAPE)
    made = DetectionRecipe(network, device="cpu", scenes=16, batch_size=4)
    history = train(made, minutes=0.02, checkpoint=tmp_path / "checkpoint.pt")
    folder = tmp_path / "models" / "detr-mini"
    run = Run("a test", "cpu", 1.0, history.steps, 0.02)
    export.ship(network, history, folder=folder, run=run)
    assert load(folder, device="cpu").detect(3).boxes.shape == (5, 4)
    assert set(read_metrics(folder)) == set(measure.MEANING)
    assert evaluate.main(["detr-mini", "--models", str(tmp_path / "models")]) == 0


few = measure.answers


def test_the_command_needs_no_data(tmp_path, monkeypatch):
    monkeypatch.setattr(recipe, "SCENES", 8)
    asked = []
    monkeypatch.setattr(detr_mini, "run", asked.append)
    assert detr_mini.main(["--minutes", "1", "--out", str(tmp_path)]) == 0
    assert asked[0].minutes == 1


def answer(seed: int, boxes: np.ndarray, labels: tuple[int, ...], claims=None) -> Answer:
    scene = make_scene(seed)
    scores = tuple(0.9 - 0.1 * slot for slot in range(len(boxes)))
    return Answer(
        scene, boxes, labels, scores, claims or (True,) * len(boxes),
        measure.overlaps(boxes, scene.boxes),
    )  # fmt: skip


def test_perfect_answers_have_perfect_figures():
    told = [
        answer(seed, make_scene(seed).boxes, tuple(make_scene(seed).labels.tolist()))
        for seed in range(10)
    ]
    assert figures_of(told) == dict.fromkeys(measure.MEANING, 1.0)


def test_a_second_box_for_one_object_is_wrong():
    scene = make_scene(0)
    twice = np.concatenate([scene.boxes, scene.boxes])
    told = answer(0, twice, (*scene.labels.tolist(), *scene.labels.tolist()))
    assert figures_of([told])["count_accuracy"] == 0.0
    assert figures_of([told])["ap_50"] == 1.0  # the repetitions have the lower scores


def test_average_precision_by_hand():
    """Right, wrong, right of 2 objects: 1/2 · 1 + 1/2 · 2/3."""
    right = np.array([True, False, True])
    assert average_precision(right, 2) == pytest.approx(0.5 + 1 / 3)
    assert average_precision(right, 4) == pytest.approx((1 + 2 / 3) / 4)
    assert average_precision(np.zeros(3, dtype=bool), 2) == 0.0


def test_overlaps_by_hand():
    one = np.array([[0.2, 0.5, 0.4, 0.4]], dtype=np.float32)
    other = np.array([[0.4, 0.5, 0.4, 0.4], [0.8, 0.5, 0.2, 0.2]], dtype=np.float32)
    np.testing.assert_allclose(measure.overlaps(one, other), [[1 / 3, 0]], atol=1e-6)
