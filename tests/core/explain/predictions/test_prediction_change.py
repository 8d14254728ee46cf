"""Two predictions side by side, worked by hand."""

import numpy as np
import pytest

from core.explain.predictions.prediction_change import prediction_change
from core.explain.predictions.token_distribution import TokenDistribution, token_distribution


def of(*probabilities: float) -> TokenDistribution:
    return token_distribution(np.log(np.array(probabilities, np.float32)))


BEFORE, AFTER = of(0.5, 0.25, 0.125, 0.125), of(0.25, 0.5, 0.2, 0.05)


def test_the_first_choice_against_the_next():
    found = prediction_change(BEFORE, AFTER)
    assert (found.answer, found.against) == (0, 1)
    assert found.probabilities == pytest.approx((0.5, 0.25))
    assert found.ranks == (1, 2)
    assert found.logit_differences == pytest.approx((np.log(2), -np.log(2)))


def test_divergence_in_bits():
    expected = 0.5 * 1 + 0.25 * -1 + 0.125 * np.log2(0.125 / 0.2) + 0.125 * np.log2(0.125 / 0.05)
    assert prediction_change(BEFORE, AFTER).divergence == pytest.approx(expected, rel=1e-5)
    assert prediction_change(BEFORE, BEFORE).divergence == 0
    # 1 bit for a choice between two that was thought to be among four
    assert prediction_change(of(0.5, 0.5, 1e-30, 1e-30), of(*[0.25] * 4)).divergence == (
        pytest.approx(1, rel=1e-5)
    )


def test_logit_differences_are_the_logits_own():
    logits = [np.random.default_rng(seed).normal(0, 5, 40).astype(np.float32) for seed in (1, 2)]
    found = prediction_change(*map(token_distribution, logits), 7, 30)
    assert found.logit_differences == pytest.approx([row[7] - row[30] for row in logits], abs=1e-5)


def test_a_chosen_answer_is_compared_with_the_first_other():
    assert prediction_change(BEFORE, AFTER, 2).against == 0
    assert prediction_change(BEFORE, AFTER, 2, 3).logit_differences[0] == pytest.approx(0)
    with pytest.raises(ValueError, match="with itself"):
        prediction_change(BEFORE, AFTER, 2, 2)
    with pytest.raises(ValueError, match="4 and 2 tokens"):
        prediction_change(BEFORE, of(0.5, 0.5))


def test_the_likeliest_of_both():
    after = of(0.05, 0.2, 0.45, 0.3)
    assert prediction_change(BEFORE, after).top(2) == (2, 3, 1, 0)
    assert prediction_change(BEFORE, BEFORE).top(2) == (0, 1)
