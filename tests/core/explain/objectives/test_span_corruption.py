"""T5's own example, and properties of drawn spans."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.explain.objectives.span_corruption import corrupt_spans, draw_spans, sentinel

THANKS = ["Thank", "you", "for", "inviting", "me", "to", "your", "party", "last", "week", "."]


def test_the_papers_figure_2():
    corrupted = np.isin(THANKS, ["for", "inviting", "last"])
    made = corrupt_spans(THANKS, corrupted)
    assert " ".join(made.inputs) == "Thank you <X> me to your party <Y> week ."
    assert " ".join(made.targets) == "<X> for inviting <Y> last <Z>"
    assert made.n_spans == 2


def test_sentinels_go_on_after_z():
    assert [sentinel(i) for i in (0, 1, 2, 3, 7)] == ["<X>", "<Y>", "<Z>", "<X1>", "<Y2>"]


@given(st.integers(2, 60), st.floats(0.05, 0.9), st.floats(1, 6), st.integers(0, 10**6))
def test_drawn_spans_keep_count_and_gaps(n: int, density: float, length: float, seed: int):
    marks = draw_spans(n, density=density, mean_length=length, seed=seed)
    noise = min(max(round(n * density), 1), n - 1)
    assert len(marks) == n
    assert marks.sum() == noise
    spans = int(((marks[1:] & ~marks[:-1]).sum()) + marks[0])
    assert spans == min(max(round(noise / length), 1), n - noise, noise)
    made = corrupt_spans([f"w{i}" for i in range(n)], marks)
    assert made.n_spans == spans
    assert len(made.inputs) == n - noise + spans
    assert len(made.targets) == noise + spans + 1


def test_every_place_can_be_drawn_and_a_seed_repeats():
    drawn = np.stack([draw_spans(10, seed=seed) for seed in range(300)])
    assert drawn[:, 1:].any(axis=0).all()
    np.testing.assert_array_equal(draw_spans(10, seed=5), drawn[5])


@pytest.mark.parametrize(
    ("n", "options"), [(1, {}), (9, {"density": 0.0}), (9, {"mean_length": 0.5})]
)
def test_what_cannot_be_drawn_is_said(n, options):
    with pytest.raises(InputError):
        draw_spans(n, **options)
