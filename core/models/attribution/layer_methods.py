"""Evidence from inside a layer: CAMs on features, LeGrad on every layer's own answer."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import torch
from jaxtyping import Float, Float32
from torch import Tensor

from core.capture.activation import OutputRecorder
from core.capture.gradients import score
from core.capture.hidden_states import StateRecorder
from core.errors import InputError
from core.explain.attribution.legrad import legrad
from core.models.attribution.question import Question
from core.models.vision.layer_grids import grid_of
from core.trace import AttentionKind, PatchGrid

NORMS: Final = (".norm1", ".layernorm_before", ".layer_norm1")  # of a block: what attention reads
POST_NORM: Final = (  # normed after attention
    "SwinTransformerV2Block",
    "SwinTransformerV2CrBlock",
    "Swinv2Layer",
)


def cam_of(
    rule: Callable[[np.ndarray, np.ndarray], np.ndarray], question: Question
) -> Float32[np.ndarray, "row column"]:
    """A CAM of what the last block's attention reads; a smaller grid's numbers are repeated.

    Swin v2, which averages all patches, is read at its last block's output instead.
    """
    features, answer = _features(question)
    (gradients,) = torch.autograd.grad(answer, [features])
    layer, slopes = (_on_grid(question, each) for each in (features, gradients))
    return _enlarged(question, rule(layer, slopes))


def _features(question: Question) -> tuple[Tensor, Tensor]:
    """The features, and the answer as it depends on them."""
    if any(type(part).__name__ in POST_NORM for part in question.module.modules()):
        recorder = _recorder(question)
        with recorder:
            logits = question.module(question.pixels.detach().requires_grad_())
        return recorder.states[-1], score(logits[0], question.target)
    path = next((p for p in reversed([*question.paths.values()]) if p.endswith(NORMS)), "")
    recorder = OutputRecorder(question.paths, path)
    with recorder:
        logits = question.module(question.pixels)
    if recorder.output is None:
        raise InputError(
            f"{question.title} has no norm before its last attention, where a CAM "
            "could look. Use integrated gradients or occlusion."
        )
    return recorder.output, score(logits[0], question.target)


def legrad_of(question: Question) -> Float32[np.ndarray, "row column"]:
    """LeGrad over all blocks, the model's own norm and head reading each."""
    model: Any = question.module
    if not hasattr(model, "norm") or not hasattr(model, "forward_head"):
        raise InputError(
            f"{question.title} has no norm and head that could read every layer, so LeGrad can't "
            "be used. Choose a ViT, or another method."
        )
    recorder = _recorder(question, explicit=True)
    with recorder:
        model.forward_features(question.pixels)
    gradients: list[np.ndarray] = []
    for call, state in zip(recorder.calls, recorder.states[1:], strict=True):
        answer = score(model.forward_head(model.norm(state))[0], question.target)
        (gradient,) = torch.autograd.grad(answer, [_weights(call.weights)], retain_graph=True)
        gradients.append(gradient[0].float().cpu().numpy())
    found = legrad(gradients)
    return found[question.patches.prefix_tokens :].reshape(question.shape)


def _recorder(question: Question, *, explicit: bool = False) -> StateRecorder:
    return StateRecorder(
        question.module, question.paths, lambda _: AttentionKind.ENCODER, explicit=explicit
    )


def _weights(weights: Tensor | None) -> Tensor:
    if weights is None:
        raise ValueError("an explicit recorder keeps every map's weights")
    return weights


def _on_grid(
    question: Question, tokens: Float[Tensor, "..."]
) -> Float32[np.ndarray, "row column feature"]:
    """(1, token, feature) after the prefix, or (1, row, column, feature), without its batch."""
    array = tokens.detach()[0].float().cpu().numpy()
    if array.ndim == 3 and tokens.shape[0] == 1:
        return array
    grid: PatchGrid = question.patches
    if array.ndim == 2 and (own := grid_of(len(array), grid)) is not None:
        return array[own.prefix_tokens :].reshape(own.rows, own.columns, -1)
    if array.ndim != 3:
        raise InputError(
            f"{question.title}: the features before the last attention are {tuple(tokens.shape)}, "
            f"not one for each of {grid.rows} × {grid.columns} patches. Use integrated gradients "
            "or occlusion."
        )
    return array


def _enlarged(
    question: Question, small: Float32[np.ndarray, "_row _column"]
) -> Float32[np.ndarray, "row column"]:
    rows, columns = question.shape
    down, along = max(1, rows // small.shape[0]), max(1, columns // small.shape[1])
    if small.shape != (rows // down, columns // along) or rows % down or columns % along:
        raise InputError(
            f"{question.title}: features on a grid of {small.shape} can't be laid on "
            f"{rows} × {columns} patches."
        )
    return np.kron(small, np.ones((down, along), dtype=np.float32))
