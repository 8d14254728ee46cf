"""One axis for two tokenizers."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import core
from core.explain.attention.merge_words import Words
from core.explain.embeddings.token_alignment import shared_words, word_map
from core.trace import Encoding


def encoding(
    tokens: tuple[str, ...], offsets: list[tuple[int, int]], special: list[int]
) -> Encoding:
    n = len(tokens)
    flags = np.zeros(n, dtype=bool)
    flags[special] = True
    return Encoding(
        tokens, np.arange(n), np.array(offsets), np.arange(n), flags, np.zeros(n, dtype=np.int64)
    )


TEXT = "It didn't sit."
BERT = encoding(
    ("[CLS]", "it", "didn", "'", "t", "sit", ".", "[SEP]"),
    [(0, 0), (0, 2), (3, 7), (7, 8), (8, 9), (10, 13), (13, 14), (0, 0)],
    [0, 7],
)
GPT = encoding(("It", "Ġdidn", "'t", "Ġsit", "."), [(0, 2), (2, 7), (7, 9), (9, 13), (13, 14)], [])


def test_both_stand_on_white_space():
    shared = shared_words(TEXT, [BERT, GPT])
    assert shared.labels == ("It", "didn't", "sit.")
    assert shared.by_encoding[0].of_token.tolist() == [3, 0, 1, 1, 1, 2, 2, 3]
    assert shared.by_encoding[1].of_token.tolist() == [0, 1, 1, 2, 2]


def test_a_map_tells_what_went_to_special_tokens():
    shared = shared_words(TEXT, [BERT, GPT])
    uniform = np.full((8, 8), 1 / 8, dtype=np.float32)
    made = word_map(uniform, shared.by_encoding[0], 3)
    np.testing.assert_allclose(made.weights, [[1 / 8, 3 / 8, 2 / 8]] * 3)
    np.testing.assert_allclose(made.special_mass, [2 / 8] * 3)
    causal = np.tril(np.ones((5, 5), dtype=np.float32)) / np.arange(1, 6, dtype=np.float32)[:, None]
    made = word_map(causal, shared.by_encoding[1], 3)
    np.testing.assert_allclose(made.weights.sum(axis=1), 1, rtol=1e-6)
    assert made.special_mass.tolist() == [0, 0, 0]
    assert made.weights[0].tolist() == [1, 0, 0]


def test_without_places_there_is_no_axis():
    unplaced = encoding(("a", "b"), [(-1, -1), (-1, -1)], [])
    assert shared_words("a b", [unplaced]) is None
    assert shared_words("a b", [encoding(("a",), [(0, 1)], [])]) is None, "b has no token"


@pytest.mark.parametrize("text", ["the cat sat .", "  the cat!sat  ,  it", "the 😀 cat"])
def test_real_tokenizers_share_it(text: str, tiny_checkpoint: Callable[[str], Path]):
    encodings = [core.load(tiny_checkpoint(f)).trace(text).encoding for f in ("bert", "gpt2")]
    shared = shared_words(text, encodings)
    assert shared.labels == tuple(text.split())
    assert all(isinstance(words, Words) for words in shared.by_encoding)
