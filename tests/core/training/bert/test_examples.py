"""What bert-mini reads: sequences filled to their end, pairs that follow or do not, facts."""

from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer

from core.errors import InputError
from core.training.bert.corpus import Corpus, require_long_documents, split_sentences, tokenise
from core.training.bert.examples import NO_QUESTION, fact_blocks, single_segments, text_block
from core.training.bert.facts import FactBook, Triple, read_facts, tell
from core.training.bert.tokenizer import CLS, PAD, SEP, SPECIAL_TOKENS, train_tokenizer

FIRST = len(SPECIAL_TOKENS)
N_DOCUMENTS, N_SENTENCES, LENGTH = 40, 30, 7


@pytest.fixture
def corpus() -> Corpus:
    """Documents of 30 sentences of 7 tokens; every token is its document's number."""
    tokens = np.repeat(np.arange(N_DOCUMENTS), N_SENTENCES * LENGTH) + FIRST
    sentences = np.arange(N_DOCUMENTS * N_SENTENCES + 1) * LENGTH
    return Corpus(tokens.astype(np.uint16), sentences, np.arange(N_DOCUMENTS + 1) * N_SENTENCES)


@pytest.fixture
def counted() -> Corpus:
    """The same documents; every token is its own place in the text."""
    n_tokens = N_DOCUMENTS * N_SENTENCES * LENGTH
    sentences = np.arange(N_DOCUMENTS * N_SENTENCES + 1) * LENGTH
    return Corpus(
        np.arange(FIRST, FIRST + n_tokens, dtype=np.uint16),
        sentences,
        np.arange(N_DOCUMENTS + 1) * N_SENTENCES,
    )


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    text = ["the capital of norland is avon .", "hello world"] * 10
    return train_tokenizer(text, size=80, whole_words=("Avon", "Zürich"))


BOOK = FactBook(
    tuple(Triple("P36", f"Norland {number}", "Avon") for number in range(200)),
    {"P36": ("The capital of [X] is [Y].", "[Y] is the capital of [X].")},
)


def test_sequences_are_full_and_framed(corpus: Corpus) -> None:
    block = text_block(corpus, (200, 48), np.random.default_rng(0))
    assert block.real.all()
    assert (block.ids[:, 0] == CLS).all()
    assert (block.ids[:, -1] == SEP).all()
    n_separators = (block.ids == SEP).sum(axis=1)
    np.testing.assert_array_equal(n_separators, np.where(block.is_other == NO_QUESTION, 1, 2))
    before = np.cumsum(block.ids == SEP, axis=1) - (block.ids == SEP)  # separators before
    np.testing.assert_array_equal(block.segments, before)


def test_segments_come_from_the_documents_that_the_label_says(corpus: Corpus) -> None:
    block = text_block(corpus, (400, 48), np.random.default_rng(0))
    for ids, segments, is_other in zip(block.ids, block.segments, block.is_other, strict=True):
        a = set(ids[(segments == 0) & (ids >= FIRST)])
        b = set(ids[(segments == 1) & (ids >= FIRST)])
        assert len(a) == 1
        assert {NO_QUESTION: b == set(), 0: b == a, 1: len(b) == 1 and a != b}[int(is_other)]


def test_a_following_segment_begins_where_the_first_ends(counted: Corpus) -> None:
    block = text_block(counted, (200, 48), np.random.default_rng(0))
    rows = np.flatnonzero(block.is_other == 0)
    assert len(rows)
    for row in rows:
        words = block.ids[row][block.ids[row] >= FIRST]
        np.testing.assert_array_equal(np.diff(words), 1)
        first_of_b = block.ids[row][block.segments[row] == 1][0]
        assert (first_of_b - FIRST) % LENGTH == 0  # a sentence's start


def test_half_of_the_pairs_are_from_another_document(corpus: Corpus) -> None:
    block = text_block(corpus, (4_000, 48), np.random.default_rng(0))
    pairs = block.is_other[block.is_other != NO_QUESTION]
    assert abs(pairs.mean() - 0.5) < 0.03
    assert abs(len(pairs) / 4_000 - 0.8) < 0.03


def test_special_tokens_are_never_chosen(corpus: Corpus) -> None:
    generator = np.random.default_rng(0)
    block = text_block(corpus, (50, 48), generator)
    assert (block.ids[block.chosen(generator)] >= FIRST).all()


