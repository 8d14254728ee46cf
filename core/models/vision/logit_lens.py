"""The logit lens of a picture model: its own last norm and head on every layer's tokens.

nostalgebraist 2020, https://www.lesswrong.com/posts/AcKRB8wDpdaN6v6ru, on patches: the head was
trained on the last layer's pooled or class token, so an early layer, or a patch, may speak
another language (Belrose et al. 2023, https://arxiv.org/abs/2303.08112).
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from core.capture.attention_call import copy_row
from core.errors import InputError
from core.models.vision.layer_grids import grid_of
from core.outputs.vision import PatchLogits
from core.trace import PatchGrid

LARGEST = 256 * 2**20  # bytes of one answer
TOLERANCE = 1e-3  # between the model's logits and its last layer read by the lens

Reader = Callable[[Float[Tensor, "token d_model"]], Float[Tensor, "token class"]]


def patch_logits(
    title: str,
    module: nn.Module,
    states: Sequence[Tensor],
    logits: Float[Tensor, "1 class"],
    *,
    patches: PatchGrid,
    prefix: tuple[str, ...],
    labels: tuple[str, ...],
) -> PatchLogits:
    """Reads a forward's states (see `StateRecorder`). Raises InputError where the head can't."""
    model: Any = module
    if not hasattr(model, "norm") or not hasattr(model, "forward_head") or not states:
        raise _unreadable(title)
    width = states[-1].shape[-1]
    layers = tuple(i for i, state in enumerate(states) if state.shape == states[-1].shape)
    shape = (len(layers), states[-1][0].numel() // width, logits.shape[-1])
    if 4 * shape[0] * shape[1] * shape[2] > LARGEST:
        raise InputError(
            f"{title}: {shape[1]} tokens × {shape[2]} classes × {shape[0]} layers are more than "
            f"{LARGEST >> 20} MB. Choose a model of fewer classes or patches."
        )
    grid = grid_of(shape[1], patches)
    if grid is None:
        raise _unreadable(title)
    read = _reader(model)
    normed = [model.norm(states[layer]) for layer in layers]
    answers = torch.cat([model.forward_head(state) for state in normed])
    if not torch.allclose(answers[-1:], logits, atol=TOLERANCE):
        raise _unreadable(title)
    tokens = torch.stack([read(state.reshape(-1, width)) for state in normed])
    return PatchLogits(
        layers,
        copy_row(tokens[None], 0),
        copy_row(answers[None], 0),
        grid,
        prefix if grid.prefix_tokens else (),
        labels,
    )


def _reader(model: Any) -> Reader:
    """The model's head on single tokens, after the last norm."""
    if getattr(model, "head_dist", None) is not None:
        return lambda tokens: _two_heads(model, tokens)
    if getattr(model, "attn_pool", None) is not None:  # a token pooled alone: its weight is one
        return lambda tokens: model.head(model.fc_norm(model.attn_pool(tokens[:, None])))
    classify = getattr(model.head, "fc", model.head)  # Swin's head pools first
    fc_norm = getattr(model, "fc_norm", None)
    return (lambda tokens: classify(fc_norm(tokens))) if fc_norm is not None else classify


def _two_heads(model: Any, tokens: Tensor) -> Tensor:
    """DeiT: [CLS] and the distillation token have a head each, patches the mean of both."""
    own, distilled = model.head(tokens), model.head_dist(tokens)
    read = (own + distilled) / 2
    return torch.cat([own[:1], distilled[1:2], read[2:]])


def _unreadable(title: str) -> InputError:
    return InputError(
        f"{title} does more between its last layer and its classes than a norm, a pooling and a "
        "head, so its layers can't be read through them. Choose a ViT or a Swin."
    )
