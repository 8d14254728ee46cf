"""Both measures of a text model's heads."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from torch import nn

from core.catalog import ModelCard
from core.errors import InputError
from core.explain.attention.head_roles import role_masses
from core.explain.attention.written_norms import written_norms
from core.models.text.projections import output_matrices
from core.outputs.head_measures import HeadMeasures
from core.trace import AttentionKind, Trace


def head_measures(
    traces: Sequence[Trace],
    outputs: Mapping[AttentionKind, Sequence[np.ndarray] | None],
    only: Sequence[str] | None,
) -> tuple[Mapping[AttentionKind, HeadMeasures], ...]:
    """By kind, of every trace; `only`: of these roles."""
    return tuple(
        {kind: _of_kind(trace, kind, outputs[kind], only) for kind in trace.kinds}
        for trace in traces
    )


def known_outputs(
    card: ModelCard, module: nn.Module, belongs: Callable[[str], bool]
) -> list[np.ndarray] | None:
    """W^O (head, d_value, d_model) of every layer, where it is kept in a known way."""
    try:
        return output_matrices(card, module, belongs)
    except InputError:
        return None


def _of_kind(
    trace: Trace,
    kind: AttentionKind,
    outputs: Sequence[np.ndarray] | None,
    only: Sequence[str] | None,
) -> HeadMeasures:
    layers = trace.layers[kind]
    weights = role_masses(trace, kind, only=only)
    if outputs is None or any(layer.values is None for layer in layers):
        return HeadMeasures(weights, None)
    norms = [written_norms(layer, output) for layer, output in zip(layers, outputs, strict=True)]
    return HeadMeasures(weights, role_masses(trace, kind, norms=norms, only=only))
