"""Beam search on a toy language worked by hand, and its promises on random ones."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.translation.beam_search import beam_search
from core.outputs.translation import Fate, Normalisation, SearchSettings

END, A, B = 0, 1, 2
TOY = {  # P of (end, a, b) after what is said: greedy says a, but b is the way to the best
    (): (0.0, 0.6, 0.4),
    (A,): (0.2, 0.4, 0.4),
    (B,): (0.9, 0.05, 0.05),
}
OTHERWISE = (0.98, 0.01, 0.01)


def toy(hypotheses, _rows):
    with np.errstate(divide="ignore"):
        rows = [TOY.get(tuple(tokens), OTHERWISE) for tokens in hypotheses]
        return np.log(np.array(rows, dtype=np.float32))


def search(**given):
    chosen = {"beams": 2, "limit": 5, "length_penalty": 0.0} | given
    return beam_search(toy, SearchSettings(**chosen), end=END)


def words(found, node):
    return tuple(one.token for one in found.path(node))


def test_greedy_takes_the_best_word_each_time():
    found = search(beams=1)
    assert words(found, found.finished[0].node) == (A, A, END)
    assert found.finished[0].score == pytest.approx(-math.log(0.6 * 0.4 * 0.98), abs=1e-5)
    assert len(found.steps) == 3  # greedy stops at the end


def test_two_beams_find_what_greedy_missed():
    found = search()
    assert words(found, found.finished[0].node) == (B, END)
    assert found.finished[0].score == pytest.approx(-math.log(0.4 * 0.9), abs=1e-5)


def test_scores_are_sums_of_minus_log_p_and_best_comes_first():
    found = search()
    for step in found.steps:
        scores = [one.score for one in step.candidates]
        assert scores == sorted(scores)
        for one in step.candidates:
            total = sum(each.word_score for each in found.path(one.node))
            assert one.score == pytest.approx(total, abs=1e-5)
            assert one.word_score >= 0


def test_fates_of_the_second_step():
    fates = {
        words(found, one.node): one.fate
        for found in [search()]
        for one in found.steps[1].candidates
    }
    assert fates == {
        (B, END): Fate.FINISHED,  # 0.36
        (A, A): Fate.LIVE,  # 0.24
        (A, B): Fate.LIVE,  # 0.24
        (A, END): Fate.OUTSIDE,  # 0.12: an end, but beyond the beam
    }


@pytest.mark.parametrize(
    ("normalisation", "length", "expected"),
    [
        (Normalisation.LENGTH, 8, 8**0.6),
        (Normalisation.WU, 1, 1.0),
        (Normalisation.WU, 7, 2**0.6),  # (5 + 7) / 6 = 2
    ],
)
def test_penalties(normalisation, length, expected):
    chosen = SearchSettings(4, 50, 0.6, normalisation)
    assert chosen.penalty(length) == pytest.approx(expected)


def test_the_penalty_decides_between_short_and_long():
    def two_ways(hypotheses, _rows):
        rows = []
        for tokens in hypotheses:
            if not tokens:
                rows.append((0.4, 0.6, 0.0))
            else:
                rows.append((0.5, 0.5, 0.0) if len(tokens) < 2 else (1.0, 0.0, 0.0))
        with np.errstate(divide="ignore"):
            return np.log(np.array(rows, dtype=np.float32))

    lengths = {}
    for alpha in (0.0, 3.0):
        found = beam_search(two_ways, SearchSettings(3, 6, alpha), end=END)
        lengths[alpha] = len(found.path(found.finished[0].node))
    assert lengths == {0.0: 1, 3.0: 3}


def test_the_word_margin_drops_words_far_below_the_steps_best():
    found = search(word_margin=0.3)  # ln 0.6 − ln 0.4 = 0.405
    fates = {one.token: one.fate for one in found.steps[0].candidates}
    assert fates == {A: Fate.LIVE, B: Fate.WORD_MARGIN}
    assert words(found, found.finished[0].node)[0] == A
    everything = search(word_margin=100.0)
    assert everything.finished == search().finished


def test_the_hypothesis_margin_drops_what_lies_far_behind_the_finished():
    found = search(hypothesis_margin=0.1)
    last = found.steps[-1].candidates
    assert len(found.steps) == 2
    assert {one.fate for one in last} == {Fate.FINISHED, Fate.HYPOTHESIS_MARGIN, Fate.OUTSIDE}
    best = found.finished[0].normalised
    pruned = [one for one in last if one.fate == Fate.HYPOTHESIS_MARGIN]
    assert all(one.normalised > best + 0.1 for one in pruned)


def test_the_limit_cuts_off():
    def endless(hypotheses, _rows):
        with np.errstate(divide="ignore"):
            return np.log(np.tile(np.float32([0.0, 0.7, 0.3]), (len(hypotheses), 1)))

    found = beam_search(endless, SearchSettings(2, 4, 0.0), end=END)
    assert len(found.steps) == 4
    assert [one.fate for one in found.finished] == [Fate.LIMIT, Fate.LIMIT]
    assert words(found, found.finished[0].node) == (A, A, A, A)


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.integers(2, 3))
def test_a_beam_as_wide_as_the_language_finds_the_best_of_all(seed, limit):
    """With 3 tokens, 2 of them not the end, at most 2^limit hypotheses live."""

    def random_language(hypotheses, _rows):
        rows = []
        for tokens in hypotheses:
            generator = np.random.default_rng([seed, *tokens])
            rows.append(np.log(generator.dirichlet(np.ones(3))))
        return np.array(rows, dtype=np.float32)

    found = beam_search(random_language, SearchSettings(3**limit, limit, 0.0), end=END)
    best = math.inf
    for length in range(1, limit + 1):
        for body in itertools.product((A, B), repeat=length):
            sentence = (*body[:-1], END) if length < limit else body
            ways = [sentence] if length < limit else [body, (*body[:-1], END)]
            for way in ways:
                rows = [random_language([way[:i]], [0])[0, token] for i, token in enumerate(way)]
                best = min(best, -float(np.sum(rows)))
    assert found.finished[0].score == pytest.approx(best, abs=1e-4)
