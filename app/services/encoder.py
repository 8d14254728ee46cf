"""The BERT page's door: what encoders answer, and what follows from their traces.

Everything is asked of the one engine, so that equal questions are computed once for all readers.
"""

from concurrent.futures import Future
from dataclasses import dataclass

from app.services import engine
from app.services.engine import TextTrace, ask, derived
from core.engine import Request
from core.explain.attention.mask_attention import Gaze, gaze
from core.explain.predictions.logit_lens import LayerLogits
from core.explain.predictions.token_distribution import TokenDistribution, token_distribution
from core.outputs.encoder import EmbeddingParts, EncoderProfile, NextSentence
from core.outputs.families import Encoder
from core.trace import AttentionKind, Encoding, Trace

Edits = tuple[tuple[int, int], ...]  # (position, token id)


@dataclass(frozen=True, slots=True)
class Given:
    """What an encoder reads: a text, perhaps a second one."""

    model_id: str
    text: str
    pair: str | None = None


def profile(model_id: str) -> Future[EncoderProfile]:
    """Which heads the model carries."""
    return ask(Encoder.profile, model_id)


def vocabulary(model_id: str) -> Future[tuple[str, ...]]:
    """Every token by its id."""
    return ask(Encoder.vocabulary, model_id)


def edited_trace(given: Given, edits: Edits = ()) -> tuple[Request[Trace], Future[Trace]]:
    """A forward pass with other tokens in some places; the future raises InputError."""
    request = Request.of(
        Encoder.trace_edited,
        given.model_id,
        given.text,
        pair=given.pair,
        edits=tuple(sorted(edits)),
    )
    return request, engine.submit(request)


def embedding_parts(given: Given) -> Future[EmbeddingParts]:
    """The summands of the input; the future raises InputError."""
    return ask(Encoder.embedding_parts, given.model_id, given.text, pair=given.pair)


def next_sentence(model_id: str, text: str, following: str) -> Future[NextSentence]:
    """Whether the second text follows; the future raises InputError."""
    return ask(Encoder.next_sentence_worked, model_id, text, following)


def layer_logits(given: Given, edits: Edits, position: int) -> Future[LayerLogits]:
    """What each layer would answer at one position; the future raises InputError."""
    return ask(
        Encoder.layer_logits,
        given.model_id,
        given.text,
        pair=given.pair,
        positions=(position,),
        edits=tuple(sorted(edits)),
    )


def distribution(traced: TextTrace, position: int) -> TokenDistribution:
    """What a trace says over the vocabulary at a position."""

    def compute() -> TokenDistribution:
        if traced.trace.logits is None:
            raise ValueError("only a model with a masked-LM head is asked")
        return token_distribution(traced.trace.logits[position])

    return derived(("distribution", traced.request, position), compute)


def mask_gaze(traced: TextTrace, position: int) -> Gaze | None:
    """Where a position looked, head by head; None where no other word is left to look at."""
    encoding = encoding_of(traced.trace)
    telling = ~encoding.special
    telling[position] = False
    if not telling.any():
        return None

    def compute() -> Gaze:
        layers = traced.trace.layers[AttentionKind.ENCODER]
        return gaze((layer.row(position) for layer in layers), telling=telling)

    return derived(("gaze", traced.request, position), compute)


def encoding_of(trace: Trace) -> Encoding:
    """A text's trace has tokens."""
    if trace.encoding is None:
        raise ValueError("a text's trace has an encoding")
    return trace.encoding
