"""A lesson comes back from its file, and one vocabulary reads in three ways."""

import pytest

from core.errors import InputError
from core.tokenization import bpe
from core.tokenization.pre_tokenizers import custom
from tests.core.tokenization.corpora import LECTURE


@pytest.mark.parametrize(
    "training",
    [
        bpe.train(LECTURE, 10),
        bpe.train(LECTURE, 10, "greatest-strings", glued=True, min_frequency=2),
        bpe.train("low lower, low", 5, byte_level=True, pre_tokenizer="cl100k"),
        bpe.train("a1b2 a1b2", 5, pre_tokenizer=custom(r"[a-z]\d")),
        bpe.fork(bpe.train(LECTURE, 8), force=(1, ("l", "o"))),
    ],
    ids=["lecture", "glued", "bytes", "pattern", "forced"],
)
def test_a_lesson_comes_back(training: bpe.BPETraining):
    lesson = bpe.read_lesson(bpe.write_lesson(bpe.lesson_of(training, 3)))
    again = lesson.train()
    assert lesson.step == 3
    assert (again.merges, again.vocabulary, again.corpus) == (
        training.merges,
        training.vocabulary,
        training.corpus,
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{", "", "The lesson is not JSON"),
        ('"glassformer-bpe-lesson"', '"other"', "no lesson of version 1: its format is 'other'"),
        ('"step": 3', '"step": -3', "step is -3; it is a whole number"),
        ('"first-seen"', '"last-seen"', "no tie rule called 'last-seen'"),
        ('"separate"', '"loose"', "marking is 'loose'"),
        ('"low"', "7", r"word \[7, 5\] is not a word"),
        ('"marker": "</w>"', '"marker": null', "marker is None; it is a text"),
        ('"forced": []', '"forced": [[1]]', r"forced merge \[1\]"),
        ('"n_merges": 10', '"n_merges": 1000000', "0 to 100,000 are allowed"),
    ],
)
def test_a_lesson_that_was_changed_badly(old: str, new: str, message: str):
    text = bpe.write_lesson(bpe.lesson_of(bpe.train(LECTURE, 10), 3))
    assert old in text
    with pytest.raises(InputError, match=message):
        bpe.read_lesson(text.replace(old, new, 1))


def test_a_lesson_must_be_an_object():
    with pytest.raises(InputError, match="no JSON object"):
        bpe.read_lesson("[]")


def test_one_vocabulary_read_in_three_ways():
    merges = bpe.read_merges("b c · a b · c d · bc d · a bcd · ab c").merges
    vocabulary = {"".join(pair) for pair in merges}
    assert bpe.encode("abcdb", merges).tokens == ("abcd", "b")
    assert bpe.longest_match("abccd", vocabulary) == ("abc", "cd")
    assert bpe.encode("abccd", merges).tokens == ("a", "bc", "cd")
    assert bpe.fewest_tokens("abccd", vocabulary) == ("abc", "cd")
    # the longest first token can cost one in the end
    assert bpe.longest_match("abcd", {"abc", "ab", "cd"}) == ("abc", "d")
    assert bpe.fewest_tokens("xabxy", {"xab", "abxy"}) == ("x", "abxy")
    assert bpe.fewest_tokens("", vocabulary) == bpe.longest_match("", vocabulary) == ()
