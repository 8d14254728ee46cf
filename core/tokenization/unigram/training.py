"""Unigram, trained: start with too many pieces, and drop those the corpus misses least.

Kudo, "Subword Regularization", ACL 2018, https://arxiv.org/abs/1804.10959, section 3.2.
The details are SentencePiece's (unigram_model_trainer.cc): two EM rounds before each
pruning, digamma in the M-step, a quarter of the pieces pruned at a time. The seed counts
substrings of distinct words directly, where SentencePiece takes a suffix array.
"""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Bool, Float64

from core.errors import InputError
from core.long_work import Progress, Report
from core.tokenization.bpe.settings import pre_tokenizer_for
from core.tokenization.corpus import WordCounts, count_words
from core.tokenization.pre_tokenizers import PreTokenizer
from core.tokenization.unigram.corpus_lattice import CorpusLattice, build_lattice
from core.tokenization.unigram.model import MAX_LETTERS, UnigramModel, model_of

MAX_PIECE: Final = 16
SHRINK: Final = 0.75
EM_ROUNDS: Final = 2
_RARE: Final = 0.5
"""A piece that the E-step expects less often than this is dropped."""
_OVERSHOOT: Final = 1.1
"""Pruning stops at this multiple of the wanted size; the last pieces go by probability."""


@dataclass(frozen=True, slots=True)
class PrunedPiece:
    """A piece that was dropped, and by how much that lowers the log-likelihood of a word."""

    piece: str
    loss: float


@dataclass(frozen=True, slots=True)
class UnigramRound:
    """EM and one pruning."""

    number: int
    pieces_before: int
    pieces_after: int
    objective: float
    """Negative log-likelihood of a word of the running text, in nats, after EM."""
    tokens: int
    """Tokens of the running text, each word cut the best way."""
    pruned: tuple[PrunedPiece, ...]
    """Dropped pieces, the least missed first."""


@dataclass(frozen=True, slots=True, eq=False)
class UnigramTraining:
    """A finished training."""

    model: UnigramModel
    vocabulary: tuple[str, ...]
    """Pieces, the most probable first; a piece's id is its place."""
    rounds: tuple[UnigramRound, ...]
    seed_size: int
    word_start: str
    corpus: WordCounts


def train(
    corpus: str | Mapping[str, int],
    vocabulary_size: int,
    *,
    word_start: str | None = "▁",
    pre_tokenizer: str | PreTokenizer | None = None,
    seed_size: int = 50_000,
    max_piece: int = MAX_PIECE,
    on_progress: Report | None = None,
) -> UnigramTraining:
    """Learn `vocabulary_size` pieces, every letter of the corpus among them.

    `word_start` is put before every word, as SentencePiece does. InputError as in
    `bpe.train`, for a size below the number of letters, and for a word over MAX_LETTERS.
    """
    counted = count_words(corpus, pre_tokenizer_for(pre_tokenizer, byte_level=False))
    start = word_start or ""
    words = WordCounts(tuple(start + word for word in counted.words), counted.counts)
    _check(words, vocabulary_size)
    if on_progress:
        on_progress(Progress("counting substrings", 0, 1))
    letters, seed = seed_pieces(words, max(seed_size, vocabulary_size), max_piece)
    if vocabulary_size < len(letters):
        raise InputError(
            f"{vocabulary_size} pieces can't hold the corpus's {len(letters)} different letters; "
            f"ask for at least {len(letters)}."
        )
    names = list(seed)
    required = np.asarray([len(name) == 1 for name in names])
    frequencies = np.asarray(words.counts, dtype=np.float64)
    scores = np.asarray([seed[name] for name in names], dtype=np.float64)
    log_probabilities = np.log(scores / scores.sum())
    alive = np.ones(len(names), dtype=np.bool_)
    longest = max(map(len, names))
    if on_progress:
        on_progress(Progress("finding pieces", 0, 1))
    full = build_lattice(words.words, {name: i for i, name in enumerate(names)}, longest)
    own = build_lattice(names, {name: i for i, name in enumerate(names)}, longest, whole=False)
    target = int(_OVERSHOOT * vocabulary_size)
    rounds: list[UnigramRound] = []
    while True:
        lattice = full.restricted(alive)
        likelihood = 0.0
        for _ in range(EM_ROUNDS):
            expected, likelihood = lattice.expected_counts(log_probabilities, frequencies)
            alive &= (expected >= _RARE) | required
            log_probabilities = _m_step(expected, alive)
            lattice = lattice.restricted(alive)
        before = int(alive.sum())
        wanted = max(target, int(SHRINK * before))
        losses, tokens = _losses(lattice, own.restricted(alive), log_probabilities, frequencies)
        losses[required] = np.inf
        pruned = _least_missed(losses, alive, before - wanted)
        alive[pruned] = False
        rounds.append(
            UnigramRound(
                number=len(rounds),
                pieces_before=before,
                pieces_after=int(alive.sum()),
                objective=-likelihood / words.total(),
                tokens=tokens,
                pruned=tuple(PrunedPiece(names[i], float(losses[i])) for i in pruned),
            )
        )
        if on_progress:
            on_progress(Progress("pruning", len(names) - int(alive.sum()), len(names) - target))
        if int(alive.sum()) <= target:
            break
    final = _final(names, log_probabilities, alive, required, vocabulary_size)
    return UnigramTraining(
        model=model_of(final),
        vocabulary=tuple(final),
        rounds=tuple(rounds),
        seed_size=len(names),
        word_start=start,
        corpus=words,
    )


