"""The BERT page's door: what encoders answer, and what follows from their traces.

Everything is asked of the one engine, so that equal questions are computed once for all readers.
"""

from concurrent.futures import Future
from dataclasses import dataclass

from app.services import engine
from app.services.engine import TextTrace
from core.engine import Request
from core.explain.attention.mask_attention import Gaze, gaze
from core.explain.predictions.logit_lens import LayerLogits
from core.explain.predictions.token_distribution import TokenDistribution, token_distribution
from core.outputs.encoder import EmbeddingParts, EncoderProfile, NextSentence
from core.trace import AttentionKind, Encoding, Trace

Edits = tuple[tuple[int, int], ...]  # (position, token id)


@dataclass(frozen=True, slots=True)
class Given:
    """What an encoder reads: a text, perhaps a second one."""

    model_id: str
    text: str
    pair: str | None = None

    def arguments(self, edits: Edits = ()) -> dict[str, str | Edits]:
        """The request's arguments; those left out keep their defaults."""
        found: dict[str, str | Edits] = {"text": self.text}
        if self.pair is not None:
            found["pair"] = self.pair
        if edits:
            found["edits"] = edits
        return found


def profile(model_id: str) -> Future[EncoderProfile]:
    """Which heads the model carries."""
    return engine.engine().submit(Request(model_id, "profile"))


def vocabulary(model_id: str) -> Future[tuple[str, ...]]:
    """Every token by its id."""
    return engine.engine().submit(Request(model_id, "vocabulary"))


def edited_trace(given: Given, edits: Edits = ()) -> tuple[Request, Future[Trace]]:
    """A forward pass with other tokens in some places; the future raises InputError."""
    request = Request(given.model_id, "trace_edited", given.arguments(tuple(sorted(edits))))
    return request, engine.engine().submit(request)


def embedding_parts(given: Given) -> Future[EmbeddingParts]:
    """The summands of the input; the future raises InputError."""
    return engine.engine().submit(Request(given.model_id, "embedding_parts", given.arguments()))


def next_sentence(model_id: str, text: str, following: str) -> Future[NextSentence]:
    """Whether the second text follows; the future raises InputError."""
    arguments = {"text": text, "following": following}
    return engine.engine().submit(Request(model_id, "next_sentence_worked", arguments))


def layer_logits(given: Given, edits: Edits, position: int) -> Future[LayerLogits]:
    """What each layer would answer at one position; the future raises InputError."""
    arguments = given.arguments(tuple(sorted(edits))) | {"positions": (position,)}
    return engine.engine().submit(Request(given.model_id, "layer_logits", arguments))


def distribution(traced: TextTrace, position: int) -> TokenDistribution:
    """What a trace says over the vocabulary at a position."""

    def compute() -> TokenDistribution:
        if traced.trace.logits is None:
            raise ValueError("only a model with a masked-LM head is asked")
        return token_distribution(traced.trace.logits[position])

    return engine.engine().derived(("distribution", traced.request, position), compute)


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

    return engine.engine().derived(("gaze", traced.request, position), compute)


def encoding_of(trace: Trace) -> Encoding:
    """A text's trace has tokens."""
    if trace.encoding is None:
        raise ValueError("a text's trace has an encoding")
    return trace.encoding
