"""BPE against other trainers on random corpora, for every tie rule, at every step."""

import io
import lzma
import os
from pathlib import Path

import pytest
import sentencepiece
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from core.tokenization import bpe
from tests.core.tokenization.corpora import random_words
from tests.core.tokenization.oracles import (
    Pair,
    hugging_face_merges,
    merges_of,
    naive_merges,
    pair_counts,
)

WORDS = st.dictionaries(
    st.text(alphabet="abcé東", min_size=1, max_size=9),
    st.integers(min_value=1, max_value=20),
    min_size=1,
    max_size=12,
)


def naive(words: dict[str, int], rule: str, n_merges: int) -> list[Pair]:
    alphabet = sorted({letter for word in words for letter in word})
    ids = {letter: number for number, letter in enumerate(alphabet)}

    def choose(tied: list[Pair]) -> Pair:
        match rule:
            case "first-seen":
                chosen = tied[0]
            case "greatest-strings":
                chosen = max(tied)
            case "greatest-bytes":
                chosen = max(tied, key=lambda pair: (pair[0].encode(), pair[1].encode()))
            case "smallest-ids":
                chosen = min(tied, key=lambda pair: (ids[pair[0]], ids[pair[1]]))
            case _:
                chosen = min(tied, key=lambda pair: (len("".join(pair)), "".join(pair)))
        ids["".join(chosen)] = len(ids)
        return chosen

    return naive_merges([(tuple(word), count) for word, count in words.items()], n_merges, choose)[
        0
    ]


@pytest.mark.parametrize(
    "block", [0, *(pytest.param(block, marks=pytest.mark.slow) for block in (1, 2, 3))]
)
def test_merges_equal_hugging_faces_on_a_thousand_random_corpora(block: int):
    for seed in range(block * 250, (block + 1) * 250):
        words = random_words(seed)
        got = list(bpe.train(words, 20, "smallest-ids", end_of_word=None).merges)
        assert got == hugging_face_merges(words, 20), f"seed {seed}: {words}"


@pytest.mark.parametrize("rule", list(bpe.TieRule))
@settings(deadline=None, max_examples=40)
@given(words=WORDS)
def test_each_tie_rule_equals_a_naive_trainer(rule: str, words: dict[str, int]):
    assert list(bpe.train(words, 25, rule, end_of_word=None).merges) == naive(words, rule, 25)


@settings(deadline=None, max_examples=30)
@given(words=WORDS, data=st.data())
def test_every_state_is_what_replaying_the_merges_gives(words: dict[str, int], data: st.DataObject):
    training = bpe.train(words, 15)
    start = [((*word, "</w>"), count) for word, count in words.items()]
    merges = iter(training.merges)
    replayed, states = naive_merges(start, len(training.merges), lambda _: next(merges))
    assert replayed == list(training.merges)
    order = data.draw(st.permutations(range(len(states))))
    for step in order:  # back and forth
        state = training.state_at(step)
        words_now = [state.word(index).tokens for index in range(len(words))]
        assert words_now == states[step]
        counts = list(words.values())
        length = sum(len(word) * count for word, count in zip(words_now, counts, strict=True))
        assert state.corpus_length == length
        totals: dict[Pair, int] = {}
        for word, count in zip(words_now, counts, strict=True):
            for pair, number in pair_counts({word: count}).items():
                totals[pair] = totals.get(pair, 0) + number
        table = state.pairs(1000)
        assert {row.pair: row.count for row in table.rows} == totals
        assert table.n_pairs == len(totals)
        assert sum(state.token_counts()) == length


@settings(deadline=None, max_examples=12)
@given(words=WORDS)
def test_the_table_leads_with_the_pair_that_comes_next(words: dict[str, int]):
    for rule in bpe.TieRule:
        training = bpe.train(words, 12, rule, end_of_word=None)
        for step in training.steps:
            table = training.state_at(step.rank).pairs(50)
            first = table.rows[0]
            assert (first.pair, first.count, first.replacements) == (
                step.pair,
                step.count,
                step.replacements,
            )
            assert table.n_tied == step.n_tied == sum(row.tied for row in table.rows)


@settings(deadline=None, max_examples=30)
@given(st.text(alphabet="ab cé👍\n'1", max_size=60))
def test_byte_level_equals_hugging_face(text: str):
    if not text:
        return
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=286, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    tokenizer.train_from_iterator([text], trainer)
    training = bpe.train(text, 30, "smallest-ids", byte_level=True)
    assert list(training.merges) == merges_of(tokenizer)


def test_glued_merges_equal_hugging_faces_when_the_ids_are_the_same():
    # decorated ids follow hash order there (tokenizers#1794), so they are read from its result
    for seed in range(40):
        words = random_words(seed)
        tokenizer = Tokenizer(models.BPE(end_of_word_suffix="</w>"))
        tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
        trainer = trainers.BpeTrainer(
            vocab_size=60, end_of_word_suffix="</w>", show_progress=False, min_frequency=0
        )
        tokenizer.train_from_iterator(
            [" ".join([word] * count) for word, count in words.items()], trainer
        )
        vocabulary = tokenizer.get_vocab()
        merges = merges_of(tokenizer)
        by_id = sorted(vocabulary, key=lambda token: vocabulary[token])
        alphabet = by_id[: len(by_id) - len(merges)]
        training = bpe.train(words, len(merges), "smallest-ids", glued=True, alphabet=alphabet)
        assert list(training.merges) == merges, f"seed {seed}"


def test_shortest_piece_equals_sentencepiece_while_pairs_occur():
    for seed in range(12):
        words = {word: count for word, count in random_words(seed).items() if "😉" not in word}
        if not words or max(map(len, words)) < 2:
            continue
        wanted = bpe.train(words, 12, "shortest-piece", end_of_word=None, min_frequency=2)
        letters = {letter for word in words for letter in word}
        lines = "".join(f"{word}\n" * count for word, count in words.items())
        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(lines.splitlines()),
            model_writer=model,
            model_type="bpe",
            vocab_size=3 + len(letters) + len(wanted.merges),
            add_dummy_prefix=False,
            split_by_unicode_script=False,
            split_by_number=False,
            split_digits=False,
            normalization_rule_name="identity",
            character_coverage=1.0,
            hard_vocab_limit=False,
            minloglevel=3,
        )
        processor = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
        pieces = [processor.id_to_piece(i) for i in range(3, processor.get_piece_size())]
        learned = [piece for piece in pieces if len(piece) > 1]
        assert learned[: len(wanted.steps)] == [step.token for step in wanted.steps], f"seed {seed}"


@pytest.mark.skipif("GLASSFORMER_DATA" not in os.environ, reason="needs GLASSFORMER_DATA")
def test_merges_of_a_real_text_equal_hugging_faces():
    folder = Path(os.environ["GLASSFORMER_DATA"]) / "text"
    for name in ("wiki-en.txt.xz", "books-en.txt.xz"):
        with lzma.open(folder / name, "rt", encoding="utf-8") as file:
            text = file.read(300_000)
        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        trainer = trainers.BpeTrainer(
            vocab_size=256 + 1000,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        )
        tokenizer.train_from_iterator([text], trainer)
        training = bpe.train(text, 1000, "smallest-ids", byte_level=True)
        assert list(training.merges) == merges_of(tokenizer)
