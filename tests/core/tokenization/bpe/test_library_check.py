"""The check against `tokenizers`: equal under its own rule, parting at ties under others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.tokenization import bpe
from core.tokenization.bpe import library_check
from tests.core.tokenization.corpora import LECTURE
from tests.core.tokenization.oracles import hugging_face_merges

ENDS = {"none": (None, False), "separate": ("</w>", False), "glued": ("</w>", True)}
corpora = st.dictionaries(st.text("abcä ", min_size=1, max_size=7), st.integers(1, 6), min_size=1)


def test_the_library_is_really_asked():
    training = bpe.train({"hug": 10, "pug": 5, "pun": 12, "bun": 4}, 5, end_of_word=None)
    found = bpe.check_against_library(training)
    assert list(found.merges) == hugging_face_merges({"hug": 10, "pug": 5, "pun": 12, "bun": 4}, 5)


def test_the_lectures_corpus_parts_at_its_first_tie_and_says_so():
    found = bpe.check_against_library(bpe.train(LECTURE, 10))  # first seen
    assert found.was_tie
    assert found.ours is not None
    assert found.theirs is not None
    assert (found.ours.count, found.their_count) == (9, 9)
    assert found.ours.pair != found.theirs
    assert found.same_rule_difference is None, "the rule alone is the difference"
    assert len(found.merges) == 10


@given(corpora, st.sampled_from(sorted(ENDS)), st.booleans(), st.sampled_from([None, 2, 4]))
def test_under_its_rule_every_merge_is_equal(
    words: dict[str, int], end: str, byte_level: bool, longest: int | None
):
    marker, glued = ENDS[end]
    training = bpe.train(
        words, 25, "greatest-strings", end_of_word=marker, glued=glued, byte_level=byte_level,
        max_token_length=longest,
    )  # fmt: skip
    found = bpe.check_against_library(training)
    assert found.same_rule_difference is None
    assert found.first_difference is None or found.was_tie


@pytest.mark.parametrize("least", [1, 2, 5])
def test_the_minimum_frequency_ends_both(least: int):
    training = bpe.train(LECTURE, 50, "smallest-ids", min_frequency=least)
    found = bpe.check_against_library(training)
    assert found.first_difference is None
    assert len(found.merges) == len(training.merges)


def test_a_run_that_ends_earlier_differs_at_its_end(monkeypatch: pytest.MonkeyPatch):
    training = bpe.train(LECTURE, 5, "smallest-ids")
    monkeypatch.setattr(
        library_check, "_library", lambda *_: (training.merges[:3], training.vocabulary[:11])
    )
    found = bpe.check_against_library(training)
    assert (found.first_difference, found.theirs) == (3, None)
    assert found.ours is training.steps[3]
    assert not found.was_tie


def test_what_it_refuses():
    with pytest.raises(InputError, match=r"2,000,001 running words.*Give smaller counts"):
        bpe.check_against_library(bpe.train({"ab": 2_000_001}, 1))
    with pytest.raises(InputError, match="stands for </w>"):
        bpe.check_against_library(bpe.train({"a\U0010ffff": 1}, 1))
    forked = bpe.fork(bpe.train(LECTURE, 3), force=(0, ("l", "o")))
    with pytest.raises(InputError, match="forced"):
        bpe.check_against_library(forked)
