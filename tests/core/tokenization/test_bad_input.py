"""Corpora and patterns that break other trainers: a clear message, or the right result."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.limits import CORPUS_CHARACTERS, MERGES_CHARACTERS, TOKENIZER_BYTES
from core.tokenization import bpe, pre_tokenizers, unigram, wordpiece
from core.tokenization.loading import load_tokenizer


@pytest.mark.parametrize("corpus", ["", " \n\t ", {}])
def test_an_empty_corpus_is_refused(corpus: str | dict[str, int]):
    for train in (bpe.train, wordpiece.train, unigram.train):
        with pytest.raises(InputError, match="The corpus has no words"):
            train(corpus, 10)


def test_one_letter():
    training = bpe.train("a", 10, end_of_word=None)
    assert (training.merges, training.vocabulary) == ((), ("a",))
    assert training.stopped is bpe.StopReason.NO_PAIR_LEFT
    assert training.state_at(0).pairs().n_pairs == 0
    assert bpe.train("a", 10).merges == (("a", "</w>"),)
    assert wordpiece.train("a", 10).steps == ()
    assert set(unigram.train("a", 2).vocabulary) == {"▁", "a"}


def test_five_megabytes_of_one_letter():
    start = time.perf_counter()
    training = bpe.train("a" * 5_000_000, 100, end_of_word=None)
    assert time.perf_counter() - start < 20
    assert training.merges[0] == ("a", "a")
    assert [step.replacements for step in training.steps[:3]] == [2_500_000, 1_250_000, 625_000]
    assert training.steps[0].count == 4_999_999
    assert training.steps[-1].corpus_length == 1
    table = training.state_at(1).pairs()
    assert (table.rows[0].count, table.rows[0].replacements) == (2_499_999, 1_250_000)


def test_nul_is_a_letter_like_any_other():
    training = bpe.train("a\0b a\0b", 3, end_of_word=None)
    assert training.steps[1].token == "a\0b"
    whole = bpe.train("a\0b", 3, byte_level=True, pre_tokenizer="whole-text")
    assert whole.steps[0].token == "aĀ"


@pytest.mark.parametrize("corpus", ["ab \ud800", {"\udfff": 1}])
def test_lone_surrogates_are_refused(corpus: str | dict[str, int]):
    with pytest.raises(InputError, match="lone surrogate"):
        bpe.train(corpus, 3)


def test_counts_below_one_and_empty_words_are_refused():
    with pytest.raises(InputError, match="count 0"):
        bpe.train({"a": 0}, 3)
    with pytest.raises(InputError, match="empty word"):
        bpe.train({"": 1}, 3)


def test_the_marker_must_not_stand_in_the_text():
    with pytest.raises(InputError, match="holds the marker '</w>'"):
        bpe.train("low</w> lower", 3)
    assert bpe.train("low</w> lower", 3, end_of_word="▁").steps


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"tie_rule": "random"}, "no tie rule called 'random'; there are first-seen"),
        ({"pre_tokenizer": "gpt5"}, "no pre-tokenizer called 'gpt5'; there are whitespace"),
        ({"min_frequency": 0}, "it starts at 1"),
        ({"end_of_word": None, "glued": True}, "needs an end-of-word marker"),
        ({"alphabet": ["a"]}, "lacks 2 symbols of the corpus"),
    ],
)
def test_bad_settings_say_what_is_allowed(arguments: dict[str, object], message: str):
    with pytest.raises(InputError, match=message):
        bpe.train("ab", 3, **arguments)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("n_merges", [-1, 100_001])
def test_the_number_of_merges_has_limits(n_merges: int):
    with pytest.raises(InputError, match="0 to 100,000 are allowed"):
        bpe.train("ab", n_merges)


def test_a_text_beyond_the_limit_is_refused():
    with pytest.raises(InputError, match=f"at most {CORPUS_CHARACTERS:,} are read"):
        bpe.train("a" * (CORPUS_CHARACTERS + 1), 1)


def test_files_beyond_the_limit_are_refused():
    with pytest.raises(InputError, match=f"{MERGES_CHARACTERS:,} are read"):
        bpe.read_merges("a b\n" * (MERGES_CHARACTERS // 4 + 1))
    with pytest.raises(InputError, match=f"at most {TOKENIZER_BYTES:,} are read"):
        load_tokenizer(bytes(TOKENIZER_BYTES + 1), "tokenizer.json")


@pytest.mark.parametrize("pattern", ["(", "[a", r"\p{Nonsense}", "a{2,1}"])
def test_a_pattern_that_does_not_compile(pattern: str):
    with pytest.raises(InputError, match="does not compile"):
        pre_tokenizers.custom(pattern)


def test_a_pattern_that_explodes_is_stopped():
    pattern = pre_tokenizers.custom(r"(?:a|a)*b|(a+)+$", time_limit=0.3)
    start = time.perf_counter()
    with pytest.raises(InputError, match=r"was stopped after 0\.3 s"):
        bpe.train("a" * 200 + "!", 3, pre_tokenizer=pattern)
    with pytest.raises(InputError, match="was stopped after"):
        list(pattern.spans("a" * 200 + "!"))
    assert time.perf_counter() - start < 5


def test_a_pattern_with_groups_gives_whole_matches():
    assert pre_tokenizers.custom(r"(\w)(\w)").words("abcd e") == ["ab", "cd"]


def test_a_pattern_without_matches_is_an_empty_corpus():
    with pytest.raises(InputError, match="found nothing to keep"):
        bpe.train("abc", 3, pre_tokenizer=pre_tokenizers.custom(r"\d+"))


def test_mixed_scripts_train_together():
    training = bpe.train("low низкий 低い منخفض נמוך कम low 低い", 40)
    assert training.stopped is bpe.StopReason.NO_PAIR_LEFT
    assert all(len(view.tokens) == 1 for view in training.state_at(len(training.steps)).words())
    assert bpe.encode("низкий", training.merges, "</w>").tokens


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=40), st.booleans())
def test_any_text_trains_or_is_refused(text: str, byte_level: bool):
    try:
        training = bpe.train(text, 10, byte_level=byte_level)
    except InputError:
        return
    for step in range(len(training.steps) + 1):
        state = training.state_at(step)
        for view in state.words():
            joined = "".join(view.tokens)
            assert byte_level or joined == view.word + "</w>"
