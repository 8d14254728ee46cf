"""DETR's matching, worked by hand, and what must hold for any boxes."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.errors import InputError
from core.explain.objectives.hungarian_matching import (
    box_distance,
    checked_boxes,
    generalised_iou,
    greedy_assignment,
    hungarian_loss,
    matching_costs,
    optimal_assignment,
    overlap,
    spread_probabilities,
)

LEFT = (0.2, 0.5, 0.4, 0.4)  # x 0.0 to 0.4, y 0.3 to 0.7
MIDDLE = (0.4, 0.5, 0.4, 0.4)  # x 0.2 to 0.6: half of each is shared
FAR = (0.8, 0.5, 0.4, 0.4)  # x 0.6 to 1.0: touches neither

shares = st.floats(0.0, 1.0, width=32)
sizes = st.floats(0.0625, 1.0, width=32)
boxes = st.lists(st.tuples(shares, shares, sizes, sizes), min_size=1, max_size=5).map(
    lambda found: np.array(found, dtype=np.float32)
)
tables = st.tuples(st.integers(1, 5), st.integers(1, 4)).flatmap(
    lambda size: arrays(np.float64, (max(size), size[1]), elements=st.floats(-5, 5, width=32))
)


def test_giou_by_hand():
    """Shared 0.08, union 0.16 + 0.16 − 0.08 = 0.24; the hull, 0.6 × 0.4, has nothing empty."""
    half = overlap(LEFT, MIDDLE)
    np.testing.assert_allclose([half.intersection, half.union, half.hull], [0.08, 0.24, 0.24])
    np.testing.assert_allclose([half.iou, half.giou], [1 / 3, 1 / 3])


def test_giou_of_boxes_apart_is_negative():
    """Union 0.32 in a hull of 1.0 × 0.4: 0 − 0.08 / 0.4."""
    apart = overlap(LEFT, FAR)
    np.testing.assert_allclose([apart.intersection, apart.iou, apart.giou], [0, 0, -0.2])


def test_costs_by_hand():
    probabilities = np.array([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]])
    costs = matching_costs(probabilities, np.array([LEFT, FAR]), np.array([1]), np.array([MIDDLE]))
    np.testing.assert_allclose(costs.named, [[-0.2], [-0.3]])
    np.testing.assert_allclose(costs.apart, [[5 * 0.2], [5 * 0.4]])
    far_giou = 0 - (0.32 - 0.32) / 0.32  # MIDDLE and FAR touch at x = 0.6: no empty hull
    np.testing.assert_allclose(costs.outside, [[2 * (1 - 1 / 3)], [2 * (1 - far_giou)]], atol=1e-12)
    np.testing.assert_allclose(costs.total, [[-0.2 + 1 + 4 / 3], [-0.3 + 2 + 2]])


def test_greedy_can_be_dearer():
    """Greedy takes 1 first and is left with 9; the optimum takes 2 + 2."""
    costs = np.array([[1.0, 2.0], [2.0, 9.0]])
    greedy, optimal = greedy_assignment(costs), optimal_assignment(costs)
    assert (greedy.slots, greedy.cost) == ((0, 1), 10.0)
    assert (optimal.slots, optimal.cost) == ((1, 0), 4.0)


def test_left_over_slots_learn_no_object():
    probabilities = np.array([[0.5, 0.5], [0.2, 0.8]])
    labels = np.array([0])
    costs = matching_costs(probabilities, np.array([LEFT, FAR]), labels, np.array([LEFT]))
    assignment = optimal_assignment(costs.total)
    assert assignment.slots == (0,)
    assert assignment.object_of(1) is None
    matched, empty = hungarian_loss(probabilities, costs, labels, assignment)
    np.testing.assert_allclose([matched.named, matched.apart, matched.outside], [np.log(2), 0, 0])
    np.testing.assert_allclose([empty.named, empty.total], [-0.1 * np.log(0.8)] * 2)
    assert empty.target is None


@given(tables)
def test_no_assignment_is_cheaper_than_the_optimal_one(costs):
    slots, objects = costs.shape
    cheapest = min(
        sum(costs[slot, thing] for thing, slot in enumerate(chosen))
        for chosen in permutations(range(slots), objects)
    )
    found = optimal_assignment(costs)
    assert len(set(found.slots)) == objects
    assert found.cost == pytest.approx(cheapest, abs=1e-9)
    greedy = greedy_assignment(costs)
    assert len(set(greedy.slots)) == objects
    assert greedy.cost >= found.cost - 1e-9


@given(tables, st.randoms(use_true_random=False))
def test_the_order_of_slots_and_objects_does_not_matter(costs, chance):
    rows, columns = list(range(costs.shape[0])), list(range(costs.shape[1]))
    chance.shuffle(rows)
    chance.shuffle(columns)
    shuffled = optimal_assignment(costs[rows][:, columns])
    assert shuffled.cost == pytest.approx(optimal_assignment(costs).cost, abs=1e-9)


@given(boxes, boxes)
def test_giou_is_symmetric_bounded_and_one_for_itself(one, other):
    found = generalised_iou(one, other)
    np.testing.assert_allclose(found, generalised_iou(other, one).T, atol=1e-9)
    assert ((found > -1) & (found <= 1 + 1e-9)).all()
    np.testing.assert_allclose(np.diagonal(generalised_iou(one, one)), 1, atol=1e-9)


@given(boxes, boxes, st.floats(0.1, 1.0))
def test_giou_does_not_depend_on_scale_or_mirroring(one, other, scale):
    found = generalised_iou(one, other)
    np.testing.assert_allclose(generalised_iou(one * scale, other * scale), found, atol=1e-5)
    turned = [np.concatenate([1 - b[:, :1].astype(np.float64), b[:, 1:]], 1) for b in (one, other)]
    np.testing.assert_allclose(generalised_iou(*turned), found, atol=1e-5)


@pytest.mark.parametrize(
    ("box", "message"),
    [
        ((0.5, 0.5, 0.0, 0.2), "Object 2: width is 0; give a share of the picture, more than 0"),
        ((0.5, 1.5, 0.1, 0.2), "Object 2: centre y is 1.5; .* from 0 to 1"),
        ((float("nan"), 0.5, 0.1, 0.2), "Object 2: centre x is empty"),
        ((0.5, 0.5, 0.2, -0.1), "Object 2: height is -0.1"),
    ],
)
def test_bad_boxes_are_told(box, message):
    with pytest.raises(InputError, match=message):
        checked_boxes([LEFT, box], "Object")


def test_more_objects_than_slots_are_told():
    with pytest.raises(InputError, match=r"3 objects and 2 predictions.*Take away 1"):
        optimal_assignment(np.zeros((2, 3)))


def test_an_unknown_class_is_told():
    with pytest.raises(InputError, match="class is 2; classes count from 0 to 1"):
        matching_costs(np.ones((1, 3)) / 3, np.array([LEFT]), np.array([2]), np.array([LEFT]))


def test_impossible_probabilities_are_told():
    with pytest.raises(InputError, match="from 0 to 1"):
        matching_costs(np.array([[1.2, 0]]), np.array([LEFT]), np.array([0]), np.array([LEFT]))


def test_parts_of_the_cost_add_up_as_chosen():
    costs = matching_costs(
        np.array([[0.7, 0.3]]), np.array([[0.5, 0.5, 0.2, 0.2]]),
        np.array([0]), np.array([[0.4, 0.5, 0.2, 0.2]]),
    )  # fmt: skip
    np.testing.assert_allclose(costs.sum_of(("class", "L1")), [[-0.7 + 5 * 0.1]])
    np.testing.assert_allclose(costs.sum_of(("class", "L1", "GIoU")), costs.total)
    assert costs.sum_of(()).tolist() == [[0]]


def test_the_distance_of_two_boxes():
    assert box_distance((0.5, 0.5, 0.2, 0.2), (0.4, 0.7, 0.2, 0.1)) == pytest.approx(0.4)


def test_other_classes_share_the_rest_evenly():
    table = spread_probabilities(np.array([1, 0]), np.array([0.9, 0.4]), 3)
    np.testing.assert_allclose(table, [[0.05, 0.9, 0.05], [0.4, 0.3, 0.3]])
