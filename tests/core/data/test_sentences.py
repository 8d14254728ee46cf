import re

from core.data.sentences import REPEATED, WORDS_A_COPY, repeated_words, sentences
from core.explain.attention.head_roles import ENOUGH


def test_there_are_enough_sentences_for_a_label_and_none_is_told_twice():
    texts = sentences()
    assert len(texts) == len(set(texts)) >= ENOUGH
    assert all(re.fullmatch(r"[A-Z][A-Za-z0-9 ,']+[.?]", text) for text in texts)
    assert all(6 <= len(text.split()) <= 20 for text in texts)


def test_repeated_words_are_the_same_copy_twice():
    texts = repeated_words()
    assert len(set(texts)) == REPEATED >= ENOUGH
    for text in texts:
        words = text.split()
        assert words[:WORDS_A_COPY] == words[WORDS_A_COPY:]
        assert len(set(words)) == WORDS_A_COPY
    assert repeated_words() == texts
    assert repeated_words(1) != texts
