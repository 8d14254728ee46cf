"""BPE training on corpora whose merges others have published or that were worked by hand."""

import pytest

from core.long_work import Progress
from core.tokenization import bpe
from core.tokenization.byte_alphabet import to_bytes
from core.tokenization.pre_tokenizers import GPT2
from tests.core.tokenization.corpora import COURSE, HUG, LECTURE


def tokens(training: bpe.BPETraining) -> str:
    return " ".join(step.token for step in training.steps)


def test_the_lectures_ten_merges():
    training = bpe.train(LECTURE, 10)
    assert tokens(training) == "es est est</w> lo low ne new newest</w> low</w> wi"
    assert training.merges[2] == ("est", "</w>")
    cut = {view.word: view.tokens for view in training.state_at(10).words()}
    assert cut["widest"] == ("wi", "d", "est</w>"), "the slides' last table has w i d est</w>"


def test_glued_marker_ends_elsewhere():
    training = bpe.train(LECTURE, 10, glued=True)
    assert tokens(training) == "es est</w> lo ne new newest</w> low</w> wi wid widest</w>"


def test_sennrichs_toy_goes_on_to_lower():
    training = bpe.train(LECTURE, 30)
    expected = (
        "es est est</w> lo low ne new newest</w> low</w> wi wid widest</w> lowe lower lower</w>"
    )
    assert tokens(training) == expected
    assert training.stopped is bpe.StopReason.NO_PAIR_LEFT


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (
            "greatest-strings",
            "st</w> est</w> lo west</w> ne newest</w> low</w> wi wid widest</w> we wer</w> "
            "lower</w>",
        ),
        (
            "smallest-ids",
            "es est</w> lo ew new newest</w> low</w> dest</w> idest</w> widest</w> "
            "er</w> wer</w> lower</w>",
        ),
    ],
)
def test_the_lecture_corpus_as_subword_nmt_and_hugging_face_have_it(rule: str, expected: str):
    assert tokens(bpe.train(LECTURE, 13, rule, glued=True)) == expected


def test_minbpes_wikipedia_example():
    # minbpe's docstring says Y=ab, its code merges aa, aaa, aaab (karpathy/minbpe#93)
    training = bpe.train("aaabdaaabac", 3, byte_level=True, pre_tokenizer="whole-text")
    assert tokens(training) == "aa aaa aaab"
    assert training.state_at(3).word(0).tokens == ("aaab", "d", "aaab", "a", "c")
    other = bpe.train("aaabdaaabac", 3, "smallest-ids", byte_level=True, pre_tokenizer="whole-text")
    assert tokens(other) == "aa ab aaab"


def test_hugging_face_courses_nineteen_merges():
    counts: dict[str, int] = {}
    for text in COURSE:
        for word in GPT2.words(text):
            counts[word] = counts.get(word, 0) + 1
    training = bpe.train(counts, 19, byte_level=True)
    expected = "Ġt is er Ġa Ġto en Th This ou se Ġtok Ġtoken nd Ġis Ġth Ġthe in Ġab Ġtokeni"
    assert tokens(training) == expected


def test_sentencepieces_abracadabra_until_no_pair_is_left():
    training = bpe.train("abracadabra", 20, "shortest-piece", end_of_word=None)
    assert tokens(training) == "ab ra abra ad cad abracad abracadabra"


def test_hug_corpus():
    assert tokens(bpe.train(HUG, 3, end_of_word=None)) == "ug un hug"


def test_count_sees_overlaps_and_replacements_do_not():
    step = bpe.train({"aaa": 4}, 1, end_of_word=None).steps[0]
    assert (step.count, step.replacements) == (8, 4)
    assert step.corpus_length == 8


def test_a_run_of_five_is_merged_from_the_left():
    training = bpe.train({"aaaaa": 1}, 4, end_of_word=None)
    assert training.state_at(1).word(0).tokens == ("aa", "aa", "a")
    assert [step.token for step in training.steps] == ["aa", "aaaa", "aaaaa"]


def test_overlapping_neighbours_are_counted_once():
    # abab: between two new tokens stands one (b, a), which must not be subtracted twice
    training = bpe.train({"ababab": 3, "ba": 1}, 2, end_of_word=None)
    assert training.merges[0] == ("a", "b")
    state = training.state_at(1)
    assert state.pair_count(("b", "a")) == 1
    assert state.pair_count(("ab", "ab")) == 6


def test_steps_account_for_the_whole_corpus():
    training = bpe.train(LECTURE, 12)
    assert training.corpus_lengths()[0] == sum(
        (len(word) + 1) * count for word, count in LECTURE.items()
    )
    for before, step in zip(training.corpus_lengths(), training.steps, strict=False):
        assert step.corpus_length == before - step.replacements
    assert training.vocabulary[training.n_initial :] == tuple(s.token for s in training.steps)


def test_minimum_frequency_ends_the_training():
    training = bpe.train(LECTURE, 50, min_frequency=6)
    assert [step.count for step in training.steps] == [9, 9, 9, 7, 7, 6, 6, 6]
    assert training.stopped is bpe.StopReason.TOO_RARE


def test_byte_level_ids_are_gpt2s_alphabet_then_the_merges():
    training = bpe.train("low lower", 2, byte_level=True)
    assert training.vocabulary[0] == "!"
    assert training.vocabulary[220] == "Ġ"
    assert training.n_initial == 256


def test_byte_level_merges_cut_through_an_emoji():
    training = bpe.train("👍👍👍", 3, byte_level=True)
    assert to_bytes(training.steps[-1].token) == "👍".encode()
    assert len(training.steps[0].token) == 2


def test_composed_and_decomposed_letters_are_different_words():
    training = bpe.train("\u00e9t\u00e9 e\u0301te\u0301", 0, end_of_word=None)
    assert [word.tokens for word in training.state_at(0).words()] == [
        ("é", "t", "é"),
        ("e", "\u0301", "t", "e", "\u0301"),
    ]


def test_alphabet_fixes_the_ids():
    usual = bpe.train({"ab": 1, "ba": 1}, 1, "smallest-ids", end_of_word=None)
    turned = bpe.train({"ab": 1, "ba": 1}, 1, "smallest-ids", end_of_word=None, alphabet=["b", "a"])
    assert usual.merges[0] == ("a", "b")
    assert turned.merges[0] == ("b", "a")


def test_progress_is_reported_and_may_end_the_training():
    seen: list[Progress] = []
    bpe.train("abcdefgh " * 3, 200, on_progress=seen.append)
    assert seen[0].stage == "counting words"
    assert seen[-1].done == seen[-1].total

    class CancelledError(Exception):
        pass

    def cancel(progress: Progress) -> None:
        if progress.stage == "merging":
            raise CancelledError

    with pytest.raises(CancelledError):
        bpe.train("abc abc", 10, on_progress=cancel)


def test_a_text_that_is_one_long_word_is_shown_in_part():
    training = bpe.train("ab" * 10_000, 3, end_of_word=None, pre_tokenizer="whole-text")
    view = training.state_at(1).word(0)
    assert (view.n_tokens, len(view.tokens), view.tokens[-1]) == (10_000, 5_000, "ab")
    view = training.state_at(3).word(0)
    assert (view.n_tokens, view.tokens) == (2_500, ("abababab",) * 2_500)
