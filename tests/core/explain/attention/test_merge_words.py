"""Merging pieces to words: mean over query pieces, sum over key pieces."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from core.explain.attention.merge_words import Words, merge_words, words_of
from core.trace import Encoding, softmax


def encoding(tokens: tuple[str, ...], words: list[int], segments: list[int]) -> Encoding:
    n = len(tokens)
    return Encoding(
        tokens=tokens,
        ids=np.arange(n),
        offsets=np.zeros((n, 2), dtype=np.int64),
        words=np.array(words),
        special=np.array(words) < 0,
        segments=np.array(segments),
    )


def test_pieces_of_a_word_are_joined_and_special_tokens_stand_alone():
    words = words_of(
        encoding(
            ("[CLS]", "un", "##believ", "##able", "cat", "[SEP]", "[SEP]", "cat", "[SEP]"),
            [-1, 0, 0, 0, 1, -1, -1, 0, -1],
            [0, 0, 0, 0, 0, 0, 0, 1, 1],
        )
    )
    assert words.labels == ("[CLS]", "unbelievable", "cat", "[SEP]", "[SEP]", "cat", "[SEP]")
    assert words.of_token.tolist() == [0, 1, 1, 1, 2, 3, 4, 5, 6]


def test_the_last_word_of_one_sentence_and_the_first_of_the_next_stay_apart():
    words = words_of(encoding(("Ġcat", "Ġcat"), [0, 0], [0, 1]))
    assert words.labels == ("Ġcat", "Ġcat")


def test_merging_worked_by_hand():
    maps = np.array([[[0.2, 0.3, 0.5], [0.4, 0.4, 0.2], [0.1, 0.1, 0.8]]], dtype=np.float32)
    words = Words(("ab", "c"), np.array([0, 0, 1]))
    merged = merge_words(maps, queries=words, keys=words)
    np.testing.assert_allclose(merged[0], [[0.65, 0.35], [0.2, 0.8]], rtol=1e-6)


@given(
    npst.arrays(np.float32, (2, 6, 6), elements=st.floats(-5, 5, width=32)),
    st.lists(st.booleans(), min_size=5, max_size=5),
)
def test_rows_still_sum_to_one(scores: np.ndarray, starts: list[bool]):
    of_token = np.cumsum([0, *starts])
    words = Words(tuple("w" * (of_token[-1] + 1)), of_token)
    merged = merge_words(softmax(scores), queries=words, keys=words)
    np.testing.assert_allclose(merged.sum(-1), 1, rtol=1e-5)
