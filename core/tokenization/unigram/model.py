"""The unigram language model: a word's probability under one cutting is a product.

Kudo, "Subword Regularization", ACL 2018, https://arxiv.org/abs/1804.10959, section 3.2.
Tokens are independent, so the best cutting is the best path from letter to letter.
"""

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.errors import InputError

UNKNOWN_PENALTY: Final = 10.0
"""An unknown letter's log-probability lies this far below the rarest piece's (SentencePiece)."""

MAX_LETTERS: Final = 1_000


@dataclass(frozen=True, slots=True)
class UnigramModel:
    """Pieces with their natural log-probabilities."""

    log_probabilities: Mapping[str, float]
    longest: int
    """Letters in the longest piece."""
    unknown: float
    """Log-probability of a letter that no piece covers."""


@dataclass(frozen=True, slots=True)
class LatticeEdge:
    """A piece that fits between two letters of the word."""

    start: int
    end: int
    piece: str
    log_probability: float
    posterior: float
    """Probability that a cutting drawn from the model uses this edge."""
    best: bool
    """Whether it lies on the best path."""
    unknown: bool


@dataclass(frozen=True, slots=True)
class LatticeNode:
    """A place between two letters, with the best cutting up to it."""

    place: int
    best_log_probability: float
    best_start: int | None
    """Where the last piece of that cutting begins."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """All cuttings of a word at once."""

    word: str
    edges: tuple[LatticeEdge, ...]
    nodes: tuple[LatticeNode, ...]
    log_likelihood: float
    """Log of the probability of the word, summed over all its cuttings."""


@dataclass(frozen=True, slots=True)
class Cutting:
    """One way to cut a word."""

    tokens: tuple[str, ...]
    log_probability: float
    share: float
    """Its probability among all cuttings of the word."""


def model_of(log_probabilities: Mapping[str, float]) -> UnigramModel:
    """A model from natural log-probabilities; InputError if there are none or one is not."""
    if not log_probabilities:
        raise InputError("The unigram model has no pieces.")
    for piece, value in log_probabilities.items():
        if not piece or not value <= 0.0 or math.isinf(value):
            raise InputError(
                f"The piece {piece!r} has the log-probability {value}; a piece needs a letter, "
                "and a finite value of at most 0."
            )
    return UnigramModel(
        dict(log_probabilities),
        max(map(len, log_probabilities)),
        min(log_probabilities.values()) - UNKNOWN_PENALTY,
    )


def from_frequencies(frequencies: Mapping[str, int]) -> UnigramModel:
    """A model whose probabilities are the pieces' shares of all counts."""
    total = sum(frequencies.values())
    return model_of({piece: math.log(count / total) for piece, count in frequencies.items()})


def best(word: str, model: UnigramModel) -> Cutting:
    """The most probable cutting (Viterbi); of equals the one whose last pieces start first."""
    return n_best(word, model, 1)[0] if word else Cutting((), 0.0, 1.0)


def lattice(word: str, model: UnigramModel) -> Lattice:
    """Every piece that fits, with its posterior probability and the best path."""
    edges = _edges(word, model)
    forward, backward = _sums(edges, len(word))
    total = forward[-1]
    arrivals = _best_arrivals(edges, len(word))
    path: set[tuple[int, int]] = set()
    place = len(word)
    while place > 0:
        start = arrivals[place][1]
        path.add((start, place))
        place = start
    return Lattice(
        word=word,
        edges=tuple(
            LatticeEdge(
                start,
                end,
                word[start:end],
                value,
                math.exp(min(0.0, forward[start] + value + backward[end] - total)),
                (start, end) in path,
                word[start:end] not in model.log_probabilities,
            )
            for start, end, value in edges
        ),
        nodes=tuple(
            LatticeNode(place, arrivals[place][0], arrivals[place][1] if place else None)
            for place in range(len(word) + 1)
        ),
        log_likelihood=total,
    )