def seed_pieces(
    words: WordCounts, size: int, max_piece: int = MAX_PIECE
) -> tuple[frozenset[str], dict[str, int]]:
    """The letters, and the seed: letters by count, substrings seen twice by count × length."""
    letters: Counter[str] = Counter()
    substrings: Counter[str] = Counter()
    for word, count in zip(words.words, words.counts, strict=True):
        for start in range(len(word)):
            letters[word[start]] += count
            for end in range(start + 2, min(start + max_piece, len(word)) + 1):
                substrings[word[start:end]] += count
    scored = [(piece, count * len(piece)) for piece, count in substrings.items() if count > 1]
    scored.sort(key=lambda pair: (-pair[1], pair[0]))
    return frozenset(letters), {**letters, **dict(scored[: max(0, size - len(letters))])}


def _check(words: WordCounts, vocabulary_size: int) -> None:
    if vocabulary_size < 1:
        raise InputError(f"{vocabulary_size} pieces were asked for; at least one is needed.")
    long = next((word for word in words.words if len(word) > MAX_LETTERS), None)
    if long is not None:
        raise InputError(
            f"The word {long[:20]!r}… has {len(long):,} letters; Unigram cuts words of up to "
            f"{MAX_LETTERS:,}. Choose a pre-tokenizer that splits it."
        )


def _m_step(
    expected: Float64[np.ndarray, " piece"], alive: Bool[np.ndarray, " piece"]
) -> Float64[np.ndarray, " piece"]:
    # digamma instead of the logarithm makes rare pieces rarer still: a sparse prior
    # (Bayesian EM, Liang & Klein 2007), as in SentencePiece
    counts = np.where(alive, np.maximum(expected, _RARE), np.nan)
    values = _digamma(counts) - _digamma(np.asarray([np.nansum(counts)]))[0]
    return np.where(alive, np.minimum(values, -1e-12), -np.inf)


def _digamma(x: Float64[np.ndarray, " some"]) -> Float64[np.ndarray, " some"]:
    result = np.zeros_like(x)
    x = x.copy()
    for _ in range(7):
        small = x < 7
        result[small] -= 1 / x[small]
        x[small] += 1
    inverse = 1 / (x - 0.5)
    square = inverse * inverse
    series = square * (1 / 24 - square * (7 / 960 - square * (31 / 8064 - square * 127 / 30720)))
    return result + np.log(x - 0.5) + series


def _losses(
    lattice: CorpusLattice,
    own: CorpusLattice,
    log_probabilities: Float64[np.ndarray, " piece"],
    frequencies: Float64[np.ndarray, " word"],
) -> tuple[Float64[np.ndarray, " piece"], int]:
    """What dropping each piece costs: its best replacement, weighted by where it is used."""
    used = np.zeros(len(log_probabilities))
    edge_to, _ = lattice.best_edges(log_probabilities)
    for words, edges in lattice.walk(edge_to):
        np.add.at(used, lattice.pieces[edges], frequencies[words])
    total = used.sum()
    replacement, own_best = own.best_edges(log_probabilities)
    alternative = np.zeros(len(log_probabilities))
    sizes = np.zeros(len(log_probabilities), dtype=np.int64)
    for pieces, edges in own.walk(replacement):
        parts = own.pieces[edges]
        alternative[pieces] += np.log(np.maximum(used[parts] + used[pieces], _RARE))
        sizes[pieces] += 1
    alternative -= sizes * np.log(total + used * np.maximum(sizes - 1, 0))
    own_log = np.log(np.maximum(used, _RARE)) - math.log(total)
    losses = np.where(used > 0, used / frequencies.sum() * (own_log - alternative), 0.0)
    losses[sizes == 0] = np.inf  # nothing could replace it
    # a piece that is cut itself is never on a best path
    losses[own_best[own.last_nodes] > log_probabilities] = 0.0
    return losses, int(total)


def _least_missed(
    losses: Float64[np.ndarray, " piece"], alive: Bool[np.ndarray, " piece"], number: int
) -> list[int]:
    order = np.lexsort((np.arange(len(losses)), np.where(alive, losses, np.inf)))
    return [int(i) for i in order[: max(0, number)] if np.isfinite(losses[i]) and alive[i]]


def _final(
    names: list[str],
    log_probabilities: Float64[np.ndarray, " piece"],
    alive: Bool[np.ndarray, " piece"],
    required: Bool[np.ndarray, " piece"],
    size: int,
) -> dict[str, float]:
    living = np.flatnonzero(alive)
    order = living[np.lexsort((living, -log_probabilities[living], ~required[living]))][:size]
    kept = sorted(order.tolist(), key=lambda i: (-log_probabilities[i], i))
    return {names[i]: float(log_probabilities[i]) for i in kept}
