"""Take the figure with you: numbers, an offline page, the session as a file."""

import csv
import io
import json
from collections.abc import Mapping

import numpy as np
import streamlit as st

from app import links
from app.inference import TextTrace
from app.views.attention import state
from app.views.attention.maps import ShownMaps
from core.catalog import ModelCard
from core.trace import AttentionKind

LARGEST_SESSION = 1  # MB


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
    """Quiet buttons; nothing is computed before one is pressed."""
    st.download_button(
        "CSV",
        lambda: _csv(shown, line),
        "attention.csv",
        "text/csv",
        on_click="ignore",
        type="tertiary",
    )
    st.download_button(
        "NPZ",
        lambda: _npz(traced, kind, shown, params),
        "attention.npz",
        on_click="ignore",
        type="tertiary",
    )
    st.download_button(
        "Session file",
        json.dumps({"page": state.PAGE, "state": dict(params)}, ensure_ascii=False, indent=1),
        "glassformer-session.json",
        "application/json",
        on_click="ignore",
        type="tertiary",
    )
    with st.popover("Open a session file", type="tertiary"):
        st.file_uploader(
            "A session file saved here",
            type="json",
            max_upload_size=LARGEST_SESSION,
            key=f"{state.PAGE}.session",
            on_change=_open_session,
        )
        if st.session_state.pop(f"{state.PAGE}.session-opened", False):
            st.rerun(scope="app")  # the sentence stands outside this fragment
        if problem := st.session_state.pop(f"{state.PAGE}.session-problem", None):
            st.warning(problem)


def _csv(shown: ShownMaps, line: str) -> bytes:
    file = io.StringIO()
    file.write(f"# {' '.join(line.split())}\n")
    writer = csv.writer(file)
    writer.writerow(["map", "query", "query_token", "key", "key_token", "weight"])
    for name, weights in zip(shown.names, shown.maps, strict=True):
        for row, query in enumerate(shown.queries.labels):
            for column, key in enumerate(shown.keys.labels):
                writer.writerow([name, row, query, column, key, repr(float(weights[row, column]))])
    return file.getvalue().encode("utf-8")


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


def _open_session() -> None:
    """Put an uploaded session's values in place; nonsense in it counts as absent."""
    uploaded = st.session_state[f"{state.PAGE}.session"]
    if uploaded is None:
        return
    try:
        content = json.loads(uploaded.getvalue().decode("utf-8"))
        given = {str(name): str(text) for name, text in content["state"].items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        st.session_state[f"{state.PAGE}.session-problem"] = (
            f"{uploaded.name} is no session file of this page: save one with “Session file” first."
        )
        return
    for param in state.PARAMS:
        value = param.parse(given[param.name]) if param.name in given else None
        state.put(param, param.default if value is None else value)
    st.session_state[f"{state.PAGE}.session-opened"] = True
