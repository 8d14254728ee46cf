"""15 % of the words, 80/10/10: counted on many draws."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.training.bert.masking import choose, hide

MASK_ID = 4
RANDOM_IDS = (5, 1_000)


@given(st.integers(1, 200), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_choose_takes_15_percent_of_each_sequence_and_at_least_one(
    length: int, sequences: int, seed: int
) -> None:
    chosen = choose(np.ones((sequences, length), dtype=np.bool_), np.random.default_rng(seed))
    assert (chosen.sum(axis=1) == max(1, round(length * 0.15))).all()


@given(st.integers(0, 2**32 - 1))
def test_only_allowed_tokens_are_chosen(seed: int) -> None:
    generator = np.random.default_rng(seed)
    allowed = generator.random((8, 40)) < 0.3
    chosen = choose(allowed, generator)
    assert not (chosen & ~allowed).any()
    assert (chosen.any(axis=1) == allowed.any(axis=1)).all()


def test_every_place_is_chosen_equally_often() -> None:
    chosen = choose(np.ones((20_000, 20), dtype=np.bool_), np.random.default_rng(0))
    np.testing.assert_allclose(chosen.mean(axis=0), 0.15, atol=0.01)


def test_hidden_tokens_are_80_percent_mask_10_random_10_kept() -> None:
    generator = np.random.default_rng(0)
    ids = generator.integers(*RANDOM_IDS, size=(1_000, 100))
    chosen = choose(np.ones(ids.shape, dtype=np.bool_), generator)
    masked = hide(ids, chosen, generator, mask_id=MASK_ID, random_ids=RANDOM_IDS)
    read = masked.input_ids.reshape(-1)[masked.positions]
    assert abs((read == MASK_ID).mean() - 0.8) < 0.01
    assert abs((read == masked.targets).mean() - 0.1) < 0.01
    assert abs(((read != MASK_ID) & (read != masked.targets)).mean() - 0.1) < 0.01


@given(st.integers(0, 2**32 - 1))
def test_what_is_not_chosen_stays_and_targets_are_the_original(seed: int) -> None:
    generator = np.random.default_rng(seed)
    ids = generator.integers(*RANDOM_IDS, size=(4, 30))
    chosen = choose(np.ones(ids.shape, dtype=np.bool_), generator)
    masked = hide(ids, chosen, generator, mask_id=MASK_ID, random_ids=RANDOM_IDS)
    np.testing.assert_array_equal(masked.input_ids[~chosen], ids[~chosen])
    np.testing.assert_array_equal(masked.positions, np.flatnonzero(chosen))
    np.testing.assert_array_equal(masked.targets, ids[chosen])


def test_always_is_hidden_behind_the_mask_in_any_case() -> None:
    generator = np.random.default_rng(0)
    ids = generator.integers(*RANDOM_IDS, size=(50, 8))
    always = np.zeros(ids.shape, dtype=np.bool_)
    always[:, 3] = True
    nothing = np.zeros(ids.shape, dtype=np.bool_)
    masked = hide(ids, nothing, generator, mask_id=MASK_ID, random_ids=RANDOM_IDS, always=always)
    assert (masked.input_ids[:, 3] == MASK_ID).all()
    np.testing.assert_array_equal(masked.targets, ids[:, 3])
