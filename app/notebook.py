"""The app's figures in a notebook: the same components on embedded data, no server, no network.

from app import show

show(trace)                                  # every head at a glance
show(trace, layer=3, head=1)                 # one head: lines and map
show(core.explain.attention_rollout(trace), trace)
show(core.explain.rollout_row(trace, 0)[1:], trace, picture=picture)   # over its patches
show(training)                               # BPE, merge by merge
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.errors import InputError
from core.tokenization.bpe import BPETraining
from core.trace import SINK, AttentionKind, Encoding, Trace, has_sink, whole_rows

if TYPE_CHECKING:
    from PIL import Image

TOKENS_SHOWN = 40  # of an input, in a caption
WAYS = "show() draws a trace, a map over its tokens or patches, or a BPE training"


@dataclass(frozen=True, slots=True)
class Inline:
    """An offline page; Jupyter draws it below the cell."""

    page: str
    height: int  # px

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.page)}" sandbox="allow-scripts allow-downloads" '
            f'style="width:100%;height:{self.height}px;border:0"></iframe>'
        )

    def save(self, path: str | Path) -> None:
        """Write the page as an HTML file that any browser opens."""
        Path(path).write_text(self.page, encoding="utf-8")


def show(
    given: Trace | BPETraining | np.ndarray,
    trace: Trace | None = None,
    *,
    layer: int | None = None,
    head: int | None = None,
    kind: AttentionKind | str | None = None,
    picture: Image.Image | None = None,
    title: str | None = None,
    height: int = 640,
) -> Inline:
    """Draw a trace, a map that an explainer made of it, or a BPE training.

    A map is (query, key), labelled by `trace`; or a row of it, or (row, column) of patches, drawn
    over `picture`. Without `layer` a trace is drawn with all its heads, with a layer alone as the
    mean of its heads. Raises InputError for what can't be drawn.
    """
    if isinstance(given, BPETraining):
        component, frame, caption = _training(given)
    elif isinstance(given, Trace):
        wanted = _kind(given, kind)
        one = None if layer is None else _one_head(given, wanted, layer, head)
        component, frame, caption = one or _all_heads(given, wanted)
    elif picture is not None:
        component, frame, caption = _patches(np.asarray(given), trace, picture)
    else:
        component, frame, caption = _matrix(np.asarray(given), trace, kind)
    from app.components.standalone import standalone_page

    return Inline(standalone_page(title or caption, component, frame, caption), height)


Drawing = tuple[str, bytes, str]  # the component, its frame, the caption


def _training(training: BPETraining) -> Drawing:
    from app.components.bpe_stepper import Stepper, bpe_stepper_frame
    from app.views.tokenization import exports, steps

    caption = exports.caption(training)
    stepper = Stepper(steps.run_values(training), steps.window_values(training, 0), caption)
    return "bpe_stepper", bpe_stepper_frame(stepper), caption


def _all_heads(trace: Trace, kind: AttentionKind) -> Drawing:
    from app.components.head_grid import GridSettings, head_grid_frame
    from app.components.selection import Seed
    from core.explain.attention import head_overview

    layers = trace.layers[kind]
    shapes = {layer.map_shape for layer in layers}
    if len(shapes) > 1:
        raise InputError(
            f"The layers' maps have different sizes ({', '.join(f'{q} × {k}' for q, k in shapes)}):"
            f" name one, show(trace, layer=0)."
        )
    queries, keys = _columns(trace, kind, layers[0].map_shape)
    overview = head_overview(
        (whole_rows(layer) if has_sink(layers) else layer.weights for layer in layers),
        query_tokens=queries,
        key_tokens=keys,
        n_heads=sum(layer.n_heads for layer in layers),
    )
    caption = _caption(trace, f"{kind} attention, every head")
    settings = GridSettings(f"All heads of {trace.model_id}", kind, caption=caption)
    return "head_grid", head_grid_frame(overview, settings, seed=Seed(())), caption


def _one_head(trace: Trace, kind: AttentionKind, layer: int, head: int | None) -> Drawing:
    from app.components.head_view import Display, HeadView, head_view_frame

    layers = trace.layers[kind]
    if not 0 <= layer < len(layers):
        raise InputError(f"There is no layer {layer}: they count from 0 to {len(layers) - 1}.")
    attention = layers[layer]
    sunk, heads = has_sink(layers), attention.n_heads
    weights = whole_rows(attention) if sunk else attention.weights
    if head is not None and not 0 <= head < heads:
        raise InputError(f"There is no head {head}: they count from 0 to {heads - 1}.")
    queries, keys = _columns(trace, kind, attention.map_shape)
    of = f"layer {layer} · " + (f"mean of {heads} heads" if head is None else f"head {head}")
    caption = _caption(trace, of)
    view = HeadView(
        kind=kind,
        names=(of,),
        palette=(0,),
        maps=(weights.mean(0) if head is None else weights[head])[None],
        query_tokens=queries,
        key_tokens=keys,
        visible_keys=attention.allowed().sum(-1) + sunk,
        uniform_keys=attention.allowed().sum(-1) + sunk,
        caption=caption,
    )
    return "head_view", head_view_frame(view, Display()), caption


def _matrix(values: np.ndarray, trace: Trace | None, kind: AttentionKind | str | None) -> Drawing:
    from app.components.heat_map import HeatMap, heat_map_frame

    if values.ndim != 2 or not values.size:
        raise InputError(
            f"{WAYS}; this array has the shape {values.shape}. Give one (query, key) map, or a row "
            "over patches with picture=…"
        )
    shape = len(values), len(values[0])
    numbered = _labels_of(None, shape[0]), _labels_of(None, shape[1])
    rows, columns = numbered if trace is None else _labels(trace, _kind(trace, kind), shape)
    caption = "A map" if trace is None else _caption(trace, "a map")
    figure = HeatMap(
        values=values.astype(np.float32),
        rows=rows,
        columns=columns,
        label=caption,
        caption=caption,
        scale="diverging" if values.min() < 0 else "sequential",
        row_title="query",
        column_title="key",
        numbers=True,
    )
    return "heat_map", heat_map_frame(figure), caption


def _patches(values: np.ndarray, trace: Trace | None, picture: Image.Image) -> Drawing:
    from app.components.picture_map import PictureMap, picture_frame

    grid = None if trace is None else trace.patches
    if values.ndim == 1 and grid is not None:
        if values.size == grid.n_tokens:
            values = values[grid.prefix_tokens :]
        if values.size == grid.n_patches:
            values = values.reshape(grid.rows, grid.columns)
    if values.ndim != 2:
        raise InputError(
            f"Over a picture (row, column) of patches are drawn, or a row of a trace's map with "
            f"that trace; this array has the shape {values.shape}"
            + (f", the trace {grid.rows} × {grid.columns} patches." if grid else ".")
        )
    caption = "A map of patches" if trace is None else _caption(trace, "a map of patches")
    figure = PictureMap(
        picture=np.asarray(picture.convert("RGB")),
        rows=values.shape[0],
        columns=values.shape[1],
        label=caption,
        caption=caption,
        values=values.astype(np.float32),
        scale="diverging" if values.min() < 0 else "sequential",
    )
    return "picture_map", picture_frame((figure,)), caption


def _kind(trace: Trace, kind: AttentionKind | str | None) -> AttentionKind:
    if kind is None and len(trace.kinds) > 1:
        raise InputError(f"Say which kind of attention: {', '.join(trace.kinds)}.")
    if kind is not None and kind not in trace.kinds:
        raise InputError(f"{trace.model_id} has {', '.join(trace.kinds)} attention, not {kind}.")
    return next(iter(trace.kinds)) if kind is None else AttentionKind(kind)


def _labels(
    trace: Trace, kind: AttentionKind, shape: tuple[int, int]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return (
        _labels_of(trace.query_encoding(kind), shape[0]),
        _labels_of(trace.key_encoding(kind), shape[1]),
    )


def _columns(
    trace: Trace, kind: AttentionKind, shape: tuple[int, int]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The same for whole rows: with a sink's column after the tokens where there is one."""
    queries, keys = _labels(trace, kind, shape)
    return queries, (*keys, SINK) if has_sink(trace.layers[kind]) else keys


def _labels_of(encoding: Encoding | None, count: int) -> tuple[str, ...]:
    """Tokens where the trace has them for such an axis, else positions."""
    if encoding is not None and len(encoding) == count:
        return encoding.tokens
    return tuple(map(str, range(count)))


def _caption(trace: Trace, what: str) -> str:
    text = " ".join(trace.tokens[:TOKENS_SHOWN])
    return " · ".join(part for part in (trace.model_id, what, text) if part)
