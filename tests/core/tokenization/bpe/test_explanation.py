"""Why a merge was chosen, what it did, and what a fork changes: worked on the lecture's corpus."""

import pytest

from core.errors import InputError
from core.tokenization import bpe
from tests.core.tokenization.corpora import LECTURE


def test_the_first_merge_is_a_tie_that_the_place_decides():
    decision = bpe.decision(bpe.train(LECTURE, 10), 0)
    assert decision is not None
    assert (decision.chosen.pair, decision.chosen.count, decision.n_tied) == (("e", "s"), 9, 3)
    tied, rarer = decision.comparisons[0], decision.comparisons[2]
    assert tied.rival.pair == ("s", "t")
    assert not tied.by_count
    assert tied.chosen_value == "word 3 “newest”, symbol 4"
    assert tied.rival_value == "word 3 “newest”, symbol 5"
    assert (rarer.by_count, rarer.chosen_value, rarer.rival_value) == (True, "9", "8")


@pytest.mark.parametrize(
    ("rule", "chosen", "value"),
    [
        ("greatest-strings", ("t", "</w>"), "('t', '</w>')"),
        ("greatest-bytes", ("t", "</w>"), "(b't', b'</w>')"),
        ("smallest-ids", ("e", "s"), "ids (1, 7)"),
        ("shortest-piece", ("e", "s"), "length and piece (2, 'es')"),
    ],
)
def test_each_rule_shows_what_it_compared(rule: str, chosen: tuple[str, str], value: str):
    decision = bpe.decision(bpe.train(LECTURE, 3, rule), 0)
    assert decision is not None
    assert decision.chosen.pair == chosen
    assert decision.comparisons[0].chosen_value == value


def test_no_decision_when_no_pair_is_left():
    training = bpe.train({"ab": 1}, 5)
    assert len(training.steps) == 2
    assert bpe.decision(training, 2) is None
    assert training.state_at(2).pairs().rows == ()


def test_words_before_and_after_with_the_merged_token():
    training = bpe.train(LECTURE, 3)
    newest, widest = bpe.words_touched(training, 1)
    assert newest.before.tokens == ("n", "e", "w", "es", "t", "</w>")
    assert newest.after.tokens == ("n", "e", "w", "est", "</w>")
    assert newest.merged == (3,)
    assert (widest.after.word, widest.after.count) == ("widest", 3)
    assert bpe.n_words_touched(training, 1) == (2, 9)


def test_pair_counts_that_a_merge_changed():
    training = bpe.train(LECTURE, 3)
    changes = {change.pair: change for change in bpe.pair_changes(training, 1)}
    assert (changes["es", "t"].before, changes["es", "t"].after) == (9, 0)
    assert changes["est", "</w>"].change == 9
    assert changes["w", "es"].change == -6
    assert changes["d", "est"].change == 3
    assert len(changes) == 7


def test_tokens_that_were_swallowed_count_zero():
    training = bpe.train(LECTURE, 3)
    counts = dict(zip(training.vocabulary, training.state_at(3).token_counts(), strict=True))
    assert (counts["es"], counts["est"], counts["est</w>"], counts["</w>"]) == (0, 0, 9, 7)


def test_another_tie_rule_parts_at_the_first_merge():
    first_seen = bpe.train(LECTURE, 10)
    other = bpe.fork(first_seen, tie_rule="greatest-strings")
    view = bpe.side_by_side(first_seen, other)
    assert (view.first_difference, view.was_tie) == (0, True)
    assert view.left is not None
    assert view.right is not None
    assert (view.left.pair, view.right.pair) == (("e", "s"), ("t", "</w>"))
    assert "es" in view.only_left
    assert "st</w>" in view.only_right


def test_a_forced_merge_goes_on_by_the_rule():
    training = bpe.train(LECTURE, 6)
    forced = bpe.fork(training, force=(2, ("l", "o")))
    assert forced.merges[:4] == (("e", "s"), ("es", "t"), ("l", "o"), ("est", "</w>"))
    assert [step.forced for step in forced.steps[:3]] == [True, True, True]
    view = bpe.side_by_side(training, forced)
    assert view.first_difference == 2
    assert not view.was_tie
    assert view.left_lengths[3] < view.right_lengths[3]


def test_glued_and_separate_markers_end_differently():
    glued, separate = bpe.train(LECTURE, 10, glued=True), bpe.train(LECTURE, 10)
    view = bpe.side_by_side(separate, glued)
    assert view.first_difference == 1
    assert ("widest", ("wi", "d", "est</w>"), ("widest</w>",)) in view.words
    assert "widest</w>" in view.only_right


def test_equal_trainings_do_not_differ():
    training = bpe.train(LECTURE, 10)
    view = bpe.side_by_side(training, bpe.fork(training))
    assert (view.first_difference, view.left, view.words) == (None, None, ())


def test_what_does_not_exist_is_refused():
    training = bpe.train(LECTURE, 3)
    with pytest.raises(InputError, match="no state after 4 merges"):
        training.state_at(4)
    with pytest.raises(InputError, match="no merge number 3"):
        bpe.words_touched(training, 3)
    with pytest.raises(InputError, match="can't be forced as merge 2"):
        bpe.fork(training, force=(1, ("x", "y")))
    with pytest.raises(ValueError, match="different corpora"):
        bpe.side_by_side(training, bpe.train({"other": 1}, 3))
