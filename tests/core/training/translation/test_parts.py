"""Pairs, batches, BLEU and the notes on heads, by hand."""

from itertools import product

import numpy as np
import pytest
from tokenizers import Tokenizer

from core.errors import InputError
from core.training.translation.batches import NO_QUESTION, WIDTHS, Batches
from core.training.translation.heads import READING, WRITING, Reading, alignment, copied_words
from core.training.translation.measure import bleu, exact
from core.training.translation.pairs import (
    Pairs,
    Question,
    encode,
    held_out_questions,
    is_held_out,
)
from core.training.translation.tokenizer import END, PAD, START, UNK, train_tokenizer

ENGLISH = ["Tom is here.", "I see Tom.", "You never see the house today."] * 40
GERMAN = ["Tom ist hier.", "Ich sehe Tom.", "Du siehst das Haus heute nie."] * 40


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train_tokenizer([*ENGLISH, *GERMAN], size=150)


def test_words_begin_with_the_space_and_sentences_end_with_the_end(tokenizer: Tokenizer) -> None:
    encoding = tokenizer.encode("Tom  is\u00a0here.")
    assert encoding.tokens == ["▁Tom", "▁is", "▁here", ".", "</s>"]
    assert tokenizer.decode(encoding.ids) == "Tom is here."
    assert tokenizer.encode("日").ids == [tokenizer.token_to_id("▁"), UNK, END]


def test_all_translations_of_a_sentence_are_on_the_same_side() -> None:
    sentences = [f"sentence {number}" for number in range(1_000)]
    pairs = [(english, german) for english in sentences for german in ("a", "b")]
    held_out = held_out_questions(pairs)
    assert 0 < len(held_out) < 30
    assert all(question.references == ("a", "b") for question in held_out)
    assert all(is_held_out(question.english) for question in held_out)


def test_too_few_sentences_are_told() -> None:
    with pytest.raises(InputError, match="too few sentences to hold any out"):
        held_out_questions([("one", "eins")])


def test_a_batch_is_shifted_by_one_and_padded(tokenizer: Tokenizer) -> None:
    pairs = Pairs(encode(tokenizer, ENGLISH), encode(tokenizer, GERMAN))
    batch = next(Batches(pairs, seed=0, tokens=64).after(0))
    assert batch.source.shape == batch.labels.shape
    assert batch.source.shape[1] in WIDTHS
    assert batch.source.size <= 64
    for source, fed, labels in zip(batch.source, batch.decoder_input, batch.labels, strict=True):
        asked = labels != NO_QUESTION
        n = int(asked.sum())
        assert fed[0] == START
        assert labels[n - 1] == END
        np.testing.assert_array_equal(fed[1:n], labels[: n - 1])
        assert not asked[n:].any()
        english = tokenizer.decode(source[source != PAD].tolist())
        assert GERMAN[ENGLISH.index(english)] == tokenizer.decode(labels[:n].tolist())


def test_an_epoch_holds_no_pair_twice_and_a_later_start_goes_on(tokenizer: Tokenizer) -> None:
    words = ["".join(letters) for letters in product("Tomishe", repeat=3)][:100]
    pairs = Pairs(encode(tokenizer, words), encode(tokenizer, words))
    batches = Batches(pairs, seed=0, tokens=64)
    stream = batches.after(0)
    epoch = [next(stream) for _ in range(batches.an_epoch)]
    rows = [tuple(row) for batch in epoch for row in batch.source.tolist()]
    assert len(set(rows)) == len(rows)
    np.testing.assert_array_equal(next(batches.after(3)).source, epoch[3].source)
    np.testing.assert_array_equal(next(batches.after(batches.an_epoch)).source, next(stream).source)


def test_too_few_pairs_for_a_batch_are_told(tokenizer: Tokenizer) -> None:
    pairs = Pairs(encode(tokenizer, ENGLISH[:1]), encode(tokenizer, GERMAN[:1]))
    with pytest.raises(InputError, match="1 sentence pairs don't fill one batch of 64 tokens"):
        Batches(pairs, seed=0, tokens=64)


def test_bleu_takes_the_best_of_a_different_number_of_references() -> None:
    questions = [
        Question("a", ("Das ist ein kleines Haus.",)),
        Question("b", ("Ich gehe jetzt nach Hause.", "Jetzt gehe ich nach Hause.")),
    ]
    right = ["Das ist ein kleines Haus.", "Jetzt gehe ich nach Hause."]
    assert bleu(right, questions) == pytest.approx(100.0)
    assert exact(right, questions) == 1.0
    half = ["Das ist ein kleines Haus.", "Das war gestern abend schon so."]
    assert 0 < bleu(half, questions) < 60
    assert exact(half, questions) == 0.5


def test_alignment_counts_where_a_copied_word_is_looked_for(tokenizer: Tokenizer) -> None:
    english, german = tokenizer.encode("I see Tom.").ids, tokenizer.encode("Tom ist hier.").ids
    n, m = len(english), len(german)
    cross = np.zeros((1, 2, m, n), dtype=np.float32)
    cross[0, 0, 0, 2] = 1.0  # head 0: <s> looks at Tom, which it writes
    cross[0, 1, 1, 2] = 1.0  # head 1: Tom, written, looks at Tom
    square = np.zeros((1, 2, n, n), dtype=np.float32)
    reading = Reading(english, german, square, square, cross)
    assert copied_words(reading, tokenizer) == [(2, 0)]
    found = alignment([reading], tokenizer)
    np.testing.assert_array_equal(found[WRITING], [[1.0, 0.0]])
    np.testing.assert_array_equal(found[READING], [[0.0, 1.0]])
