"""How long are the tokens after each layer, and which stand out?"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import streamlit as st

from app.components.picture_map import PictureMap, picture_map
from app.services import vision
from app.services.vision_attention import Traced
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import charts
from app.ui.charts import Curve
from app.ui.logit_lens import layer_name, layer_number
from app.ui.options import one_of
from app.views.vision.patches import params
from app.views.vision.patches.colours import draw_colours
from core.explain.embeddings.norm_outliers import (
    DEVIATIONS,
    deviations_from_median,
    outlier_threshold,
    token_norms,
)
from core.explain.embeddings.patch_components import PatchComponents, patch_components
from core.trace import PatchGrid


@dataclass(frozen=True, eq=False)
class LayerNorms:
    """One state's patches on a grid, and all tokens' lengths, prefix tokens first."""

    index: int  # among the trace's states
    prefix: np.ndarray  # (prefix,)
    patches: np.ndarray  # (row, column)

    @property
    def name(self) -> str:
        return layer_name(self.index)

    @cached_property
    def outliers(self) -> np.ndarray:
        return self.patches > self.threshold

    @cached_property
    def threshold(self) -> float:
        return outlier_threshold(self.patches.reshape(-1))


def layer_norms(traced: Traced) -> tuple[LayerNorms, ...]:
    """Of the embeddings and of every layer's output; states that lie on no grid are left out."""
    return vision.derived(traced.request, "token-norms", lambda: _layer_norms(traced))


def _layer_norms(traced: Traced) -> tuple[LayerNorms, ...]:
    found: list[LayerNorms] = []
    for index, states in enumerate(traced.trace.hidden_states()):
        grid = _grid_of(traced, index, len(states))
        if grid is None:
            continue
        norms, first, shape = token_norms(states), grid.prefix_tokens, (grid.rows, grid.columns)
        found.append(LayerNorms(index, norms[:first], norms[first:].reshape(shape)))
    return tuple(found)


def draw_norms(
    traced: Traced, norms: tuple[LayerNorms, ...]
) -> tuple[LayerNorms, PatchComponents | None]:
    """A map for the chosen layer, a curve over all; the layer, with its colours if asked."""
    in_colours = params.MAP.value == "colours"
    st.subheader("Which patches are alike?" if in_colours else "Do some tokens stand out?")
    names = [one.name for one in norms]
    if not -1 <= params.LAYER.value < len(norms) - 1:
        params.LAYER.put(params.BEST)
    left, right = st.columns([5, 6], gap="large")
    with left:
        at = one_of(
            params.LAYER,
            st.select_slider,
            "After",
            [*range(len(norms) - 1), params.BEST],  # −1, the default, is the last layer
            names.__getitem__,
            numbers=lambda at: norms[at].index - 1,
        )
        params.MAP.segmented("What the map shows", quiet=True)
        colours = None
        if params.MAP.value == "colours":
            states = traced.trace.hidden_states()[norms[at].index]
            shape = (*norms[at].patches.shape, -1)
            colours = patch_components(states[norms[at].prefix.size :].reshape(shape))
            draw_colours(traced.card.title, norms[at].name, colours)
        else:
            _map(traced, norms[at])
    with right:
        _curves(traced, norms)
    if colours is not None:
        return norms[at], colours
    st.caption(
        f"Marked: patches longer than median + {DEVIATIONS:g} × the median absolute deviation of "
        "that layer’s patches. In large models trained long enough, a few dull patches grow ten "
        "times as long as the rest and hold something about the whole picture; registers take "
        "that job over ([Darcet et al. 2024](https://arxiv.org/abs/2309.16588), who cut at a "
        "fixed length). Small models need not show any."
    )
    return norms[at], None


def _map(traced: Traced, norms: LayerNorms) -> None:
    values = norms.patches
    middle = float(np.median(values))
    apart = deviations_from_median(values)
    outliers = norms.outliers
    label = f"{traced.card.title}: token lengths, {norms.name}"
    picture_map(
        PictureMap(
            picture=traced.seen.picture,
            rows=values.shape[0],
            columns=values.shape[1],
            label=label,
            caption=f"{label}, in median absolute deviations from the median",
            values=apart,
            scale="diverging",
            limit=max(DEVIATIONS, float(np.abs(apart).max())),
            outlined=outliers,
            notes=tuple(
                f"length {three(float(value))} · {three(float(away))} deviations from the median"
                for value, away in zip(values.flat, apart.flat, strict=True)
            ),
            width=400.0,
            title=f"Length of each token, {norms.name}: deviations from the median",
        ),
        key=params.HERE.key("norms"),
        clickable=False,
    )
    count = int(outliers.sum())
    told = [
        f"{count} of {values.size} patches stand out (longer than {three(norms.threshold)}); the "
        f"median is {three(middle)}, the longest {three(float(values.max()))}."
    ]
    if norms.prefix.size:
        each = " · ".join(
            f"{name} {three(float(length))}"
            for name, length in zip(traced.prefix, norms.prefix, strict=False)
        )
        told.append(f"Prefix tokens: {each}.")
    st.caption(plain(" ".join(told)))


def _curves(traced: Traced, norms: tuple[LayerNorms, ...]) -> None:
    layers = tuple(layer_number(one.index) for one in norms)

    def curve(name: str, values: list[float], *, dashed: bool = False) -> Curve:
        return Curve(name, layers, np.array(values, dtype=float), dashed=dashed)

    curves = [
        curve("longest patch", [float(one.patches.max()) for one in norms]),
        curve("median patch", [float(np.median(one.patches)) for one in norms]),
        curve("threshold", [one.threshold for one in norms], dashed=True),
    ]
    if all(one.prefix.size for one in norms):
        curves += [
            curve(name, [float(one.prefix[index]) for one in norms])
            for index, name in enumerate(traced.prefix)
        ]
    chart = charts.chart(curves, x_title="layer", y_title="length ‖token‖", height=420)
    chart.x_axis(type="category", categoryorder="array", categoryarray=list(layers))
    charts.show(
        chart,
        key=params.HERE.key("norm-curves"),
        name="token-lengths",
        caption=f"Token lengths · {traced.card.title}",
    )


def _grid_of(traced: Traced, index: int, n_tokens: int) -> PatchGrid | None:
    """The grid that a state's tokens lie on: its own layer's, or the picture's."""
    trace = traced.trace
    layer = trace.attention(index - 1).query_grid if 0 < index <= trace.n_layers() else None
    grids = (grid for grid in (layer, trace.patches) if grid is not None)
    return next(
        (g for g in grids if g.n_tokens == n_tokens),
        None,
    )
