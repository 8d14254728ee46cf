"""Heads that find relations, on constructed looks with known answers."""

import numpy as np
import pytest

from core.explain.attention.head_roles import ENOUGH, HeadRole, RoleScore, with_scores
from core.explain.attention.relation_heads import (
    FEWEST_LINKS,
    MANY_LINKS,
    relation_heads,
    role_scores,
)
from core.explain.attention.relations import (
    ALL,
    COREFERENCE,
    NEAREST_NOUN,
    ROOT,
    ParsedSentence,
    Relation,
    aligned_links,
    links_of,
)
from core.explain.attention.role_patterns import SYNTACTIC
from core.explain.attention.word_looks import WordLooks
from core.explain.attribution.bootstrap import Interval

# "The old dog saw it ." : The → dog, old → dog, dog → saw, it → saw
WORDS = ("The", "old", "dog", "saw", "it", ".")
SENTENCE = ParsedSentence(
    "The old dog saw it.",
    WORDS,
    tuple((at, at + 1) for at in range(6)),
    ("DET", "ADJ", "NOUN", "VERB", "PRON", "PUNCT"),
    (2, 2, 3, ROOT, 3, 3),
    ("det", "amod", "nsubj", "root", "obj", "punct"),
    ((4, 2),),
)
DET, ANY = Relation("det", "head"), Relation(ALL, "head")
KNOWS = (2, 2, 3, 2, 2, 3)  # a head's looks: every link up, and the pronoun
NEXT = (1, 2, 3, 4, 5, -1)
OPEN = ~np.eye(6, dtype=bool)


def looks(*most: tuple[int, ...], visible: np.ndarray = OPEN) -> WordLooks:
    return WordLooks(
        tuple((0, head) for head in range(len(most))),
        np.array(most),
        np.full((len(most), 6), 0.5, np.float32),
        visible,
    )


def by_relation(*heads: tuple[int, ...], visible: np.ndarray = OPEN, times: int = FEWEST_LINKS):
    found = relation_heads([links_of(SENTENCE)] * times, [looks(*heads, visible=visible)] * times)
    return {one.relation: one for one in found}


def test_the_links_of_a_sentence_both_ways():
    links = links_of(SENTENCE)
    assert links[DET].right == {0: {2}}
    assert links[Relation("det", "dependent")].right == {2: {0}}
    assert links[ANY].right == {0: {2}, 1: {2}, 2: {3}, 4: {3}}
    assert links[Relation(COREFERENCE, "antecedent")].right == {4: {2}}
    assert not any(relation.label in ("root", "punct") for relation in links)
    assert Relation(ALL, "dependent") not in links


def test_a_word_with_two_dependents_of_a_kind_may_look_at_either():
    twice = ParsedSentence(
        *("", WORDS, SENTENCE.spans, SENTENCE.tags, SENTENCE.heads),
        ("amod", "amod", *SENTENCE.relations[2:]),
        (),
    )
    assert links_of(twice)[Relation("amod", "dependent")].right == {2: {0, 1}}


def test_guesses_by_hand():
    links = links_of(SENTENCE)
    guesses = links[DET].guesses
    np.testing.assert_array_equal(guesses["+2"], [2, 3, 4, 5, -1, -1])
    np.testing.assert_array_equal(guesses["−1"], [-1, 0, 1, 2, 3, 4])
    nouns = links[Relation(COREFERENCE, "antecedent")].guesses[NEAREST_NOUN]
    np.testing.assert_array_equal(nouns, [-1, -1, -1, 2, 2, 2])
    assert NEAREST_NOUN not in guesses


def test_a_head_that_knows_beats_the_offset_and_one_that_steps_does_not():
    det, every = (by_relation(KNOWS, NEXT)[one] for one in (DET, ANY))
    assert (det.n_links, det.n_sentences) == (FEWEST_LINKS, FEWEST_LINKS)
    assert [found.mean for found in det.accuracy] == [1, 0]
    assert (det.baseline, det.baseline_accuracy) == ("+2", 1)
    assert det.above[0].mean == 0
    # of old, dog, and it: the next word is right twice in four
    assert (every.baseline, every.baseline_accuracy) == ("+1", 0.5)
    assert [found.mean for found in every.accuracy] == [0.75, 0.5]  # "it" looks at the dog
    assert (every.best, every.above[0].mean, every.held_out) == (0, 0.25, 0.75)


def test_a_mask_that_looks_back_asks_only_what_it_lets_see():
    back = np.tril(OPEN)
    found = by_relation(KNOWS, visible=back)
    assert DET not in found
    assert found[Relation("det", "dependent")].n_links == FEWEST_LINKS
    assert found[ANY].n_links == FEWEST_LINKS  # it → saw alone
    assert found[ANY].baseline == "−1"


def test_held_out_is_low_where_the_best_head_is_best_by_luck():
    """Two heads, each right on one half of the sentences alone."""
    times = 2 * FEWEST_LINKS
    halves = [looks(KNOWS, NEXT), looks(NEXT, KNOWS)] * FEWEST_LINKS
    (det,) = (
        one for one in relation_heads([links_of(SENTENCE)] * times, halves) if one.relation == DET
    )
    assert [found.mean for found in det.accuracy] == [0.5, 0.5]
    assert det.held_out == 0
    assert 0.2 < det.accuracy[0].low < 0.5 < det.accuracy[0].high < 0.8


def test_too_few_links_have_no_line():
    assert DET not in by_relation(KNOWS, times=FEWEST_LINKS - 1)
    assert ANY in by_relation(KNOWS, times=FEWEST_LINKS // 4)


def test_a_heads_role_is_the_relation_that_it_finds_most_surely_above_the_guess():
    scores = role_scores(tuple(by_relation(KNOWS, NEXT, times=MANY_LINKS).values()), 60)
    assert scores[0, 0].of == "any → governor", "the guess knows det, amod and nsubj as well"
    assert (scores[0, 0].mass, scores[0, 0].baseline, scores[0, 0].n_inputs) == (0.75, 0.5, 60)
    assert scores[0, 1].above.low == 0
    assert role_scores(tuple(by_relation(KNOWS, times=MANY_LINKS // 5).values()), 60) == {}


def test_a_head_that_finds_links_is_named_for_that_before_where_it_rests():
    sure, unsure = (Interval(0.3, low, 0.4) for low in (0.11, 0.09))
    rests = {"first": RoleScore(0.9, 0.1, Interval(0.8, 0.7, 0.9), ENOUGH)}
    layers = [[HeadRole(0, head, "first", rests) for head in range(3)]]
    scores = {
        (0, 0): RoleScore(0.8, 0.5, sure, ENOUGH),
        (0, 1): RoleScore(0.8, 0.5, unsure, ENOUGH),
    }
    ((linked, resting, other),) = with_scores(layers, SYNTACTIC, scores)
    assert [linked.label, resting.label, other.label] == [SYNTACTIC, "first", "first"]
    assert SYNTACTIC in resting.scores
    assert other.scores == rests


def test_a_targets_words_and_the_guesses_that_stand_where_as_much_is_said():
    """Five source words and three of the target: the anchors are 0, 2 and 4."""
    (links,) = aligned_links([(0, 0), (1, 0), (4, 2)], 5, 3).values()
    assert links.right == {0: {0, 1}, 2: {4}}
    np.testing.assert_array_equal(links.guesses["+0"], [0, 2, 4])
    np.testing.assert_array_equal(links.guesses["−1"], [-1, 1, 3])


def test_no_sentences_are_a_mistake():
    with pytest.raises(ValueError, match="without a sentence"):
        relation_heads([], [])
