"""Finding a word, its similarities, and the plane: worked by hand."""

import numpy as np
import pytest

from core.explain.embeddings.contextual_vectors import (
    baseline,
    find_word,
    project,
    similarities,
    word_vector,
)
from core.trace import Encoding

TEXT = "The Bark of barks"


def encoding() -> Encoding:
    """[CLS] the bar ##k of bar ##ks [SEP]."""
    return Encoding(
        tokens=("[CLS]", "the", "bar", "##k", "of", "bar", "##ks", "[SEP]"),
        ids=np.arange(8),
        offsets=np.array(
            [[0, 0], [0, 3], [4, 7], [7, 8], [9, 11], [12, 15], [15, 17], [0, 0]], np.int64
        ),
        words=np.array([-1, 0, 1, 1, 2, 3, 3, -1]),
        special=np.array([True, *[False] * 6, True]),
        segments=np.zeros(8, np.int64),
    )


def test_a_word_is_found_with_its_pieces_and_in_any_case():
    assert find_word(encoding(), TEXT, "bark") == (2, 3)
    assert find_word(encoding(), TEXT, " BARKS ") == (5, 6)


@pytest.mark.parametrize("word", ["bar", "barking", "", "the bark"])
def test_a_part_of_a_word_is_not_the_word(word: str):
    assert find_word(encoding(), TEXT, word) == ()


def test_a_word_of_pieces_is_their_mean():
    state = np.array([[0, 0], [2, 4], [4, 8]], np.float32)
    assert word_vector(state, (1, 2)).tolist() == [3, 6]


def test_similarities_go_layer_by_layer():
    vectors = np.array([[[1, 0], [1, 0]], [[1, 0], [0, 2]]], np.float32)
    found = similarities(vectors)
    assert found[0].tolist() == [[1, 1], [1, 1]]
    assert found[1].tolist() == [[1, 0], [0, 1]]


def test_the_baseline_compares_different_sentences_only():
    first = np.array([[1, 0], [1, 0]], np.float32)
    second = np.array([[0, 1], [1, 0]], np.float32)
    assert baseline([first, second]) == pytest.approx(0.5)
    assert baseline([first]) == 0


def test_points_on_a_line_need_one_axis():
    found = project(np.array([[0, 0, 0], [1, 2, 2], [2, 4, 4]], np.float32))
    assert found.explained == pytest.approx((1, 0), abs=1e-6)
    np.testing.assert_allclose(sorted(found.points[:, 0]), [-3, 0, 3], atol=1e-5)
    np.testing.assert_allclose(found.points[:, 1], 0, atol=1e-5)


def test_projection_keeps_distances_of_points_in_a_plane():
    points = np.random.default_rng(1).normal(size=(6, 2)) @ np.random.default_rng(2).normal(
        size=(2, 9)
    )
    found = project(points.astype(np.float32))
    assert sum(found.explained) == pytest.approx(1, abs=1e-5)
    for a in range(6):
        for b in range(6):
            assert np.linalg.norm(found.points[a] - found.points[b]) == pytest.approx(
                np.linalg.norm(points[a] - points[b]), abs=1e-4
            )


def test_equal_points_have_no_variance():
    found = project(np.ones((3, 4), np.float32))
    assert found.explained == (0, 0)
    assert not found.points.any()
