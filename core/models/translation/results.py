"""What translating leaves behind: the hypotheses of a search, or a target position by position."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from jaxtyping import Float32, Int64

from core.errors import InputError
from core.explain.predictions.teacher_forcing import TokenLosses, token_losses
from core.models.translation.beam_search import (
    Candidate,
    Fate,
    Normalisation,
    Search,
    SearchSettings,
)
from core.models.translation.embeddings import InputSum, TranslatorProfile
from core.trace import AttentionKind, Encoding, Trace, read_only

MOST_BEAMS: Final = 16
LARGEST_PENALTY: Final = 5.0  # α, in either direction


@dataclass(frozen=True, slots=True)
class NextToken:
    """A token that could stand next."""

    id: int
    token: str
    probability: float
    logit: float


@dataclass(frozen=True, slots=True, eq=False)
class Decoding:
    """A target that was fed token by token, and what the model would have said instead."""

    trace: Trace  # its target is fed: the start, then every label but the last
    labels: tuple[str, ...]  # what should come at each position; the end last, if it ended
    label_ids: Int64[np.ndarray, " position"]
    text: str
    candidates: tuple[tuple[NextToken, ...], ...]  # of each position, most probable first
    losses: TokenLosses
    unknown: int  # labels that the vocabulary lacks
    ended: bool  # False: cut off at the longest length allowed
    vocabulary: int

    @property
    def nbytes(self) -> int:
        return self.trace.nbytes + 200 * sum(len(row) for row in self.candidates)


@dataclass(frozen=True, slots=True, eq=False)
class Machine:
    """A decoding whose trace has blocks, and what stands around the layers."""

    decoding: Decoding
    inputs: Mapping[AttentionKind, InputSum]  # by stack
    profile: TranslatorProfile

    @property
    def nbytes(self) -> int:
        summands = sum(2 * one.embeddings.nbytes for one in self.inputs.values())
        return self.decoding.nbytes + summands


@dataclass(frozen=True, slots=True, eq=False)
class Erasure:
    """What hiding one source token does to the log P of every target token, in nats."""

    log_p: Float32[np.ndarray, " target"]  # with the whole source
    drops: Float32[np.ndarray, "target source"]  # log_p minus log P without the source token

    @property
    def nbytes(self) -> int:
        return self.drops.nbytes


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A candidate with its words."""

    node: int
    parent: int
    token: str
    token_id: int
    word_score: float  # −log P of its last token, nats
    score: float  # Σ −log P
    normalised: float  # score ÷ penalty
    fate: Fate


@dataclass(frozen=True, slots=True)
class BeamStep:
    """The candidates of one more token, best score first; live ones are in the next step's beam."""

    length: int
    penalty: float  # what scores of this length are divided by
    hypotheses: tuple[Hypothesis, ...]


@dataclass(frozen=True, slots=True)
class Finished:
    """A hypothesis that came to its end, or to the limit."""

    node: int
    text: str
    tokens: tuple[str, ...]
    score: float
    normalised: float


@dataclass(frozen=True, slots=True)
class Translation:
    """The best finished hypothesis, and the whole search.

    score is Σ −log P in nats over all its tokens, the end included: smaller is better.
    normalised is score ÷ penalty(|Y|), which the search minimises; transformers'
    `sequences_scores` is −normalised.
    """

    text: str
    tokens: tuple[str, ...]  # the end included, if it ended
    score: float
    normalised: float
    steps: tuple[BeamStep, ...]
    finished: tuple[Finished, ...]  # best first, at most `beams`
    settings: SearchSettings
    source: Encoding

    @property
    def nbytes(self) -> int:
        return 300 * sum(len(step.hypotheses) for step in self.steps)


