"""The frozen way from a text model's residual stream to the logits at one position."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from jaxtyping import Float, Float32
from torch import Tensor

from core.capture.frozen_steps import StepRecorder
from core.capture.residual_stream import norms_of_layers
from core.catalog import ModelCard
from core.errors import InputError
from core.explain.attribution.frozen_path import Dense, FrozenMap, FrozenPath
from core.models.text.readout import Head, final_norm, vocabulary_head
from core.targets import LogitContrast
from core.trace import AttentionKind, Trace
from core.trace.residual_stream import Block

if TYPE_CHECKING:
    from core.models.text.base import TextModel


@dataclass(frozen=True, slots=True, eq=False)
class LogitPath:
    """Of the stack that is read out: a translator's decoder."""

    stack: AttentionKind
    blocks: tuple[Block, ...]
    path: FrozenPath
    unembedding: Float[np.ndarray, "vocabulary width"]
    bias: Float[np.ndarray, " vocabulary"]
    logits: Float32[np.ndarray, " vocabulary"]  # the model's own


def logit_path(model: "TextModel", trace: Trace, target: LogitContrast) -> LogitPath:
    """Of a trace with blocks.

    Raises InputError for a position or a token that is not there, and for a model that does more
    on the way to its logits than sublayers, norms and a head.
    """
    if trace.blocks is None or trace.logits is None:
        raise InputError(
            f"{model.card.title} has no head over the vocabulary, so nothing is written to a "
            "logit. Choose a model with a masked-LM or a next-token head."
        )
    _refuse_absent(target, *trace.logits.shape)
    *_, stack = trace.blocks  # encoder first: the last stack is read out
    blocks, logits = trace.blocks[stack], trace.logits[target.position]
    steps, unembedding, bias = _readout(model, blocks, target.position)
    path = FrozenPath(frozen_norms(model, stack, blocks, target.position), steps)
    return LogitPath(stack, blocks, path, unembedding, bias, logits)


def no_plain_sum(card: ModelCard) -> InputError:
    """Why a model's logits are not taken apart."""
    return InputError(
        f"{card.title} does more on the way to its logits than add up sublayers, norm the "
        "sum and read it, so a logit is no plain sum of what its heads write. Choose a GPT-2, a "
        "Llama, a BERT or a Marian."
    )


def _readout(
    model: "TextModel", blocks: tuple[Block, ...], position: int
) -> tuple[tuple[FrozenMap, ...], np.ndarray, np.ndarray]:
    """The steps to what the unembedding reads, the unembedding (token, width) and its bias."""
    head = vocabulary_head(model.card, model.module)
    norm = final_norm(model.module)
    last = blocks[-1].sublayers[-1].passed_on[position]
    steps, logits = _steps(model, lambda states: head(norm(states)), last)
    places = [place for place, step in enumerate(steps) if isinstance(step, Dense)]
    if not places or steps[places[-1]].offset.shape != logits.shape:
        raise no_plain_sum(model.card)
    *before, unembedding = steps[: places[-1] + 1]
    if not isinstance(unembedding, Dense):
        raise no_plain_sum(model.card)
    return tuple(before), unembedding.weight.T, unembedding.offset + _added(model)


def _added(model: "TextModel") -> np.ndarray | float:
    """What Marian and BART add to all logits, beside their unembedding."""
    found: object = getattr(model.module, "final_logits_bias", None)
    return found[0].float().cpu().numpy() if isinstance(found, Tensor) else 0.0


def frozen_norms(
    model: "TextModel", stack: AttentionKind, blocks: tuple[Block, ...], position: int
) -> list[FrozenMap | None]:
    """The norm after each sublayer at a position, in post-LN; None for each in pre-LN.

    Raises InputError for a model whose norms do more than norm.
    """
    if blocks[0].pre_norm:
        return [None for block in blocks for _ in block.sublayers]
    found = norms_of_layers(model.module)
    modules = [one for path in found if model.kind_of(f"{path}.") == stack for one in found[path]]
    sublayers = [one for block in blocks for one in block.sublayers]
    if len(modules) != len(sublayers):
        raise no_plain_sum(model.card)
    norms: list[FrozenMap | None] = []
    for module, sublayer in zip(modules, sublayers, strict=True):
        steps, made = _steps(model, module, sublayer.total[position])
        if len(steps) != 1 or not np.allclose(made, sublayer.normed[position], atol=1e-4):
            raise no_plain_sum(model.card)
        norms.append(steps[0])
    return norms


def _steps(
    model: "TextModel", module: Head, vector: np.ndarray
) -> tuple[tuple[FrozenMap, ...], np.ndarray]:
    """What a module does to one vector, and what it makes of it."""
    given = torch.from_numpy(np.array(vector))[None, None].to(model.device)
    recorder = StepRecorder(model.paths, given)
    with torch.inference_mode(), recorder:
        made = module(given)
    return recorder.steps(made), made[0, 0].float().cpu().numpy()


def _refuse_absent(target: LogitContrast, positions: int, tokens: int) -> None:
    if not 0 <= target.position < positions:
        raise InputError(
            f"There is no position {target.position}: they count from 0 to {positions - 1}."
        )
    for token in (target.token, target.against):
        if token is not None and not 0 <= token < tokens:
            raise InputError(f"There is no token {token}: ids count from 0 to {tokens - 1}.")
