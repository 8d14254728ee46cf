"""Which words spoke for an answer: every method's numbers, and what hiding them does to it.

Everything is asked of the one engine, so that equal questions are computed once for all readers.
"""

from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Float32, Int64

from app.services.encoder import Edits
from app.services.engine import ask
from core.engine import Request
from core.explain.attribution.perturbation_curves import (
    Perturbation,
    distinct_sets,
    perturb,
    word_fractions,
)
from core.explain.attribution.registry import EvidenceMethod
from core.interventions import ReplaceTokens
from core.outputs.families import Encoder, LanguageModel, TextModel
from core.outputs.token_evidence import TokenEvidence
from core.targets import LogitTarget
from core.trace import Encoding

DRAWS: Final = 5  # random orders, hidden from both ends and averaged: one may be lucky
Values = Float32[np.ndarray, " token"]


@dataclass(frozen=True, slots=True)
class Asked:
    """One token at one place of a text, as the model reads it."""

    model_id: str
    text: str
    target: LogitTarget
    pair: str | None = None
    edits: Edits = ()


def evidence_request(asked: Asked, method: EvidenceMethod) -> Request[TokenEvidence]:
    """How much each token speaks for it. What knows no token is asked once for all of them."""
    token = asked.target.token if method.class_specific else 0
    target = LogitTarget(asked.target.position, token)
    if asked.pair is None:
        return Request.of(
            LanguageModel.evidence,
            asked.model_id,
            asked.text,
            method.id,
            target,
            edits=asked.edits,
        )
    return Request.of(
        Encoder.evidence,
        asked.model_id,
        asked.text,
        method.id,
        target,
        pair=asked.pair,
        edits=asked.edits,
    )


def stand_in(model_id: str) -> Future[int]:
    """What a hidden word becomes; the future raises InputError."""
    return ask(LanguageModel.stand_in, model_id)


def words_of(encoding: Encoding) -> Int64[np.ndarray, " word"]:
    """The positions that can be hidden: no special tokens, and so no mask."""
    return np.flatnonzero(~encoding.special)


def curves_request(
    asked: Asked, words: Int64[np.ndarray, " word"], values: Values, hidden: int, *, seed: int = 0
) -> Request[Float32[np.ndarray, " variant"]]:
    """The token's probability for every set of hidden words on both curves of a method.

    hidden: the token that stands there instead.
    """
    sets = distinct_sets(values[words], word_fractions(len(words)), seed=seed)
    variants = tuple(
        (ReplaceTokens(tuple((int(words[one]), hidden) for one in chosen)),) for chosen in sets
    )
    if asked.pair is None:
        return Request.of(
            TextModel.measure,
            asked.model_id,
            asked.text,
            variants,
            asked.target,
            edits=asked.edits,
        )
    return Request.of(
        Encoder.measure,
        asked.model_id,
        asked.text,
        variants,
        asked.target,
        pair=asked.pair,
        edits=asked.edits,
    )


def curves_of(
    words: Int64[np.ndarray, " word"],
    values: Values,
    measured: Float32[np.ndarray, " variant"],
    *,
    seed: int = 0,
) -> Perturbation:
    """What `curves_request` asked, as curves."""
    fractions = word_fractions(len(words))
    return perturb(values[words], lambda _: measured, fractions=fractions, seed=seed)
