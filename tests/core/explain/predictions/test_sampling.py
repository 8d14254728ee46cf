"""Sampling: worked by hand, against transformers' own processors, and as properties."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

from core.errors import InputError
from core.explain.predictions.sampling import Sampling, distribution, draw

HALVES = np.log(np.array([0.125, 0.5, 0.25, 0.125])).astype(np.float32)
settings = st.builds(
    Sampling,
    temperature=st.floats(0.05, 5),
    top_k=st.integers(0, 60),
    top_p=st.floats(0.01, 1),
)
logits = st.integers(0, 10_000).map(
    lambda seed: np.random.default_rng(seed).normal(0, 3, 50).astype(np.float32)
)


class TestByHand:
    def test_temperature_one_half_squares_the_odds(self):
        cut = distribution(HALVES, Sampling(temperature=0.5))
        squares = np.array([1, 16, 4, 1]) / 22
        np.testing.assert_allclose(cut.tempered, squares, rtol=1e-6)
        np.testing.assert_allclose(cut.raw, [0.125, 0.5, 0.25, 0.125], rtol=1e-6)
        assert cut.n_kept == 4

    def test_top_k_keeps_two_and_divides_by_their_mass(self):
        cut = distribution(HALVES, Sampling(top_k=2))
        assert cut.kept_mass == pytest.approx(0.75)
        np.testing.assert_allclose(cut.final, [0, 2 / 3, 1 / 3, 0], rtol=1e-6)

    def test_a_tie_at_the_border_of_top_k_stays(self):
        assert distribution(HALVES, Sampling(top_k=3)).n_kept == 4

    def test_top_p_takes_the_token_that_crosses_it(self):
        cut = distribution(HALVES, Sampling(top_p=0.6))
        np.testing.assert_allclose(cut.final, [0, 2 / 3, 1 / 3, 0], rtol=1e-6)
        assert distribution(HALVES, Sampling(top_p=0.4)).n_kept == 1

    @pytest.mark.parametrize(
        ("sampling", "said"),
        [
            (Sampling(temperature=0), "temperature 0"),
            (Sampling(top_k=1), "top-k 1"),
            (Sampling(top_p=0), "top-p 0"),
        ],
    )
    def test_three_ways_to_be_greedy(self, sampling: Sampling, said: str):
        assert sampling.greedy == said
        cut = distribution(HALVES, sampling)
        assert cut.final.tolist() == [0, 1, 0, 0]
        assert {draw(cut, seed=seed, step=0).token for seed in range(20)} == {1}

    def test_a_draw_lies_in_its_stretch(self):
        cut = distribution(HALVES, Sampling())
        for step in range(50):
            drawn = draw(cut, seed=7, step=step)
            assert drawn.low <= drawn.number < drawn.high
            assert drawn.high - drawn.low == pytest.approx(cut.final[drawn.token], abs=1e-12)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"temperature": -1.0}, "temperature is -1; give 0"),
        ({"temperature": float("nan")}, "temperature is nan"),
        ({"top_k": -2}, "Top-k is -2; give 0"),
        ({"top_p": 1.5}, r"Top-p is 1\.5; give a share"),
    ],
)
def test_numbers_out_of_range_are_refused(wrong: dict, message: str):
    with pytest.raises(InputError, match=message):
        Sampling(**wrong)


@given(logits, settings)
def test_it_is_what_transformers_processors_leave(z: np.ndarray, sampling: Sampling):
    scores = torch.tensor(z, dtype=torch.float64)[None]
    scores = TemperatureLogitsWarper(sampling.temperature)(None, scores)
    if sampling.top_k:
        scores = TopKLogitsWarper(sampling.top_k)(None, scores)
    if sampling.top_p < 1:
        scores = TopPLogitsWarper(sampling.top_p)(None, scores)
    expected = scores[0].softmax(-1).numpy()
    np.testing.assert_allclose(distribution(z, sampling).final, expected, atol=1e-9)


@given(logits, settings, st.integers(0, 2**31), st.integers(0, 500))
def test_only_kept_tokens_are_drawn_and_mass_is_one(
    z: np.ndarray, sampling: Sampling, seed: int, step: int
):
    cut = distribution(z, sampling)
    assert cut.final.sum() == pytest.approx(1)
    assert cut.final[~cut.kept].sum() == 0
    drawn = draw(cut, seed=seed, step=step)
    assert cut.kept[drawn.token]
    assert draw(cut, seed=seed, step=step) == drawn


def test_draws_follow_the_probabilities():
    cut = distribution(HALVES, Sampling())
    drawn = np.bincount([draw(cut, seed=0, step=step).token for step in range(4000)])
    np.testing.assert_allclose(drawn / 4000, cut.final, atol=0.03)


def test_a_very_low_temperature_overflows_nowhere():
    cut = distribution(np.array([-900.0, 900.0, 899.0], dtype=np.float32), Sampling(0.001))
    assert cut.final.tolist() == [0, 1, 0]
