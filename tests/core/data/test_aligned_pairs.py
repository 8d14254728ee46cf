"""The aligned pairs: enough of them, links between words that exist, few words without one."""

from core.data.aligned_pairs import aligned_pairs
from core.explain.attention.head_roles import ENOUGH


def test_there_are_enough_pairs_and_none_comes_twice():
    assert len({one.source for one in aligned_pairs()}) == len(aligned_pairs()) >= ENOUGH


def test_links_join_words_that_exist_each_pair_once_and_leave_out_an_auxiliary_at_most():
    for pair in aligned_pairs():
        source, target = pair.source.split(), pair.target.split()
        assert len(set(pair.links)) == len(pair.links), pair
        assert {word for word, _ in pair.links} <= set(range(len(source))), pair
        linked = {word for _, word in pair.links}
        assert linked <= set(range(len(target))), pair
        assert len(target) - len(linked) <= 1, pair


def test_spans_are_the_words():
    for pair in aligned_pairs():
        words = [pair.source[start:end] for start, end in pair.source_spans]
        assert words == pair.source.split()
