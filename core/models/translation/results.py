"""From a search, or a trace with its labels, to what a translator answers: values with words."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from core.errors import InputError
from core.explain.predictions.largest import largest
from core.explain.predictions.teacher_forcing import token_losses
from core.models.text.tokenize import tokens_of
from core.models.translation.beam_search import Candidate, Search
from core.outputs.decoding import Decoding, NextToken
from core.outputs.translation import (
    LARGEST_PENALTY,
    MOST_BEAMS,
    BeamStep,
    Finished,
    Hypothesis,
    Normalisation,
    SearchSettings,
    Translation,
)
from core.trace import Encoding, Trace, read_only


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
            tokens_of(tokenizer, [one.token])[0],
            one.token,
            one.word_score,
            one.score,
            one.normalised,
            one.fate,
        )

    def finish(one: Candidate) -> Finished:
        ids = [each.token for each in search.path(one.node)]
        tokens = tokens_of(tokenizer, ids)
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
        labels=tokens_of(tokenizer, labels),
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
    best = largest(wide, count)
    tokens = tokens_of(tokenizer, best)
    return tuple(
        NextToken(i, token, float(probabilities[i]), float(logits[i]))
        for i, token in zip(best, tokens, strict=True)
    )