def checked_settings(
    *,
    beams: int,
    limit: int,
    length_penalty: float,
    normalisation: str,
    word_margin: float | None,
    hypothesis_margin: float | None,
) -> SearchSettings:
    """Raises InputError for a number of beams, a penalty or a margin that makes no search."""
    if not 1 <= beams <= MOST_BEAMS:
        raise InputError(f"{beams} beams: take 1 (greedy) to {MOST_BEAMS}.")
    if not (math.isfinite(length_penalty) and abs(length_penalty) <= LARGEST_PENALTY):
        raise InputError(
            f"A length penalty of {length_penalty:g}: take −{LARGEST_PENALTY:g} to "
            f"{LARGEST_PENALTY:g}; 0 leaves scores as they are."
        )
    if normalisation not in list(Normalisation):
        raise InputError(
            f"No normalisation is called “{normalisation}”: take {' or '.join(Normalisation)}."
        )
    for name, margin in (("word", word_margin), ("hypothesis", hypothesis_margin)):
        if margin is not None and not margin >= 0:
            raise InputError(f"A {name} margin of {margin:g} nats: take 0 or more, or none.")
    return SearchSettings(
        beams,
        limit,
        length_penalty,
        Normalisation(normalisation),
        word_margin,
        hypothesis_margin,
    )


def translation(
    search: Search,
    settings: SearchSettings,
    source: Encoding,
    tokenizer: Any,
) -> Translation:
    """A search in words."""

    def words(one: Candidate) -> Hypothesis:
        return Hypothesis(
            one.node,
            one.parent,
            tokenizer.convert_ids_to_tokens(one.token),
            one.token,
            one.word_score,
            one.score,
            one.normalised,
            one.fate,
        )

    def finish(one: Candidate) -> Finished:
        ids = [each.token for each in search.path(one.node)]
        tokens = tuple(tokenizer.convert_ids_to_tokens(ids))
        text = tokenizer.decode(ids, skip_special_tokens=True)
        return Finished(one.node, text, tokens, one.score, one.normalised)

    finished = tuple(finish(one) for one in search.finished)
    best = finished[0]
    return Translation(
        text=best.text,
        tokens=best.tokens,
        score=best.score,
        normalised=best.normalised,
        steps=tuple(
            BeamStep(
                step.length,
                settings.penalty(step.length),
                tuple(words(one) for one in step.candidates),
            )
            for step in search.steps
        ),
        finished=finished,
        settings=settings,
        source=source,
    )


def decoding(
    trace: Trace,
    labels: Sequence[int],
    tokenizer: Any,
    *,
    end: int,
    top_k: int,
    smoothing: float,
) -> Decoding:
    """The candidates of every position, and the labels' losses. Raises InputError for ε."""
    if not 0 <= smoothing < 1:
        raise InputError(f"Label smoothing of {smoothing:g}: take 0 to less than 1.")
    logits = trace.logits
    if logits is None:
        raise ValueError("a translator's trace has logits")
    ids = np.array(labels, dtype=np.int64)
    return Decoding(
        trace=trace,
        labels=tuple(tokenizer.convert_ids_to_tokens(list(labels))),
        label_ids=read_only(ids),
        text=tokenizer.decode(list(labels), skip_special_tokens=True),
        candidates=tuple(_best(row, top_k, tokenizer) for row in logits),
        losses=token_losses(logits, ids, smoothing),
        unknown=int((ids == tokenizer.unk_token_id).sum()),
        ended=labels[-1] == end,
        vocabulary=logits.shape[-1],
    )


def _best(logits: np.ndarray, count: int, tokenizer: Any) -> tuple[NextToken, ...]:
    wide = logits.astype(np.float64)
    probabilities = np.exp(wide - wide.max())
    probabilities /= probabilities.sum()
    best = np.argsort(-wide, kind="stable")[:count]
    tokens = tokenizer.convert_ids_to_tokens(best.tolist())
    return tuple(
        NextToken(int(i), token, float(probabilities[i]), float(logits[i]))
        for i, token in zip(best, tokens, strict=True)
    )
