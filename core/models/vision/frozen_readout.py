"""From the last tokens to a class's logit, as a linear map: the norm's scale is this picture's."""

from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from core.errors import InputError
from core.models.vision.pooling import answer_weights
from core.trace import PatchGrid


@dataclass(frozen=True)
class FrozenReadout:
    """logit = Σ over tokens of share ÷ spread · (centred x · gain · classifier) + constant."""

    shares: Float[Tensor, " token"]
    spreads: Float[Tensor, " token"]  # what the last norm divides each token by, frozen
    gain: Float[Tensor, " d_model"]
    classifier: Float[Tensor, "token d_model"]  # the class's row; DeiT's two tokens have their own
    centred: bool  # LayerNorm takes the mean away, RMSNorm does not
    constant: float

    @property
    def directions(self) -> Float[Tensor, "token d_model"]:
        """What a unit of each token's residual stream adds to the logit."""
        read = self.gain * self.classifier
        if self.centred:
            read = read - read.mean(-1, keepdim=True)
        return read * (self.shares / self.spreads)[:, None]


def frozen_readout(
    title: str,
    module: nn.Module,
    tokens: Float[Tensor, "token d_model"],
    grid: PatchGrid,
    index: int,
) -> FrozenReadout:
    """How class `index` is read from the last block's `tokens`.

    Raises InputError for a model that does more there than a norm, a pooling and a head.
    """
    model: Any = module
    head: Any = getattr(model, "head", None)
    if not isinstance(head, nn.Linear) or not hasattr(model, "norm"):
        raise _unreadable(title)
    found = answer_weights(title, module, grid)
    if found is None:
        raise InputError(
            f"{title} reads its answer out with one more attention, so what a head adds to it is "
            "no plain sum. Choose a model that reads a class token or a mean."
        )
    shares = torch.from_numpy(found.copy()).to(tokens.device)
    first, last = model.norm, getattr(model, "fc_norm", None) or nn.Identity()
    plain = [isinstance(norm, nn.Identity) for norm in (first, last)]
    if not any(plain):
        raise _unreadable(title)
    norm = last if plain[0] else first
    pooled = (shares[:, None] * tokens).sum(0).expand_as(tokens)
    spreads, gain, offset, centred = _scales(title, norm, pooled if plain[0] else tokens)
    rows = head.weight[index].expand_as(tokens).clone()
    own: Any = head.bias
    bias = 0.0 if own is None else float(own[index])
    distilled = getattr(model, "head_dist", None)
    if distilled is not None:
        rows[1] = distilled.weight[index]
        bias = (bias + float(distilled.bias[index])) / 2
    constant = float((shares[:, None] * offset * rows).sum()) + bias
    return FrozenReadout(shares, spreads, gain, rows, centred, constant)


def _scales(
    title: str, norm: Any, tokens: Float[Tensor, "token d_model"]
) -> tuple[Tensor, Tensor, Tensor, bool]:
    """What a norm divides every token by, its gain, its offset, and whether it takes the mean."""
    ones = torch.ones_like(tokens[0])
    if isinstance(norm, nn.Identity):
        return torch.ones_like(tokens[:, 0]), ones, torch.zeros_like(ones), False
    gain = ones if getattr(norm, "weight", None) is None else norm.weight
    offset = getattr(norm, "bias", None)
    offset = torch.zeros_like(ones) if offset is None else offset
    if isinstance(norm, nn.LayerNorm):
        spread = (tokens.var(-1, unbiased=False) + norm.eps).sqrt()
        return spread, gain, offset, True
    if "rmsnorm" in type(norm).__name__.lower():
        return (tokens.square().mean(-1) + norm.eps).sqrt(), gain, offset, False
    raise _unreadable(title)


def _unreadable(title: str) -> InputError:
    return InputError(
        f"{title} does more between its last layer and its classes than a norm, a pooling and a "
        "head, so what a head adds to a class is no plain sum. Choose a ViT or a DeiT."
    )
