"""LayerNorm, RMSNorm and DeepNorm on the vectors of the reader's own sentence."""

from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map, heat_map_frame
from app.components.selection import clicked_index
from app.components.token_row import Chip, token_row
from app.services import blocks
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import progress
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.data_table import data_table
from app.ui.export_bar import Export
from app.ui.page import Figure, View
from app.ui.params import Scope
from app.views.blocks.sentence import sentence_and_model
from app.views.blocks.state import MODEL, TEXT
from core.blocks.norms import (
    deep_norm,
    deep_norm_constants,
    divided_by_root_sigma,
    layer_norm,
    rms_norm,
    vector_size,
)
from core.catalog import ModelCard
from core.trace import Trace
from core.trace.residual_stream import Part, Sublayer

OWN: Final = "model's"  # the norm that the model computed

HERE: Final = Scope("blocks", "norms.vectors")
LAYER: Final = HERE.whole("layer", 0, 99, 2)
SUBLAYER: Final = HERE.choice(
    "sublayer", {"attention": "after attention", "mlp": "after feed-forward"}
)
TOKEN: Final = HERE.whole("token", 0, 511, 2)


def render() -> Figure | None:
    """A sentence and a model; the figure."""
    loaded = sentence_and_model()
    return None if loaded is None else partial(_figure, loaded)


def _figure(loaded: ModelCard) -> Export | None:
    """Trace the sentence, choose a token and a sublayer, norm its vector three ways."""
    trace = progress.outcome(blocks.block_trace(loaded.id, TEXT.value)[1], loaded.id)
    if trace is None:
        return None
    with controls():
        LAYER.kept_below(loaded.layers)
        if loaded.layers > 1:
            LAYER.slider("layer", 0, loaded.layers - 1, width=260)
        SUBLAYER.segmented("Sublayer")
    token = _token(trace)
    sublayer = trace.block(LAYER.value).sublayer(Part(SUBLAYER.value))
    caption = (
        f"{loaded.title}, layer {LAYER.value}, {SUBLAYER.names[SUBLAYER.value]}, "
        f"token {token} “{trace.tokens[token]}” of “{TEXT.value[:120]}”"
    )
    raw, normed = _vectors(sublayer, token, loaded.layers)
    answer(_answered(raw["x+f(x)"], normed["LayerNorm"], trace.tokens[token]))
    figure = _strips(raw, "Before the norm", caption)
    heat_map(figure, key=HERE.key("raw"))
    heat_map(_strips(normed, "After it", caption), key=HERE.key("normed"))
    _numbers(raw | normed)
    if sublayer.pre_norm:
        st.caption(
            f"{plain(loaded.title)} is a pre-norm model: it norms x before the sublayer, so its "
            "own norm is LayerNorm (or RMSNorm) of x, and the sum goes on unnormed."
        )
    return Export(
        name="norms",
        caption=caption,
        table=lambda: (
            ("dimension", *raw, *normed),
            (
                (number + 1, *values)
                for number, values in enumerate(
                    np.stack([*raw.values(), *normed.values()], axis=1).tolist()
                )
            ),
        ),
        arrays=lambda: {name.replace(" ", "_"): vector for name, vector in (raw | normed).items()},
        offline=("heat_map", lambda: heat_map_frame(figure)),
        facts={
            "layers": str(loaded.layers),
            "alpha": three(deep_norm_constants(loaded.layers).alpha),
        },
    )


def _token(trace: Trace) -> int:
    """The chosen token; a click on another one chooses it."""
    place, tokens = HERE.key("tokens"), trace.tokens
    if (clicked := clicked_index(place, len(tokens))) is not None:
        TOKEN.put(clicked)
    chosen = TOKEN.kept_below(len(tokens))
    chips = tuple(
        Chip(
            token,
            state="lit" if number == chosen else "plain",
            token_id=None if trace.encoding is None else int(trace.encoding.ids[number]),
        )
        for number, token in enumerate(tokens)
    )
    token_row(chips, label="Tokens: click one", key=place)
    return chosen


def _vectors(
    sublayer: Sublayer, token: int, layers: int
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """What goes into the norm, and what each norm makes of the sum."""
    x, f = sublayer.received[token], sublayer.output[token]
    total = x + f
    raw = {"x": x, "f(x)": f, "x+f(x)": total}
    normed = {
        "LayerNorm": layer_norm(total),
        "RMSNorm": rms_norm(total),
        "DeepNorm": deep_norm(x, f, alpha=deep_norm_constants(layers).alpha),
        OWN: sublayer.normed[token],
    }
    return raw, normed


def _answered(before: np.ndarray, after: np.ndarray, token: str) -> str:
    """What LayerNorm does to the sum, in Markdown."""
    was, now = vector_size(before), vector_size(after)
    return (
        f"The sum for *{plain(token)}* has an RMS of **{three(was.rms)}** and its largest "
        f"component, **{three(was.largest)}**, in dimension {was.place + 1}; LayerNorm makes them "
        f"**{three(now.rms)}** and **{three(now.largest)}**."
    )


def _strips(vectors: dict[str, np.ndarray], title: str, caption: str) -> HeatMap:
    values = np.stack(list(vectors.values()))
    return HeatMap(
        values, tuple(vectors),
        tuple(str(number + 1) for number in range(values.shape[1])), label=title, title=title,
        caption=caption, cell=(20.0, 22.0), limit=float(np.quantile(np.abs(values), 0.995)),
    )  # fmt: skip


def _numbers(vectors: dict[str, np.ndarray]) -> None:
    rows = vectors | {"÷ √σ, a slip": divided_by_root_sigma(vectors["x+f(x)"])}
    sizes = [vector_size(row) for row in rows.values()]
    data_table(
        {
            "vector": list(rows),
            "mean": [f"{one.mean:.3g}" for one in sizes],
            "standard deviation σ": [f"{one.deviation:.3g}" for one in sizes],
            "RMS": [f"{one.rms:.3g}" for one in sizes],
            "largest component": [f"{one.largest:.3g}" for one in sizes],
            "… in dimension": [one.place + 1 for one in sizes],
        },
    )


VIEW: Final = View("vectors", "On a real vector", (MODEL, TEXT, LAYER, SUBLAYER, TOKEN), render)
