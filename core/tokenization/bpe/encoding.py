"""Encoding one word with every step shown, and the tree of its merges.

Sennrich et al. 2016, https://arxiv.org/abs/1508.07909, section 3.2: a new word is cut into
its letters, and the merges are replayed in the order in which they were learned.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.errors import InputError
from core.tokenization.bpe.segmentation import (
    Joined,
    Pair,
    Variant,
    join_all,
    join_with_dropout,
    merge_ranks,
)
from core.tokenization.bpe.settings import marking_for
from core.tokenization.corpus import check_text
from core.tokenization.symbols import initial_symbols

MAX_SYMBOLS: Final = 1_000
"""Longest word whose every state is kept; `segmentation.segment` has no such limit."""


@dataclass(frozen=True, slots=True)
class MergeNode:
    """A token in the tree of merges: a leaf is an initial symbol."""

    token: str
    start: int
    """First initial symbol, and one past the last."""
    end: int
    rank: int | None
    """Rank of the merge that made it; None for a leaf, or a word that stayed whole."""
    step: int | None
    """Index among the encoding's steps; None for a leaf."""
    children: tuple["MergeNode", ...]


@dataclass(frozen=True, slots=True)
class EncodeStep:
    """One rule applied to the word, at all its places from left to right."""

    rank: int
    pair: Pair
    token: str
    merged: tuple[int, ...]
    """Which of `tokens` the rule made."""
    starts: tuple[int, ...]
    """First initial symbol of each of these."""
    tokens: tuple[str, ...]
    """The word after the step."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """A word's tokens, and how they came about."""

    word: str
    symbols: tuple[str, ...]
    """The word at first."""
    steps: tuple[EncodeStep, ...]
    tokens: tuple[str, ...]
    tree: tuple[MergeNode, ...]
    """One tree for each token."""

    def states(self) -> tuple[tuple[str, ...], ...]:
        """The word at first and after each step."""
        return (self.symbols, *(step.tokens for step in self.steps))


def encode(
    word: str,
    merges: Sequence[Pair],
    end_of_word: str | None = None,
    glued: bool = False,
    variant: str = "rank",
    upto: int | None = None,
    dropout: float = 0.0,
    seed: int = 0,
    *,
    byte_level: bool = False,
) -> Encoding:
    """Encode one word with the first `upto` merges (all if None), every step kept.

    Variants: "rank" looks pairs up; "whole-word" keeps a word that is a token (Hugging
    Face's `ignore_merges`); "concatenation" looks up the joined string, as tiktoken does.
    With dropout, merges are left out at random, repeatably for a seed. InputError for a
    word over MAX_SYMBOLS symbols, an unknown variant, and a dropout outside 0 … 1.
    """
    chosen = _variant_named(variant)
    if not 0.0 <= dropout <= 1.0:
        raise InputError(f"The dropout is {dropout}; it is a probability, from 0 to 1.")
    check_text(word)
    symbols = initial_symbols(
        word, marking_for(end_of_word, glued=glued), end_of_word or "", byte_level=byte_level
    )
    if len(symbols) > MAX_SYMBOLS:
        raise InputError(
            f"The word has {len(symbols):,} symbols; every step is shown up to {MAX_SYMBOLS:,}. "
            "Give a shorter word."
        )
    used = merges if upto is None else merges[: max(0, upto)]
    ranks = merge_ranks(used, chosen)
    whole = "".join(symbols)
    if chosen is not Variant.RANK and len(symbols) > 1 and whole in ranks.by_token:
        leaves = _leaves(symbols)
        node = MergeNode(whole, 0, len(symbols), None, None, leaves)
        return Encoding(word, symbols, (), (whole,), (node,))
    if dropout > 0.0:
        joined = join_with_dropout(symbols, ranks, dropout, seed)
    else:
        joined = join_all(symbols, ranks)
    return _replay(word, symbols, joined)


def _replay(word: str, symbols: tuple[str, ...], joined: Sequence[Joined]) -> Encoding:
    nodes: dict[int, MergeNode] = {leaf.start: leaf for leaf in _leaves(symbols)}
    steps: list[EncodeStep] = []
    group: list[int] = []
    for number, merge in enumerate(joined):
        left, right = nodes[merge.start], nodes.pop(merge.middle)
        token = left.token + right.token
        nodes[merge.start] = MergeNode(
            token, merge.start, merge.end, merge.rank, len(steps), (left, right)
        )
        group.append(merge.start)
        following = joined[number + 1] if number + 1 < len(joined) else None
        if following and following.rank == merge.rank and following.start > merge.start:
            pair = nodes[following.start].token, nodes[following.middle].token
            if pair == (left.token, right.token):
                continue  # the same rule, further right: one step
        order = sorted(nodes)
        steps.append(
            EncodeStep(
                rank=merge.rank,
                pair=(left.token, right.token),
                token=token,
                merged=tuple(order.index(start) for start in group),
                starts=tuple(group),
                tokens=tuple(nodes[start].token for start in order),
            )
        )
        group = []
    tree = tuple(nodes[start] for start in sorted(nodes))
    return Encoding(word, symbols, tuple(steps), tuple(node.token for node in tree), tree)


def _leaves(symbols: Sequence[str]) -> tuple[MergeNode, ...]:
    return tuple(MergeNode(symbol, i, i + 1, None, None, ()) for i, symbol in enumerate(symbols))


def _variant_named(name: str) -> Variant:
    try:
        return Variant(name)
    except ValueError as error:
        allowed = ", ".join(Variant)
        raise InputError(f"There is no variant called {name!r}; there are {allowed}.") from error
