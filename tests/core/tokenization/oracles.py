"""Slow and plain trainers to compare with: everything counted again before each merge."""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

Pair = tuple[str, str]
Words = dict[tuple[str, ...], int]


def pair_counts(words: Mapping[tuple[str, ...], int]) -> dict[Pair, int]:
    """Counts of neighbours in the order in which the corpus shows them."""
    counts: dict[Pair, int] = {}
    for word, count in words.items():
        for pair in pairwise(word):
            counts[pair] = counts.get(pair, 0) + count
    return counts


def replace_pair(word: Sequence[str], pair: Pair) -> tuple[str, ...]:
    """Replace a pair from left to right."""
    merged: list[str] = []
    i = 0
    while i < len(word):
        if i + 1 < len(word) and (word[i], word[i + 1]) == pair:
            merged.append(word[i] + word[i + 1])
            i += 2
        else:
            merged.append(word[i])
            i += 1
    return tuple(merged)


def naive_merges(
    words: Sequence[tuple[tuple[str, ...], int]],
    n_merges: int,
    choose: Callable[[list[Pair]], Pair],
    min_frequency: int = 1,
) -> tuple[list[Pair], list[list[tuple[str, ...]]]]:
    """The merges and, after each of them, all words; `choose` decides between equals."""
    current = [list(word) for word, _ in words]
    counts = [count for _, count in words]
    merges: list[Pair] = []
    states = [[tuple(word) for word in current]]
    for _ in range(n_merges):
        stats: dict[Pair, int] = {}
        for word, count in zip(current, counts, strict=True):
            for pair in pairwise(word):
                stats[pair] = stats.get(pair, 0) + count
        if not stats or max(stats.values()) < min_frequency:
            break
        best = max(stats.values())
        pair = choose([pair for pair in stats if stats[pair] == best])
        merges.append(pair)
        current = [list(replace_pair(word, pair)) for word in current]
        states.append([tuple(word) for word in current])
    return merges, states


def hugging_face_merges(words: Mapping[str, int], n_merges: int) -> list[Pair]:
    """What `tokenizers` learns from counted words without spaces, undecorated."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    n_letters = len({letter for word in words for letter in word})
    trainer = trainers.BpeTrainer(
        vocab_size=n_letters + n_merges, min_frequency=0, show_progress=False
    )
    tokenizer.train_from_iterator(
        (" ".join([word] * count) for word, count in words.items()), trainer
    )
    return merges_of(tokenizer)


def merges_of(tokenizer: Tokenizer) -> list[Pair]:
    """The merges that a `tokenizers` BPE holds."""
    merges = json.loads(tokenizer.to_str())["model"]["merges"]
    return [tuple(rule.split(" ")) if isinstance(rule, str) else tuple(rule) for rule in merges]
