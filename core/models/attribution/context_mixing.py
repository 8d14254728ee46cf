"""What a text model's layers mix, as maps: ‖αf(x)‖ of what they write, or Value Zeroing."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from jaxtyping import Float32

from core.capture import Recorder
from core.errors import InputError
from core.explain.attention.written_norms import written_map
from core.explain.flow.context_mixing import value_zeroing_map
from core.interventions import Intervention, ZeroValue
from core.long_work import checkpoint
from core.models.text.head_measures import known_outputs
from core.trace import AttentionKind, Encoding, Trace, read_only

if TYPE_CHECKING:
    from core.models.text.base import TextModel

AT_ONCE: Final = 16  # rows a forward


def written_maps(model: "TextModel", trace: Trace) -> Float32[np.ndarray, "layer query key"]:
    """‖Σ_h α_ij f(x_j)‖ of every layer of a trace (Kobayashi et al. 2020).

    Raises InputError for a model that hides its values or its output matrices.
    """
    (kind,) = trace.kinds
    layers = trace.layers[kind]
    outputs = known_outputs(model.card, model.module, lambda path: model.kind_of(path) == kind)
    if outputs is None or any(layer.values is None for layer in layers):
        raise InputError(
            f"{model.card.title} hides its values or its output matrices, so what its heads write "
            "is not known. Choose the attention weights, or Value Zeroing."
        )
    maps = [written_map(layer, own) for layer, own in zip(layers, outputs, strict=True)]
    return read_only(np.stack(maps))


def value_zeroing_maps(
    model: "TextModel", source: Encoding, kind: AttentionKind
) -> Float32[np.ndarray, "layer query key"]:
    """1 − cos of what every layer gives, without and with each token's value zero in that layer.

    Mohebbi et al. 2023, https://arxiv.org/abs/2301.12971. One row of a forward a layer and
    token. Of the last layer the final norm's output is compared, where the model has one.
    """
    n_layers, n = model.promised_maps()[kind], len(source)
    (whole,) = _states(model, source, kind, [()])
    places = [(layer, key) for layer in range(n_layers) for key in range(n)]
    zeroed = np.empty((n_layers, n, *whole[0].shape), dtype=np.float32)
    for start in range(0, len(places), AT_ONCE):
        checkpoint()
        part = places[start : start + AT_ONCE]
        heads = range(model.card.heads)
        changes = [[ZeroValue(layer, head, key, kind) for head in heads] for layer, key in part]
        found = _states(model, source, kind, changes)
        for (layer, key), states in zip(part, found, strict=True):
            zeroed[layer, key] = states[layer + 1]
    maps = [value_zeroing_map(whole[layer + 1], zeroed[layer]) for layer in range(n_layers)]
    return read_only(np.stack(maps))


def _states(
    model: "TextModel",
    source: Encoding,
    kind: AttentionKind,
    changes: Sequence[Sequence[Intervention]],
) -> list[tuple[np.ndarray, ...]]:
    """The hidden states of every row, embeddings first."""
    rows = [(source, None)] * len(changes)
    with torch.inference_mode(), Recorder(model.paths, model.kind_of, changes):
        output = model.module(**model.tensors(rows), output_hidden_states=True)
    return [model.states_of(output, row)[kind] for row in range(len(rows))]
