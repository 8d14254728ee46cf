"""What a text model's layers mix: the maps that a rollout multiplies, and its film."""

from collections.abc import Hashable, Sequence
from typing import Final

import numpy as np
from jaxtyping import Float32

from app.services.engine import TextTrace, derived
from core.catalog import Family, ModelCard
from core.engine import Request
from core.explain.flow.rollout import HeadFusion, frames_of_maps, fused_maps, rows_to_one
from core.explain.flow.token_flow import TokenFlow, flow_of_amounts
from core.outputs.families import Encoder, LanguageModel
from core.outputs.token_evidence import Mixing
from core.trace import AttentionKind

Amounts = Float32[np.ndarray, "layer query key"]
ONE_STACK: Final = (Family.TEXT_ENCODER, Family.TEXT_DECODER)


def mixing_request(
    card: ModelCard, text: str, pair: str | None, mixing: Mixing
) -> Request[Amounts]:
    """How much of every token each layer puts into every other: amounts, not shares."""
    if pair is not None:
        return Request.of(Encoder.context_mixing, card.id, text, mixing, pair=pair)
    return Request.of(LanguageModel.context_mixing, card.id, text, mixing)


def flow_request(card: ModelCard, text: str, pair: str | None) -> Request[TokenFlow]:
    """What each token keeps and takes of others, by proximity (ALTI)."""
    if pair is not None:
        return Request.of(Encoder.token_flow, card.id, text, pair=pair)
    return Request.of(LanguageModel.token_flow, card.id, text)


def flow_of_attention(traced: TextTrace, kind: AttentionKind, residual: float) -> TokenFlow:
    """The same from the mean of each layer's heads, beside a residual of a fixed share.

    Raises InputError where a model's maps can't be multiplied.
    """
    return derived(
        ("attention flow", traced.request, kind, residual),
        lambda: flow_of_amounts(fused_maps(traced.trace, kind), residual=residual),
    )


def flow_of_written(request: Request[Amounts], amounts: Amounts, residual: float) -> TokenFlow:
    """The same from ‖αf(x)‖."""
    return derived(
        ("written flow", request, residual),
        lambda: flow_of_amounts(list(amounts), residual=residual),
    )


def attention_frames(
    traced: TextTrace,
    kind: AttentionKind,
    *,
    fusion: HeadFusion,
    start: int,
    residual: float,
) -> Float32[np.ndarray, "frame query key"]:
    """The rollout of attention: the identity, then after each layer from `start` on.

    Raises InputError where a model's maps can't be multiplied.
    """

    def compute() -> np.ndarray:
        maps = fused_maps(traced.trace, kind, head_fusion=fusion, start_layer=start)
        return frames_of_maps(maps, residual=residual)

    return derived(("rollout frames", traced.request, kind, fusion, start, residual), compute)


def mixing_frames(
    request: Request[Amounts], amounts: Amounts, *, start: int, residual: float
) -> Float32[np.ndarray, "frame query key"]:
    """The same of other maps, their rows made to sum to one."""
    key: Sequence[Hashable] = ("mixing frames", request, start, residual)
    return derived(
        tuple(key),
        lambda: frames_of_maps(
            [rows_to_one(layer) for layer in amounts[start:]], residual=residual
        ),
    )
