"""Samples in masked places, and the labels that follow from them."""

import numpy as np

from core.explain.objectives.replaced_token_detection import sample_replacements
from core.explain.predictions.token_distribution import token_distribution

IDS = np.array([5, 1, 2, 3, 6], dtype=np.int64)


def certain(token: int):
    logits = np.full(8, -50, dtype=np.float32)
    logits[token] = 50
    return token_distribution(logits)


def test_a_sampled_original_counts_as_original():
    made = sample_replacements(IDS, (1, 3), (certain(1), certain(4)), seed=0)
    assert made.ids.tolist() == [5, 1, 2, 4, 6]
    assert made.masked.tolist() == [False, True, False, True, False]
    assert made.replaced.tolist() == [False, False, False, True, False]
    assert made.lucky == 1


def test_samples_follow_the_distribution():
    logits = np.log(np.array([0.7, 0.3], dtype=np.float32))
    found = token_distribution(logits)
    ids = np.zeros(1, dtype=np.int64)
    drawn = [int(sample_replacements(ids, (0,), (found,), seed=s).ids[0]) for s in range(2000)]
    assert abs(np.mean(drawn) - 0.3) < 0.04
    again = sample_replacements(ids, (0,), (found,), seed=3)
    assert int(again.ids[0]) == drawn[3]
