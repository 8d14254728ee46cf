"""The GPT page's door: what causal models answer, and what follows from it.

Everything is asked of the one engine, so that equal questions are computed once for all readers.
"""

import re
from collections.abc import Sequence
from concurrent.futures import Future
from functools import lru_cache
from typing import Final

import numpy as np
from jaxtyping import Float32

from app.services import engine, models, text_maps
from app.services.engine import TextTrace, ask, derived
from core.catalog import Family
from core.engine import Request
from core.explain.attention import induction_heads
from core.explain.predictions.logit_lens import LayerLogits, LayerReading, read_layers
from core.explain.predictions.sampling import CutDistribution, Sampling, distribution
from core.explain.predictions.surprisal import Surprise, surprise, token_bits
from core.interventions import SilenceHead
from core.outputs.decoder import (
    ContinuationScore,
    FineTuningStart,
    NextStep,
    Task,
    TokenInventory,
)
from core.outputs.families import Decoder
from core.trace import AttentionKind, Trace

OWN_MODEL: Final = "gpt-mini"
WHOLE_WORDS: Final = (  # with the space before them; and WordPiece's, which marks what goes on
    re.compile("[Ġ▁][A-Za-z]{3,}"),
    re.compile("[A-Za-z]{3,}"),
)
ENOUGH_WORDS: Final = 400
Ids = tuple[int, ...]
HeadId = tuple[int, int]  # (layer, head), counted from 0


def default_model() -> str:
    """The one trained here if it is on board, else the first decoder at hand."""
    return models.default(Family.TEXT_DECODER, OWN_MODEL)


def vocabulary(model_id: str) -> Future[tuple[str, ...]]:
    """Every token by its id."""
    return ask(Decoder.vocabulary, model_id)


def next_step(model_id: str, text: str, continuation: Ids = ()) -> Future[NextStep]:
    """One pass over a prompt and what was chosen after it; the future raises InputError."""
    return ask(Decoder.next_step, model_id, text, continuation=continuation)


def cut(model_id: str, text: str, step: NextStep, sampling: Sampling) -> CutDistribution:
    """A step's probabilities after temperature and cuts."""
    tail = tuple(step.encoding.ids[step.prompt_length :].tolist())
    key = ("cut", model_id, text, tail, sampling)
    return derived(key, lambda: distribution(step.logits, sampling))


def ids_of(model_id: str, text: str) -> Future[Ids]:
    """A piece of text as ids, no special tokens added."""
    return ask(Decoder.ids_of, model_id, text)


def surprise_of(traced: TextTrace, text: str) -> Surprise:
    """How surprising each token of a traced text was."""
    encoding, logits = traced.trace.encoding, traced.trace.logits
    if encoding is None or logits is None:
        raise ValueError("a decoder's trace has tokens and logits")
    return derived(("surprise", traced.request), lambda: surprise(logits, encoding, text))


def layer_logits(
    model_id: str, text: str, positions: Ids
) -> tuple[Request[LayerLogits], Future[LayerLogits]]:
    """What each layer would answer at some positions; the future raises InputError."""
    request = Request.of(Decoder.layer_logits, model_id, text, positions=positions)
    return request, engine.submit(request)


def reading(request: Request[LayerLogits], found: LayerLogits, wanted: Ids) -> LayerReading:
    """First choices, certainty and the wanted tokens' ranks, layer by layer."""
    return derived(
        ("reading", request, wanted),
        lambda: read_layers(found.logits, np.array(wanted, dtype=np.int64)),
    )


def trace_ids(
    model_id: str, ids: Ids, silenced: Sequence[HeadId] = ()
) -> tuple[Request[Trace], Future[Trace]]:
    """A trace of ids as they are, some heads silenced; the future raises InputError."""
    interventions = tuple(SilenceHead(layer, head) for layer, head in silenced)
    request = Request.of(Decoder.trace_ids, model_id, ids, interventions=interventions)
    return request, engine.submit(request)


def inventory(model_id: str) -> Future[TokenInventory]:
    """What sequences of tokens can be made of."""
    return ask(Decoder.inventory, model_id)


@lru_cache(maxsize=8)
def random_words(found: TokenInventory, vocabulary: tuple[str, ...]) -> Ids:
    """Whole words where there are enough: random, but readable."""
    for word in WHOLE_WORDS:
        words = tuple(index for index in found.plain if word.fullmatch(vocabulary[index]))
        if len(words) >= ENOUGH_WORDS:
            return words
    return found.plain


def induction_scores(
    traced: TextTrace, *, length: int, start: int, previous: bool
) -> Float32[np.ndarray, "layer head"]:
    """Every head's induction score on a repeated sequence, or its previous-token score."""

    def compute() -> np.ndarray:
        layers = range(traced.trace.n_layers())
        maps = [text_maps.weights(traced, AttentionKind.DECODER, layer) for layer in layers]
        if previous:
            return induction_heads.previous_token_scores(maps)
        return induction_heads.induction_scores(maps, length=length, start=start)

    return derived(("induction", traced.request, length, start, previous), compute)


def bits_of(traced: TextTrace) -> np.ndarray:
    """−log2 P of every token but the first: (predicted,)."""
    encoding, logits = traced.trace.encoding, traced.trace.logits
    if encoding is None or logits is None:
        raise ValueError("a decoder's trace has tokens and logits")
    return derived(("bits", traced.request), lambda: token_bits(logits, encoding.ids))


def score(model_id: str, prompt: str, answer: str) -> Future[ContinuationScore]:
    """How probable an answer is after a prompt; the future raises InputError."""
    return ask(Decoder.score_continuation, model_id, prompt, answer)


def fine_tuning_start(
    model_id: str, task: Task, texts: tuple[str, ...], seed: int
) -> Future[FineTuningStart]:
    """A task's sequences before the first update; the future raises InputError."""
    return ask(Decoder.fine_tuning_inputs, model_id, task.value, texts, seed=seed)
