"""One block of a picture model taken apart: its norm, its projections, its MLP.

timm and transformers call them differently; `check` holds that they are all that the block does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from jaxtyping import Float
from torch import Tensor, nn

from core.errors import InputError

ATTENTIONS: Final = ("attn", "attention", "self_attn")
NORMS: Final = ("norm1", "layernorm_before", "layer_norm1")
SECOND_NORMS: Final = ("norm2", "layernorm_after", "layer_norm2")
OUTPUTS: Final = ("proj", "o_proj", "out_proj")
SCALES: Final = ("ls{}.gamma", "gamma_{}", "layer_scale{}.lambda1", "lambda_{}")
TOLERANCE: Final = 1e-3  # relative to the largest number of a block's output

Tokens = Float[Tensor, "token d_model"]


@dataclass(frozen=True)
class Projection:
    """One head's rows of q, k or v: x → weight · x + bias."""

    weight: Float[Tensor, "d_head d_model"]
    bias: Float[Tensor, " d_head"]


@dataclass(frozen=True)
class BlockParts:
    """x + scale · (heads · write + bias), then + the MLP of a norm of that."""

    norm: nn.LayerNorm
    qkv: tuple[Projection, Projection, Projection]  # all heads side by side
    write: Float[Tensor, "d_values d_model"]  # all heads' output projection, layer scale included
    bias: Float[Tensor, " d_model"]
    second_norm: nn.Module
    mlp: nn.Module
    second_scale: Tensor | float

    def check(self, title: str, before: Tokens, values: Tokens, after: Tokens) -> None:
        """Raises InputError unless a block gives `after` for `before`, its heads' `values`."""
        middle = before + values @ self.write + self.bias
        made = middle + self.mlp(self.second_norm(middle[None]))[0] * self.second_scale
        if float((made - after).abs().max()) > TOLERANCE * float(after.abs().max()):
            raise _other(title)


def block_parts(title: str, block: nn.Module) -> BlockParts:
    """Raises InputError for a block that is not pre-norm attention, then an MLP."""
    attention: Any = _first(block, ATTENTIONS)
    norm, second = _first(block, NORMS), _first(block, SECOND_NORMS)
    out, mlp = _first(attention, OUTPUTS), _first(block, ("mlp",))
    if not isinstance(norm, nn.LayerNorm) or not isinstance(out, nn.Linear):
        raise _other(title)
    if second is None or mlp is None:
        raise _other(title)
    scale = _scale(block, 1)
    return BlockParts(
        norm=norm,
        qkv=_qkv(title, attention),
        write=(out.weight.T * scale).contiguous(),
        bias=_bias(out) * scale,
        second_norm=second,
        mlp=mlp,
        second_scale=_scale(block, 2),
    )


def _qkv(title: str, attention: Any) -> tuple[Projection, Projection, Projection]:
    joint = getattr(attention, "qkv", None)
    if isinstance(joint, nn.Linear):
        apart = getattr(attention, "q_bias", None) is not None  # BEiT's keys have no bias to learn
        biases = (
            [attention.q_bias, attention.k_bias, attention.v_bias]
            if apart
            else _bias(joint).chunk(3)
        )
        q, k, v = map(Projection, joint.weight.chunk(3), biases)
        return q, k, v
    parts = [getattr(attention, f"{name}_proj", None) for name in "qkv"]
    linear = [part for part in parts if isinstance(part, nn.Linear)]
    if len(linear) < len(parts):
        raise _other(title)
    q, k, v = (Projection(part.weight, _bias(part)) for part in linear)
    return q, k, v


def _bias(linear: nn.Linear) -> Tensor:
    own: Any = linear.bias
    return linear.weight.new_zeros(linear.out_features) if own is None else own


def _first(module: Any, names: Sequence[str]) -> nn.Module | None:
    return next((getattr(module, name) for name in names if hasattr(module, name)), None)


def _scale(block: nn.Module, number: int) -> Tensor | float:
    """The layer scale of the attention (1) or of the MLP (2); 1 without one."""
    own = dict(block.named_parameters())
    found = (own.get(name.format(number)) for name in SCALES)
    return next((scale for scale in found if scale is not None), 1.0)


def _other(title: str) -> InputError:
    return InputError(
        f"{title} does more in a layer than a norm, an attention and an MLP, each added to the "
        "residual stream, so one patch can't be followed through it with numbers. Choose a ViT, "
        "a DeiT or a DINOv2."
    )
