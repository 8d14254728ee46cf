"""The positions page's pure parts: names, orders, tiles, what questions are equal."""

import numpy as np

from app.components import position_mosaic
from app.services import positions as positioning
from app.services import training_history, vision
from app.services.positions import other_places
from app.views.positions import reading, state
from app.views.positions.order import _followed
from app.views.positions.sinusoidal import _order
from core import positions
from core.positions import Layout
from core.trace import Encoding, PatchGrid


def test_the_order_of_concatenated_dimensions_is_the_cores():
    table = positions.sinusoidal(9, 12)
    halves = positions.sinusoidal(9, 12, layout=Layout.CONCATENATED)
    np.testing.assert_array_equal(halves, table[:, _order(12)])


def test_special_tokens_keep_their_positions():
    n = 7
    special = np.array([True, *[False] * (n - 2), True])
    encoding = Encoding(
        tokens=("[CLS]", "a", "b", "c", "d", "e", "[SEP]"),
        ids=np.arange(n),
        offsets=np.zeros((n, 2), dtype=np.int64),
        words=np.arange(n),
        special=special,
        segments=np.zeros(n, dtype=np.int64),
    )
    assert other_places(encoding, "reversed", 0) == (0, 5, 4, 3, 2, 1, 6)
    shuffled = other_places(encoding, "shuffled", 3)
    assert shuffled[0] == 0
    assert shuffled[-1] == 6
    assert sorted(shuffled) == list(range(n))
    assert shuffled != tuple(range(n))
    assert reading.labels(encoding, (0, 5, 2, 3, 4, 1, 6))[1:3] == ("a@5", "b")


def test_a_head_that_looks_at_places_follows_them():
    """Each token looks at the position before its own, whoever stands there."""
    n = 5
    before = np.eye(n, k=-1, dtype=np.float32)
    before[0, 0] = 1
    places = (3, 0, 4, 1, 2)
    after = np.zeros_like(before)
    for query, place in enumerate(places):
        after[query, places.index(max(place - 1, 0))] = 1
    assert "shares 100 % with the old one moved along" in _followed([before, after], places)
    assert "100 % with the old one left in place" in _followed([before, before], places)


def test_tiles_stand_apart_by_one():
    grid = PatchGrid(rows=2, columns=3, prefix_tokens=0)
    tiles = np.arange(4 * 9, dtype=np.float32).reshape(4, 9)
    gaps = position_mosaic._with_gaps(tiles, grid, -1.0)
    assert gaps.shape == (5, 11)
    assert (gaps[2] == -1).all()
    assert (gaps[:, [3, 7]] == -1).all()
    np.testing.assert_array_equal(np.delete(np.delete(gaps, 2, 0), [3, 7], 1), tiles)
    assert position_mosaic._names(2) == ("0:0", "0:1", "", "1:0", "1:1")
    assert len(position_mosaic._names(grid.columns)) == gaps.shape[1]


def test_equal_questions_about_a_picture_meet():
    assert hash(vision.sample("coffee")) == hash(vision.sample("coffee"))
    assert vision.sample("coffee") != vision.sample("chelsea")
    brought = [vision.upload(vision.sample("coffee").convert("RGB")) for _ in range(2)]
    assert hash(brought[0]) == hash(brought[1])
    assert brought[0] == brought[1] != vision.sample("coffee")
    for name in vision.SAMPLES:
        assert vision.sample(name).convert("RGB").mode == "RGB"


def test_the_shipped_trainings_are_found():
    card = next(card for card in positioning.cards() if card.id == "bert-mini")
    training = training_history.moments(card, "positions")
    assert training is not None
    assert len(training.values) == len(training.steps) == 8
    assert state.LARGEST_SIDE**2 < 1_100_000  # what a heat map may carry
