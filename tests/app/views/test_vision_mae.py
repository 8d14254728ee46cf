"""The masked autoencoder's view: masks in links and out again, patterns and words by hand."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.services import training_history as kept
from app.views.vision import masks
from app.views.vision.mae import curve, figure, learning
from core.catalog import CATALOG
from core.outputs.autoencoder import ErrorByRatio, Reconstruction
from core.trace import PatchGrid

GRID = PatchGrid(4, 4, 1)


@given(st.sets(st.integers(0, 195)))
def test_a_set_of_patches_comes_back_from_a_link_and_is_short(hidden: set[int]) -> None:
    given_patches = tuple(sorted(hidden))
    text = masks.written(given_patches)
    assert masks.read(text) == given_patches
    assert len(text) <= 36
    assert text.replace("-", "").replace("_", "").isalnum()


@given(st.text())
def test_anything_in_a_link_is_a_set_or_nonsense(text: str) -> None:
    found = masks.read(text)
    assert found is None or all(index >= 0 for index in found)


def test_nothing_hidden_is_no_missing_mask() -> None:
    assert masks.written(()) == "b"
    assert masks.read("b") == ()
    assert masks.read("") is None
    assert masks.read("b*") is None
    assert masks.read("b" + "A" * 5000) is None


def test_bits_count_from_the_first_patch() -> None:
    assert masks.read("bAQ") == (0,)  # the byte 1
    assert masks.read("bgQE") == (0, 7, 8)  # the bytes 129, 1
    assert masks.within((0, 15, 16, 900), GRID) == (0, 15)


def test_patterns_as_patches_in_rising_order() -> None:
    assert masks.PATTERNS["Right half"](GRID) == (2, 3, 6, 7, 10, 11, 14, 15)
    assert masks.PATTERNS["Nothing"](GRID) == ()
    assert len(masks.PATTERNS["All but one of four"](PatchGrid(14, 14, 1))) == 147  # 75 %


def test_the_view_reads_the_card_and_the_moments_that_ship() -> None:
    card = next(card for card in CATALOG if card.id == "mae-mini")
    painted = kept.moments(card, "painted")
    assert painted is not None
    assert painted.values.shape[1:] == (112, 112, 3)
    assert len(painted.steps) == len(learning.table(card)) > 2
    measured = kept.figures(card)
    assert measured["hidden_error"] < measured["mean_colour_error"]
    assert kept.figures(replace(card, id="/nowhere")) == {}


def test_shares_too_small_to_hide_a_patch_leave_the_curve() -> None:
    found = ErrorByRatio(
        ratios=(0.01, 0.5, 1.0),
        seeds=(0, 1),
        errors=np.array([[np.nan, 1, 3], [np.nan, 2, 5]], dtype=np.float32),
        flat=np.array([[np.nan, 4, np.nan], [np.nan, 6, np.nan]], dtype=np.float32),
    )
    mean, single, flat = curve.curves("a model", found)
    assert [*mean.x] == [50, 100]
    assert [*mean.y] == [1.5, 4]
    assert [*single.x] == [50, 100, 50, 100]
    assert [*single.y] == [1, 3, 2, 5]
    assert single.hover[2] == "draw 1, 50 % hidden: 2.00"
    assert ([*flat.x], [*flat.y]) == ([50], [5])


def test_each_patch_says_its_rank_or_that_it_was_visible() -> None:
    made = Reconstruction(
        picture=np.zeros((2, 4, 3), dtype=np.float32),
        hidden=np.array([[True, False], [True, True]]),
        predicted=np.zeros((2, 4, 3), dtype=np.float32),
        errors=np.array([[0.1, 9.0], [0.4, 0.1]], dtype=np.float32),
        grid=PatchGrid(2, 2, 1),
    )
    assert figure.notes(made) == (
        "0.100 · rank 2 of 3 hidden · 0.500 × mean",
        "9.00 · visible: never trained on",
        "0.400 · rank 1 of 3 hidden · 2.00 × mean",
        "0.100 · rank 2 of 3 hidden · 0.500 × mean",
    )
