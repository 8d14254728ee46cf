"""The neurons of a text model's feed-forward networks: what they write, and where they fire."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from core.capture.neurons import NeuronRecorder
from core.capture.residual_stream import part_of
from core.errors import InputError
from core.explain.attribution.neuron_writes import (
    FeedForward,
    NeuronWrites,
    Strength,
    neuron_writes,
)
from core.long_work import checkpoint
from core.models.text.logit_path import LogitPath, logit_path, no_plain_sum
from core.models.text.projections import matrix
from core.models.text.replaced_tokens import Prepared
from core.outputs.firing import Firing
from core.targets import LogitContrast
from core.trace import AttentionKind, Trace, read_only
from core.trace.residual_stream import Part

if TYPE_CHECKING:
    from core.models.text.base import TextModel


def writes_of_neurons(
    model: "TextModel", trace: Trace, seen: NeuronRecorder, target: LogitContrast, by: Strength
) -> NeuronWrites:
    """Of a trace with blocks, and what was recorded beside it. Raises InputError as `logit_path`,
    and where the networks' last matrices are not known.
    """
    way = logit_path(model, trace, target)
    return neuron_writes(
        _networks(model, way, seen.activations[way.stack], target.position),
        way.path,
        way.unembedding,
        target,
        way.logits,
        by,
    )


def firings(
    model: "TextModel", batch: Sequence[Prepared], layer: int, neuron: int
) -> tuple[Firing, ...]:
    """One neuron's activations on texts of one length, in the stack that is read out.

    Raises InputError for a layer or a neuron that is not there.
    """
    *_, stack = (kind for kind in model.promised_maps() if kind != AttentionKind.CROSS)
    seen = NeuronRecorder(model.paths, model.kind_of, (stack, layer))
    checkpoint()
    with torch.inference_mode(), seen:
        model.module(**model.tensors(batch))
    found = seen.activations[stack]
    if not found or not 0 <= neuron < found[0].shape[-1]:
        raise InputError(f"{model.card.title} has no neuron {neuron} in layer {layer}.")
    rows = _by_row(found[0], len(batch))[:, :, neuron].float().cpu().numpy()
    encodings = (target or source for source, target in batch)
    return tuple(
        Firing(encoding.tokens, encoding.ids, encoding.special, read_only(row))
        for encoding, row in zip(encodings, rows, strict=True)
    )


def _networks(
    model: "TextModel", way: LogitPath, activations: Sequence[Tensor], position: int
) -> list[FeedForward]:
    modules = [
        module
        for path, module in model.module.named_modules()
        if part_of(path) == Part.MLP and model.kind_of(path) == way.stack
    ]
    places = [
        place
        for place, one in enumerate(one for block in way.blocks for one in block.sublayers)
        if one.part == Part.MLP
    ]
    if not len(modules) == len(places) == len(activations) or len(_sizes(activations)) != 1:
        raise no_plain_sum(model.card)
    return [
        _network(module, given, place, position)
        for module, given, place in zip(modules, activations, places, strict=True)
    ]


def _network(module: nn.Module, given: Tensor, place: int, position: int) -> FeedForward:
    output, bias = matrix(module)
    read = _by_row(given, 1)[0, position].float().cpu().numpy()
    return FeedForward(read, output, bias, place)


def _by_row(activations: Tensor, rows: int) -> Tensor:
    """(row, position, neuron); OPT has the rows of a batch one after the other."""
    return activations if activations.ndim == 3 else activations.unflatten(0, (rows, -1))


def _sizes(activations: Sequence[Tensor]) -> set[int]:
    return {one.shape[-1] for one in activations}
