"""Births and deaths of tokens: by hand, and against the counts of every state."""

from hypothesis import given
from hypothesis import strategies as st

from core.tokenization import bpe
from tests.core.tokenization.corpora import LECTURE


def test_the_lectures_tokens_by_hand():
    lives = {life.token: life for life in bpe.lifetimes(bpe.train(LECTURE, 10))}
    es = lives["es"]
    assert (es.born, es.uses_at_birth, es.died, es.swallowed_by, es.uses) == (1, 9, 2, "est", 0)
    assert es.lasted == 1
    # newest takes six of the nine, widest keeps three
    assert (lives["est</w>"].born, lives["est</w>"].died, lives["est</w>"].uses) == (3, None, 3)
    assert (lives["low"].uses_at_birth, lives["low"].uses) == (7, 2)
    dead = [life.token for life in lives.values() if life.died is not None]
    assert dead == ["i", "l", "n", "o", "s", "t", "w", "es", "est", "lo", "ne", "new"]


def test_a_token_that_doubles_itself_loses_two_uses_a_merge():
    lives = {life.token: life for life in bpe.lifetimes(bpe.train("aaaa", 2, end_of_word=None))}
    assert (lives["a"].uses_at_birth, lives["a"].died) == (4, 1)
    assert (lives["aa"].uses_at_birth, lives["aa"].died, lives["aa"].swallowed_by) == (2, 2, "aaaa")


def test_bytes_that_the_corpus_never_had_were_never_born():
    training = bpe.train("ab ab", 1, byte_level=True)
    assert [life.token for life in bpe.lifetimes(training)] == ["a", "b", "Ġ", "ab"]


@given(st.text("abc ", min_size=1, max_size=60).filter(str.strip), st.integers(0, 30))
def test_equals_the_counts_of_every_state(text: str, merges: int):
    training = bpe.train(text, merges)
    lives = {life.id: life for life in bpe.lifetimes(training)}
    for step in range(len(training.steps) + 1):
        for token, count in enumerate(training.state_at(step).token_counts()):
            life = lives[token]
            lives_now = life.born <= step and (life.died is None or step < life.died)
            assert (count > 0) is lives_now
            if step == life.born:
                assert count == life.uses_at_birth
            if step == len(training.steps):
                assert count == life.uses
