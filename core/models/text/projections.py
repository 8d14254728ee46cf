"""The four matrices of one attention head, W^Q, W^K, W^V and W^O, read from a model's weights.

Vaswani et al. 2017, section 3.2.2, https://arxiv.org/abs/1706.03762. Models keep the matrices of
all heads side by side, in one linear layer each (BERT, Llama, Marian …) or fused into one (GPT-2,
timm's ViT); a head is a slice of each. Row vectors: query = x W^Q + b, as in the paper.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
from jaxtyping import Float32
from torch import Tensor, nn

from core.catalog import ModelCard
from core.errors import InputError
from core.outputs.projections import HeadProjections
from core.trace import read_only

SEPARATE: Final = (
    ("query", "key", "value"),
    ("q_lin", "k_lin", "v_lin"),
    ("q_proj", "k_proj", "v_proj"),
    ("query_proj", "key_proj", "value_proj"),
    ("q", "k", "v"),
)
FUSED: Final = ("c_attn", "qkv")
OUTPUTS: Final = ("out_lin", "out_proj", "o_proj", "o", "c_proj", "proj", "dense")
Matrix = tuple[np.ndarray, np.ndarray]  # (input, output), and the bias


def head_projections(
    card: ModelCard,
    module: nn.Module,
    belongs: Callable[[str], bool],
    place: tuple[int, int],
) -> HeadProjections:
    """The matrices of `place` = (layer, head) among the attention modules that `belongs` accepts.

    Raises InputError for a place that is not there and for a model whose layers have other names.
    """
    found = _layers(card, module, belongs)
    layer, head = place
    if not (0 <= layer < len(found) and 0 <= head < card.heads):
        raise InputError(
            f"There is no layer {layer}, head {head}: {card.title} has layers 0 to "
            f"{len(found) - 1} and heads 0 to {card.heads - 1}."
        )
    attention, parent = found[layer]
    query, key, value = _inputs(attention)
    weight, output_bias = _output(card, attention, parent)
    d_head = query[0].shape[1] // card.heads
    n_groups = key[0].shape[1] // d_head  # fewer than heads where heads share keys (Llama 2)
    group = head * n_groups // card.heads
    own = slice(head * d_head, (head + 1) * d_head)
    shared = slice(group * d_head, (group + 1) * d_head)
    return HeadProjections(
        query=read_only(query[0][:, own]),
        key=read_only(key[0][:, shared]),
        value=read_only(value[0][:, shared]),
        output=read_only(weight[own]),
        query_bias=read_only(query[1][own]),
        key_bias=read_only(key[1][shared]),
        value_bias=read_only(value[1][shared]),
        output_bias=read_only(output_bias),
    )


def output_matrices(
    card: ModelCard, module: nn.Module, belongs: Callable[[str], bool]
) -> list[Float32[np.ndarray, "head d_value d_model"]]:
    """W^O of every head, a layer each. Raises InputError as `head_projections` does."""
    weights = (_output(card, *pair)[0] for pair in _layers(card, module, belongs))
    return [weight.reshape(card.heads, -1, weight.shape[1]) for weight in weights]


def output_biases(
    card: ModelCard, module: nn.Module, belongs: Callable[[str], bool]
) -> list[Float32[np.ndarray, " d_model"]]:
    """The bias of W^O, which belongs to no head. Raises InputError as `head_projections` does."""
    return [_output(card, *pair)[1] for pair in _layers(card, module, belongs)]


def _layers(
    card: ModelCard, module: nn.Module, belongs: Callable[[str], bool]
) -> list[tuple[nn.Module, nn.Module]]:
    found = [pair for path, pair in _attention_modules(module) if belongs(path)]
    if not found:
        raise InputError(
            f"{card.title} keeps its query, key and value matrices in a way that is not known "
            "here. Choose another model, BERT mini for example."
        )
    return found * max(1, card.layers) if len(found) == 1 else found  # ALBERT: all share one


def _attention_modules(module: nn.Module) -> Iterator[tuple[str, tuple[nn.Module, nn.Module]]]:
    """Modules that hold query, key and value matrices, in layer order, with their parents."""
    modules = dict(module.named_modules())
    for path, candidate in modules.items():
        children = {name for name, _ in candidate.named_children()}
        if any(children.issuperset(names) for names in SEPARATE) or children & set(FUSED):
            yield path, (candidate, modules[path.rpartition(".")[0]])


def _inputs(attention: nn.Module) -> tuple[Matrix, Matrix, Matrix]:
    children = dict(attention.named_children())
    for names in SEPARATE:
        if children.keys() >= set(names):
            query, key, value = (matrix(children[name]) for name in names)
            return query, key, value
    weight, bias = matrix(next(children[name] for name in FUSED if name in children))
    query, key, value = zip(np.split(weight, 3, axis=1), np.split(bias, 3), strict=True)
    return query, key, value


def _output(card: ModelCard, attention: nn.Module, parent: nn.Module) -> Matrix:
    """W^O: within the attention module, or (BERT) in the `output` beside it."""
    children = dict(attention.named_children())
    for name in OUTPUTS:
        if name in children:
            return matrix(children[name])
    dense = getattr(getattr(parent, "output", None), "dense", None)
    if dense is None:
        raise InputError(f"{card.title} keeps no output matrix where one is expected.")
    return matrix(dense)


def matrix(layer: Any) -> Matrix:
    """A linear layer's weight as (input, output), and its bias or zeros."""
    weight: Tensor = layer.weight.detach().float().cpu()
    if isinstance(layer, nn.Linear):  # GPT-2's Conv1D already stores (input, output)
        weight = weight.T
    bias = getattr(layer, "bias", None)
    array = weight.numpy()
    zeros = np.zeros(array.shape[1], dtype=np.float32)
    return array, zeros if bias is None else bias.detach().float().cpu().numpy()