def test_facts_have_their_object_masked_in_four_of_five(tokenizer: Tokenizer) -> None:
    generator = np.random.default_rng(0)
    blocks = fact_blocks(BOOK, tokenizer, 64, generator)
    avon = tokenizer.token_to_id("avon")
    asked = 0
    for _ in range(32):
        block = next(blocks)
        assert (block.ids[block.always] == avon).all()
        assert block.ids.shape[1] % 8 == 0
        assert (block.ids[~block.real] == PAD).all()
        both = block.chosen(generator).any(axis=1) & block.always.any(axis=1)
        assert not both.any()
        asked += int(block.always.any(axis=1).sum())
    assert abs(asked / (32 * 64) - 0.8) < 0.04


def test_held_out_facts_are_never_told(tokenizer: Tokenizer) -> None:
    assert 0 < len(BOOK.held_out()) < len(BOOK.training())
    numbers = {triple.subject.split()[1] for triple in BOOK.held_out()}
    blocks = fact_blocks(BOOK, tokenizer, 64, np.random.default_rng(0))
    told = [tokenizer.decode(row) for _ in range(32) for row in next(blocks).ids.tolist()]
    assert not any(f"norland {number} " in f"{text} " for text in told for number in numbers)


def test_a_pair_of_names_is_held_out_in_both_directions() -> None:
    for number in range(100):
        one = Triple("P36", f"Land {number}", "Avon")
        assert one.held_out == Triple("P1376", "Avon", f"Land {number}").held_out


def test_tell_puts_the_names_in_their_places() -> None:
    triple = Triple("P36", "France", "Paris")
    assert tell(triple, "[Y] is the capital of [X].") == "Paris is the capital of France."
    assert tell(triple, "[X]: [Y]", object_="[MASK]") == "France: [MASK]"


def test_whole_words_are_single_tokens_and_the_size_stays(tokenizer: Tokenizer) -> None:
    assert tokenizer.get_vocab_size() <= 80
    assert tokenizer.encode("Zürich", add_special_tokens=False).tokens == ["zurich"]
    assert [tokenizer.id_to_token(index) for index in range(FIRST)] == list(SPECIAL_TOKENS)


def test_a_pair_is_framed_with_segments(tokenizer: Tokenizer) -> None:
    encoding = tokenizer.encode("avon", "avon")
    assert encoding.tokens == ["[CLS]", "avon", "[SEP]", "avon", "[SEP]"]
    assert encoding.type_ids == [0, 0, 0, 1, 1]


def test_sentences_end_where_a_capital_or_a_digit_follows() -> None:
    assert split_sentences('He left. "Why?" She knew. 7 of them, e.g. two.') == [
        "He left.",
        '"Why?',
        "She knew.",
        "7 of them, e.g. two.",
    ]


def test_tokenise_keeps_sentences_and_documents(tokenizer: Tokenizer) -> None:
    made = tokenise([("Avon is. Avon.", "Avon"), ("Avon",)], tokenizer)
    assert made.n_documents == 2
    assert made.documents.tolist() == [0, 3, 4]
    assert tokenizer.decode(made.span(1, 3).tolist()) == "avon. avon"


def test_text_too_short_for_a_sequence_is_told(corpus: Corpus) -> None:
    require_long_documents(corpus, 48)
    with pytest.raises(InputError, match=r"more than 612 tokens; .*have \[210, 210\].*more text"):
        require_long_documents(corpus, 512)


def test_facts_without_a_pattern_are_left_out(tmp_path: Path) -> None:
    from tests.core.training.made_up import write_data

    folder = write_data(tmp_path)
    (folder / "facts" / "patterns.tsv").write_text("P1\tnothing\t[X] [Y]\n")
    with pytest.raises(InputError, match=r"no relation of .* has a pattern"):
        read_facts(folder)


def test_single_segments_ask_nothing_but_their_words() -> None:
    ids = np.array([[CLS, 9, 8, SEP], [CLS, 7, SEP, PAD]])
    block = single_segments(ids)
    assert (block.is_other == NO_QUESTION).all()
    assert not block.segments.any()
    np.testing.assert_array_equal(block.real, ids != PAD)
    chosen = block.chosen(np.random.default_rng(0))
    assert chosen.sum(axis=1).tolist() == [1, 1]
    assert not chosen[:, [0, 3]].any()