def n_best(word: str, model: UnigramModel, n: int = 5) -> tuple[Cutting, ...]:
    """The n most probable cuttings, the most probable first; exact."""
    edges = _edges(word, model)
    total = _sums(edges, len(word))[0][-1]
    # the n best cuttings up to a place end with one of the n best up to where a piece starts
    ways: list[list[tuple[float, int, int]]] = [[(0.0, -1, -1)]]
    by_end = _by_end(edges, len(word))
    for place in range(1, len(word) + 1):
        options = [
            (value + way[0], start, number)
            for start, value in by_end[place]
            for number, way in enumerate(ways[start])
        ]
        options.sort(key=lambda option: (-option[0], option[1], option[2]))
        ways.append(options[:n])
    cuttings: list[Cutting] = []
    for value, start, number in ways[-1] if word else []:
        tokens: list[str] = []
        place, origin, rank = len(word), start, number
        while place > 0:
            tokens.append(word[origin:place])
            place = origin
            _, origin, rank = ways[place][rank]
        cuttings.append(Cutting(tuple(tokens[::-1]), value, math.exp(min(0.0, value - total))))
    return tuple(cuttings)


def sample(word: str, model: UnigramModel, alpha: float = 1.0, seed: int = 0) -> Cutting:
    """A cutting drawn at random, P(cutting)^alpha: forward sums, then backward draws.

    alpha 0 draws all cuttings alike; a large one hardly ever leaves the best (Kudo 2018).
    """
    chance = random.Random(seed)
    edges = _edges(word, model)
    scaled = [(start, end, alpha * value) for start, end, value in edges]
    forward, _ = _sums(scaled, len(word))
    by_end = _by_end(scaled, len(word))
    tokens: list[str] = []
    place = len(word)
    while place > 0:
        options = by_end[place]
        weights = [math.exp(forward[start] + value - forward[place]) for start, value in options]
        start = chance.choices([start for start, _ in options], weights)[0]
        tokens.append(word[start:place])
        place = start
    tokens.reverse()
    value = sum(model.log_probabilities.get(token, model.unknown) for token in tokens)
    total = _sums(edges, len(word))[0][-1]
    return Cutting(tuple(tokens), value, math.exp(min(0.0, value - total)))


def corpus_loss(counts: Mapping[str, int], model: UnigramModel) -> float:
    """Negative log-probability of a corpus, each word cut the best way."""
    return -sum(count * best(word, model).log_probability for word, count in counts.items())


def _edges(word: str, model: UnigramModel) -> list[tuple[int, int, float]]:
    if len(word) > MAX_LETTERS:
        raise InputError(
            f"The word has {len(word):,} letters; at most {MAX_LETTERS:,} are cut. "
            "Choose a pre-tokenizer that splits it."
        )
    known = model.log_probabilities
    edges: list[tuple[int, int, float]] = []
    for start in range(len(word)):
        for end in range(start + 1, min(start + model.longest, len(word)) + 1):
            value = known.get(word[start:end])
            if value is not None:
                edges.append((start, end, value))
            elif end == start + 1:
                edges.append((start, end, model.unknown))
    return edges


def _by_end(edges: list[tuple[int, int, float]], size: int) -> list[list[tuple[int, float]]]:
    by_end: list[list[tuple[int, float]]] = [[] for _ in range(size + 1)]
    for start, end, value in edges:
        by_end[end].append((start, value))
    return by_end


def _best_arrivals(edges: list[tuple[int, int, float]], size: int) -> list[tuple[float, int]]:
    arrivals: list[tuple[float, int]] = [(0.0, -1)]
    for options in _by_end(edges, size)[1:]:
        value, start = max(
            ((value + arrivals[start][0], start) for start, value in options),
            key=lambda option: (option[0], -option[1]),
        )
        arrivals.append((value, start))
    return arrivals


def _sums(edges: list[tuple[int, int, float]], size: int) -> tuple[list[float], list[float]]:
    """Log of the summed probability of all cuttings before and after each place."""
    into: list[list[float]] = [[] for _ in range(size + 1)]
    out: list[list[float]] = [[] for _ in range(size + 1)]
    forward, backward = [0.0] * (size + 1), [0.0] * (size + 1)
    by_end = _by_end(edges, size)
    for place in range(1, size + 1):
        into[place] = [forward[start] + value for start, value in by_end[place]]
        forward[place] = _log_sum(into[place])
    by_start: list[list[tuple[int, float]]] = [[] for _ in range(size + 1)]
    for start, end, value in edges:
        by_start[start].append((end, value))
    for place in range(size - 1, -1, -1):
        out[place] = [backward[end] + value for end, value in by_start[place]]
        backward[place] = _log_sum(out[place])
    return forward, backward


def _log_sum(values: list[float]) -> float:
    highest = max(values)
    return highest + math.log(sum(math.exp(value - highest) for value in values))
