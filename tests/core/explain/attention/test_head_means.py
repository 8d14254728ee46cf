"""One head, or all of them alike."""

import numpy as np

from core.explain.attention.head_means import MEAN, mean_of_layers, one_or_mean

ONE = np.array([[[1, 0], [0.5, 0.5]], [[0, 1], [0, 1]]], dtype=np.float32)  # head, query, key


def test_a_head_or_the_mean_of_all():
    assert one_or_mean(ONE, 1).tolist() == [[0, 1], [0, 1]]
    assert one_or_mean(ONE, MEAN).tolist() == [[0.5, 0.5], [0.25, 0.75]]
    assert one_or_mean(ONE[:, 0], MEAN).tolist() == [0.5, 0.5]  # of rows, too


def test_every_layer_counts_alike_whatever_its_number_of_heads():
    found = mean_of_layers([ONE, ONE[:1]])
    assert found.tolist() == [[0.75, 0.25], [0.375, 0.625]]
