"""Which tokens of two sentences are the same, by hand; and what any two sequences must give."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.explain.attention.token_pairs import pair_tokens
from core.trace import Encoding


def encoded(words: str, *, ends: bool = False) -> Encoding:
    """A token a word, whose id is its spelling; `ends`: between special tokens."""
    tokens = ("[CLS]", *words.split(), "[SEP]") if ends else tuple(words.split())
    n = len(tokens)
    special = np.array([token.startswith("[") for token in tokens], dtype=bool)
    ids = np.array([hash_of(token) for token in tokens], dtype=np.int64)
    unknown = np.full((n, 2), -1)
    return Encoding(tokens, ids, unknown, np.arange(n), special, np.zeros(n, dtype=np.int64))


def hash_of(token: str) -> int:
    return int.from_bytes(token.encode(), "big")


def paired(first: str, second: str) -> list[tuple[int, int]]:
    pairs = pair_tokens(encoded(first), encoded(second))
    return list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True))


def test_a_replaced_word_stands_alone_on_both_sides():
    pairs = pair_tokens(
        encoded("it was too tired .", ends=True), encoded("it was too wide .", ends=True)
    )
    assert pairs.first.tolist() == pairs.second.tolist() == [0, 1, 2, 3, 5, 6]
    assert (pairs.lone_first.tolist(), pairs.lone_second.tolist()) == ([4], [4])
    assert pairs.differing() == (((4,), (4,)),)


def test_a_word_more_moves_what_follows_it():
    assert paired("a b d e", "a b c d e") == [(0, 0), (1, 1), (2, 3), (3, 4)]
    pairs = pair_tokens(encoded("a b d e"), encoded("a b c d e"))
    assert pairs.differing() == (((), (2,)),)
    assert paired("a b c", "a b") == [(0, 0), (1, 1)]


def test_two_words_that_change_places_are_not_crossed():
    assert len(paired("the dog saw the cat", "the cat saw the dog")) == 3
    assert pair_tokens(encoded("x a y"), encoded("z a w")).differing() == (
        ((0,), (0,)),
        ((2,), (2,)),
    )


def test_nothing_in_common_is_refused_with_both_sentences():
    with pytest.raises(InputError, match="“red fish” and “blue bird” have no token in common"):
        pair_tokens(encoded("red fish", ends=True), encoded("blue bird", ends=True))


texts = st.lists(st.sampled_from("abc"), min_size=1, max_size=9).map(" ".join)


@given(texts, texts)
def test_pairs_are_equal_tokens_in_order_and_the_same_from_either_side(first, second):
    one, other = encoded(f"{first} end"), encoded(f"{second} end")
    pairs, back = pair_tokens(one, other), pair_tokens(other, one)
    assert [one.tokens[i] for i in pairs.first] == [other.tokens[i] for i in pairs.second]
    assert (np.diff(pairs.first) > 0).all()
    assert (np.diff(pairs.second) > 0).all()
    assert back.first.tolist() == pairs.second.tolist()
    assert back.second.tolist() == pairs.first.tolist()
    assert sorted([*pairs.first, *pairs.lone_first]) == list(range(len(one)))
    assert sorted([*pairs.second, *pairs.lone_second]) == list(range(len(other)))
    assert sum(len(a) + len(b) for a, b in pairs.differing()) == len(pairs.lone_first) + len(
        pairs.lone_second
    )


@given(texts)
def test_a_sentence_is_paired_with_itself_token_by_token(text):
    pairs = pair_tokens(encoded(text), encoded(text))
    assert pairs.first.tolist() == pairs.second.tolist() == list(range(len(encoded(text))))
    assert not pairs.has_lone
    assert pairs.differing() == ()
