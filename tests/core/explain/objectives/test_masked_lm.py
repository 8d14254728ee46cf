"""BERT's draw: how many are chosen, what becomes of them, and the loss over all of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.explain.objectives.masked_lm import (
    Fate,
    Rates,
    draw_masks,
    masked_loss,
)
from core.explain.predictions.token_distribution import token_distribution

MASK = 4
STAND_INS = range(100, 200)


BERTS = Rates()


def draw(rates: Rates = BERTS, seed: tuple[int, ...] = (1,), length: int = 40):
    ids = np.arange(10, 10 + length, dtype=np.int64)
    allowed = np.ones(length, dtype=bool)
    allowed[[0, -1]] = False
    return ids, draw_masks(ids, allowed, rates, mask_id=MASK, random_ids=STAND_INS, seed=seed)


def test_fifteen_percent_of_the_tokens_that_may_be_chosen():
    ids, found = draw()
    assert len(found.positions) == round(38 * 0.15) == 6
    assert 0 not in found.positions
    assert 39 not in found.positions
    assert found.originals == tuple(ids[list(found.positions)])


def test_at_least_one_is_chosen():
    _, found = draw(Rates(chosen=0.01), length=5)
    assert len(found.positions) == 1


@pytest.mark.parametrize(
    ("rates", "fate"),
    [
        (Rates(0.5, 1, 0, 0), Fate.MASKED),
        (Rates(0.5, 0, 1, 0), Fate.KEPT),
        (Rates(0.5, 0, 0, 1), Fate.RANDOM),
    ],
)
def test_a_rate_of_one_leaves_no_choice(rates: Rates, fate: Fate):
    ids, found = draw(rates)
    assert set(found.fates) == {fate}
    for position, new in zip(found.positions, found.replacements, strict=True):
        expected = {Fate.MASKED: [MASK], Fate.KEPT: [ids[position]], Fate.RANDOM: STAND_INS}[fate]
        assert new in expected
    untouched = np.delete(np.arange(len(ids)), found.positions)
    assert (found.ids[untouched] == ids[untouched]).all()
    assert len(found.edits) == (0 if fate == Fate.KEPT else len(found.positions))


def test_the_shares_come_out_in_the_long_run():
    fates = [fate for seed in range(400) for fate in draw(seed=(seed,))[1].fates]
    shares = [fates.count(fate) / len(fates) for fate in (Fate.MASKED, Fate.KEPT, Fate.RANDOM)]
    np.testing.assert_allclose(shares, [0.8, 0.1, 0.1], atol=0.03)


def test_a_seed_fixes_the_draw_and_an_epoch_changes_it():
    assert draw(seed=(3, 1))[1].edits == draw(seed=(3, 1))[1].edits
    assert draw(seed=(3, 1))[1].positions != draw(seed=(3, 2))[1].positions


def test_the_loss_counts_kept_positions_too():
    certain = token_distribution(np.log(np.array([0.5, 0.5], np.float32)))
    unsure = token_distribution(np.log(np.array([0.125, 0.875], np.float32)))
    loss = masked_loss([certain, unsure], [0, 0])  # the first was kept, the second masked
    assert loss == pytest.approx((np.log(2) + np.log(8)) / 2, rel=1e-5)


def test_rates_that_do_not_sum_to_one_are_refused():
    with pytest.raises(ValueError, match="must sum to one"):
        Rates(0.15, 0.8, 0.3, 0.1)
    with pytest.raises(ValueError, match="must sum to one"):
        Rates(0.0)


def test_a_text_of_special_tokens_is_refused():
    with pytest.raises(ValueError, match="no token may be chosen"):
        draw_masks(
            np.arange(3), np.zeros(3, bool), Rates(), mask_id=MASK, random_ids=[9], seed=(0,)
        )


@given(st.integers(1, 60), st.floats(0.01, 1), st.integers(0, 1000))
def test_chosen_positions_are_distinct_and_allowed(length: int, share: float, seed: int):
    ids = np.arange(length, dtype=np.int64)
    allowed = np.ones(length, dtype=bool)
    found = draw_masks(ids, allowed, Rates(share), mask_id=MASK, random_ids=STAND_INS, seed=(seed,))
    assert list(found.positions) == sorted(set(found.positions))
    assert 1 <= len(found.positions) <= length
