"""Take the figure with you: numbers, an offline page, the session as a file."""

import io
import json
from collections.abc import Mapping

import numpy as np

from app.services.engine import TextTrace
from app.services.shown_maps import ShownMaps
from app.ui import downloads as exports
from app.ui import params as links
from app.views.attention import state
from core.catalog import ModelCard
from core.trace import AttentionKind


def caption(card: ModelCard, kind: AttentionKind, shown: ShownMaps) -> str:
    """Model, heads, text and settings in one line, for exported figures."""
    settings = {
        name: given
        for name, given in links.written(state.PAGE, state.PARAMS).items()
        if name not in ("model", "text", "pair", "target", "heads")
    }
    listed = ", ".join(f"{name}={given}" for name, given in settings.items())
    sentence = " / ".join(filter(None, (state.get(state.TEXT), state.get(state.PAIR))))
    parts = [f"{card.title}, {kind} attention", "; ".join(shown.names[:4]), f"“{sentence}”", listed]
    return " · ".join(part for part in parts if part)


def downloads(
    traced: TextTrace,
    kind: AttentionKind,
    shown: ShownMaps,
    *,
    line: str,
    params: Mapping[str, str],
) -> None:
    """The numbers behind the figure, and the session."""
    exports.download("CSV", lambda: _csv(shown, line), "attention.csv", "text/csv")
    exports.download("NPZ", lambda: _npz(traced, kind, shown, params), "attention.npz")
    exports.session_file(state.PAGE, state.PARAMS, params)


def _csv(shown: ShownMaps, line: str) -> bytes:
    rows = (
        (name, row, query, column, key, repr(float(weights[row, column])))
        for name, weights in zip(shown.names, shown.maps, strict=True)
        for row, query in enumerate(shown.queries.labels)
        for column, key in enumerate(shown.keys.labels)
    )
    header = ("map", "query", "query_token", "key", "key_token", "weight")
    return exports.csv_bytes(line, header, rows)


def _npz(
    traced: TextTrace, kind: AttentionKind, shown: ShownMaps, params: Mapping[str, str]
) -> bytes:
    """The drawn maps, and where it is known the q, k and v of the heads behind them."""
    arrays: dict[str, np.ndarray] = {
        "maps": shown.maps,
        "heads": np.array(shown.heads),
        "names": np.array(shown.names),
        "query_tokens": np.array(shown.queries.labels),
        "key_tokens": np.array(shown.keys.labels),
        "settings": np.array(json.dumps(dict(params), ensure_ascii=False)),
        "model": np.array(traced.trace.model_id),
        "kind": np.array(kind.value),
    }
    if shown.removed is not None:
        arrays["removed"] = shown.removed
    for layer, head in shown.heads:
        attention = traced.trace.attention(layer, kind=kind)
        parts = {"q": attention.queries, "k": attention.keys, "v": attention.values}
        for name, part in parts.items():
            if part is not None:
                arrays[f"{name}_layer{layer}_head{head}"] = part[head]
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **arrays)
    return file.getvalue()
