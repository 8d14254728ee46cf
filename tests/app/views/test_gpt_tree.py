"""The tree of continuations: growing, forking, going back, and its way through links."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.views.gpt.tree import MOST_PATHS, Tree, parse, write

moves = st.lists(
    st.one_of(
        st.tuples(st.just("grow"), st.integers(0, 3)),
        st.tuples(st.just("move"), st.integers(-4, 4)),
        st.tuples(st.just("to"), st.integers(0, MOST_PATHS - 1)),
        st.tuples(st.just("drop"), st.integers(0, MOST_PATHS - 1)),
    ),
    max_size=60,
)


def walked(steps) -> Tree:
    tree = Tree()
    for move, number in steps:
        if move == "grow":
            tree = tree.grow(number)
        elif move == "move":
            tree = tree.moved(number)
        elif move == "to":
            tree = tree.to(number % len(tree.paths))
        else:
            tree = tree.without(number % len(tree.paths))
    return tree


def test_growing_extends_the_path():
    tree = Tree().grow(5).grow(7)
    assert tree == Tree(((5, 7),), 0, 2)


def test_another_token_after_going_back_is_a_fork_and_the_first_path_stays():
    tree = Tree().grow(5).grow(7).grow(9).moved(-2).grow(8)
    assert tree.paths == ((5, 7, 9), (5, 8))
    assert tree.here == (5, 8)
    assert tree.fork_of(1) == (0, 1)
    assert tree.to(0).here == (5, 7, 9)


def test_the_same_token_again_walks_on_instead_of_forking():
    tree = Tree().grow(5).grow(7).moved(-2)
    assert tree.grow(5) == Tree(((5, 7),), 0, 1)
    forked = tree.grow(6).to(0, 0)
    assert forked.grow(6).paths == forked.paths
    assert forked.grow(6).path == 1


def test_removing_a_path():
    tree = Tree(((1,), (2,), (3,)), 2, 1)
    assert tree.without(0) == Tree(((2,), (3,)), 1, 1)
    assert tree.without(2).here == (1,)
    assert Tree(((1,),), 0, 1).without(0) == Tree()


@given(moves)
def test_links_bring_any_tree_back(steps):
    tree = walked(steps)
    assert len(tree.paths) <= MOST_PATHS
    assert 0 <= tree.length <= len(tree.whole)
    assert parse(write(tree)) == tree or (tree == Tree() and write(tree) == "")


@pytest.mark.parametrize(
    "nonsense", ["", "x", "1.2", "1@9.9", "0/5.1@0.1", "1~2/3/4@0.0", "@", "1@a.b"]
)
def test_nonsense_is_no_tree(nonsense: str):
    tree = parse(nonsense)
    assert tree is None or all(token >= 0 for path in tree.paths for token in path)


@given(st.text(max_size=40))
def test_whatever_a_link_holds_nothing_breaks(given_text: str):
    tree = parse(given_text)
    assert tree is None or (tree.length <= len(tree.whole) and tree.path < len(tree.paths))
