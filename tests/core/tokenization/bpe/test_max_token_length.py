"""A longest token: by hand, against Hugging Face's trainer, and against counting everything."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from core.errors import InputError
from core.tokenization import bpe
from tests.core.tokenization.corpora import LECTURE

words = st.dictionaries(st.text("abc", min_size=1, max_size=9), st.integers(1, 5), min_size=1)


def of(corpus: dict[str, int], longest: int | None, merges: int = 30) -> bpe.BPETraining:
    return bpe.train(corpus, merges, "smallest-ids", end_of_word=None, max_token_length=longest)


def library(corpus: dict[str, int], longest: int, merges: int) -> list[str]:
    """Its limit is exclusive: a new pair must be shorter than it."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.BpeTrainer(
        vocab_size=len(set("".join(corpus))) + merges,
        max_token_length=longest + 1,
        show_progress=False,
    )
    tokenizer.train_from_iterator(
        (word for word, count in corpus.items() for _ in range(count)), trainer
    )
    vocabulary = tokenizer.get_vocab()
    made = sorted((id_, token) for token, id_ in vocabulary.items() if len(token) > 1)
    return [token for _, token in made]


@given(words, st.integers(2, 6))
def test_equals_hugging_faces_trainer(corpus: dict[str, int], longest: int):
    ours = list(dict.fromkeys(step.token for step in of(corpus, longest).steps))
    theirs = library(corpus, longest, 30)
    # a token that two pairs spell stands once in a vocabulary, so its run may go on for longer
    assert theirs[: len(ours)] == ours


@given(words, st.integers(2, 6))
def test_no_token_is_longer_and_the_end_says_why(corpus: dict[str, int], longest: int):
    training = of(corpus, longest)
    assert all(len(step.token) <= longest for step in training.steps)
    state = training.state_at(len(training.steps))
    if training.stopped is bpe.StopReason.TOO_LONG:
        assert state.pairs().rows == ()
        assert state.pairs().n_too_long > 0
    if training.stopped is bpe.StopReason.NO_PAIR_LEFT:
        assert state.pairs().n_too_long == 0
    for step in range(len(training.steps)):
        decision = bpe.decision(training, step)
        assert decision is not None
        assert decision.chosen.pair == training.merges[step]
        assert decision.n_tied == training.steps[step].n_tied


def test_by_hand():
    training = bpe.train(LECTURE, 30, max_token_length=3)
    # est</w> would be four symbols, so its letters stay apart from the end of the word
    assert [step.token for step in training.steps] == [
        *("es", "est", "lo", "low", "ne", "new", "wi", "wid", "er", "er</w>"),
    ]
    assert training.stopped is bpe.StopReason.TOO_LONG
    assert training.state_at(2).pair_count(("est", "</w>")) == 9  # it stands there all the same


def test_no_limit_and_a_large_one_are_alike():
    assert of(LECTURE, None).merges == of(LECTURE, 1000).merges


@pytest.mark.parametrize("longest", [1, 0, -3])
def test_a_limit_that_leaves_nothing_is_refused(longest: int):
    with pytest.raises(InputError, match="allow 2 or more"):
        of(LECTURE, longest)


def test_a_lesson_keeps_it_and_an_older_lesson_has_none():
    lesson = bpe.lesson_of(of(LECTURE, 3), 2)
    text = bpe.write_lesson(lesson)
    assert bpe.read_lesson(text).settings.max_token_length == 3
    older = text.replace(' "max_token_length": 3,\n', "")
    assert older != text
    assert bpe.read_lesson(older).settings.max_token_length is None
