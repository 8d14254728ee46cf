"""One axis for two tokenizers."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import core
from core.explain.attention.merge_words import Words
from core.explain.embeddings.token_alignment import shared_stretches, shared_words, word_map
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


def test_stretches_are_what_no_token_crosses():
    shared = shared_stretches(TEXT, [BERT, GPT])
    assert shared.labels == ("It", "didn", "'t", "sit", ".")
    assert shared.by_encoding[0].of_token.tolist() == [5, 0, 1, 2, 2, 3, 4, 5]
    assert shared.by_encoding[1].of_token.tolist() == [0, 1, 2, 3, 4]
    assert shared.left_out == ()


def test_several_tokens_of_one_character_and_one_token_of_several_words():
    bytes_of_it = encoding(("ð", "Ł", "a b"), [(0, 1), (0, 1), (1, 4)], [])
    letters = encoding(("x", "a", "b"), [(0, 1), (1, 2), (2, 4)], [])  # the last owns its space
    shared = shared_stretches("😀a b", [bytes_of_it, letters])
    assert shared.labels == ("😀", "a b")
    assert [words.of_token.tolist() for words in shared.by_encoding] == [[0, 0, 1], [0, 1, 1]]


def test_a_stretch_without_a_token_is_left_out_and_its_tokens_elsewhere_are_special():
    silent = encoding(("a", "c"), [(0, 1), (4, 5)], [])
    whole = encoding(("a", "b", "c"), [(0, 1), (2, 3), (4, 5)], [])
    shared = shared_stretches("a b c", [silent, whole])
    assert (shared.labels, shared.left_out) == (("a", "c"), ("b",))
    assert shared.by_encoding[1].of_token.tolist() == [0, 2, 1]
    assert shared.by_encoding[1].labels == ("a", "c", "")
    unplaced = encoding(("a",), [(-1, -1)], [])
    assert shared_stretches("a", [unplaced]) is None
    assert shared_stretches("b", [encoding(("[CLS]",), [(0, 0)], [0])]) is None


@pytest.mark.parametrize(
    "text", ["the cat sat .", "  the cat!sat  ,  it", "the 😀 cat", "don't 中文"]
)
def test_stretches_of_real_tokenizers_are_whole_tokens(
    text: str, tiny_checkpoint: Callable[[str], Path]
):
    encodings = [core.load(tiny_checkpoint(f)).trace(text).encoding for f in ("bert", "gpt2", "t5")]
    shared = shared_stretches(text, encodings)
    assert not shared.left_out
    assert "".join(shared.labels) == "".join(text.split())
    for found, words in zip(encodings, shared.by_encoding, strict=True):
        assert set(range(len(shared.labels))) <= set(words.of_token.tolist())
        assert len(words.of_token) == len(found)
