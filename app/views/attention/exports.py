"""Take the figure with you: numbers, an offline page, the session as a file."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Final

import numpy as np

from app.components.head_view import HeadView
from app.services import text_maps
from app.services.engine import TextTrace
from app.services.shown_maps import ShownMaps
from app.ui import head_names
from app.ui.export_bar import Export
from app.views.attention import state
from app.views.attention.inputs import second_texts
from core.catalog import ModelCard
from core.data.known_roles import Layers
from core.trace import AttentionKind

SILENCED: Final = {  # told in words of their own
    param.name for param in state.SILENCE.params if param not in state.NAMES.params
}


def caption(card: ModelCard, kind: AttentionKind, shown: ShownMaps) -> str:
    """Model, heads, text and settings in one line, for exported figures."""
    settings = {
        name: given
        for name, given in _written().items()
        if name not in ("model", "text", "pair", "target", "heads") and name not in SILENCED
    }
    listed = ", ".join(f"{name}={given}" for name, given in settings.items())
    sentence = " / ".join(filter(None, (state.TEXT.value, second_texts(card.family)[0])))
    parts = [f"{card.title}, {kind} attention", "; ".join(shown.names[:4]), f"“{sentence}”", listed]
    return " · ".join(part for part in parts if part)


def export(
    traced: TextTrace,
    kind: AttentionKind,
    shown: ShownMaps,
    view: HeadView,
    frame: Callable[[], bytes],
    facts: Mapping[str, str],
    named: Layers | None,
) -> Export:
    """The numbers behind the figure, and the figure as an offline page."""
    return Export(
        "attention",
        view.caption,
        lambda: (("map", "query", "query_token", "key", "key_token", "weight"), _rows(shown)),
        lambda: _arrays(traced, kind, shown) | ({} if named is None else head_names.arrays(named)),
        offline=("head_view", frame),
        facts=facts,
    )


def _rows(shown: ShownMaps) -> Iterator[tuple[object, ...]]:
    for name, weights in zip(shown.names, shown.maps, strict=True):
        for row, query in enumerate(shown.queries.labels):
            for column, key in enumerate(shown.keys.labels):
                yield name, row, query, column, key, repr(float(weights[row, column]))


def unfused(traced: TextTrace, kind: AttentionKind, start: int = 0) -> dict[str, np.ndarray]:
    """Every layer's heads from `start` on (head, query, key): what a figure fused."""
    layers = range(start, traced.trace.n_layers(kind))
    return {f"weights_layer{layer}": text_maps.weights(traced, kind, layer) for layer in layers}


def _written() -> dict[str, str]:
    return {p.name: given for p in state.PARAMS if (given := p.written) is not None}


def _arrays(traced: TextTrace, kind: AttentionKind, shown: ShownMaps) -> dict[str, np.ndarray]:
    """The drawn maps, the model's own of the heads behind them, and where known their q, k, v."""
    arrays: dict[str, np.ndarray] = {
        "maps": shown.maps,
        "heads": np.array(shown.heads),
        "names": np.array(shown.names),
        "query_tokens": np.array(shown.queries.labels),
        "key_tokens": np.array(shown.keys.labels),
        "settings": np.array(json.dumps(_written(), ensure_ascii=False)),
        "model": np.array(traced.trace.model_id),
        "kind": np.array(kind.value),
    }
    if shown.removed is not None:
        arrays["removed"] = shown.removed
    for layer, head in shown.heads:
        attention = traced.trace.attention(layer, kind=kind)
        weights = text_maps.weights(traced, kind, layer)  # before any mean, merging or hiding
        arrays[f"weights_layer{layer}_head{head}"] = weights[head]
        parts = {"q": attention.queries, "k": attention.keys, "v": attention.values}
        for name, part in parts.items():
            if part is not None:
                arrays[f"{name}_layer{layer}_head{head}"] = part[head]
    return arrays
