"""A model's own table of positions: as it is, who is similar to whom, along which axes, when."""

from functools import lru_cache, partial
from typing import Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map
from app.services import positions as positioning
from app.services import training_history
from app.style.number_format import three
from app.ui import charts, progress
from app.ui.answer import answer
from app.ui.charts import Curve
from app.ui.controls import controls
from app.ui.export_bar import Export, matrix_table, offline_map
from app.ui.input_line import input_line
from app.ui.model_picker import model_title, pick_model
from app.ui.page import Figure, View
from app.ui.params import Scope
from app.ui.snapshot_slider import END, moment_slider
from app.views.positions import learned_grid, state
from core import positions
from core.catalog import ModelCard
from core.data.snapshots import Moments
from core.positions import Layout, PositionTable

DEFAULT = "bert-mini"
TABLE = (700, 390)  # px: the table fills its place, whatever its shape

LEAST: Final = 2  # positions: one alone is similar to none

HERE: Final = Scope("positions", "learned")
MODEL: Final = HERE.text("model", DEFAULT)
SNAPSHOT: Final = HERE.whole("moment", END, 999, END)
SHOWN: Final = state.positions_size(HERE, "n", 64, least=LEAST)


def render() -> Figure | None:
    """A model; the figure."""
    cards = positioning.cards()
    with input_line(model_title(MODEL, cards)):
        card = pick_model(MODEL, cards)
    return None if card is None else partial(_figure, card)


def _figure(card: ModelCard) -> Export | None:
    """The moment; the table, similarities, distances, components."""
    table = progress.outcome(positioning.table(card.id), card.id)
    if table is None:
        st.caption("Choose another model above; the other views show what it does instead.")
        return None
    with controls():
        moment = _moment(training_history.moments(card, "positions"), table)
        if table.grid is None:
            largest = min(state.LARGEST_SIDE, len(moment))
            SHOWN.put(min(SHOWN.value, largest))
            state.slider("Positions shown", SHOWN, LEAST, largest)
    if table.grid is not None:
        return learned_grid.render(card, SNAPSHOT.value, moment, table)
    n = SHOWN.value
    return _text(card, moment[:n], table)


def _moment(training: Moments | None, table: PositionTable) -> np.ndarray:
    """The vectors at the chosen moment of the training."""
    if training is None:
        kept = "was never trained: these are sinusoids" if not table.learned else "has no snapshots"
        st.caption(f"This model {kept}.")
        return table.vectors
    at = moment_slider("Watch it learn", training, SNAPSHOT)
    return table.vectors if at == END else training.values[at]


def _text(card: ModelCard, vectors: np.ndarray, table: PositionTable) -> Export:
    n, d = vectors.shape
    source = f"{card.title}, {table.source}, {n} positions"
    similarity = positions.cosine_similarity(vectors)
    by_offset = positions.similarity_by_offset(similarity)
    answer(_answered(vectors, similarity, by_offset[0]))
    names = tuple(map(str, range(n)))
    left, right = st.columns([7, 5], gap="medium")
    own = HeatMap(
        values=vectors,
        rows=names,
        columns=tuple(map(str, range(d))),
        label=f"Learned positions of {card.title}: {n} positions by {d} dimensions",
        caption=source,
        title=f"{table.source}" if table.learned else f"{table.source} (sinusoids, not learned)",
        row_title="position",
        column_title="dimension",
        cell=(TABLE[0] / d, TABLE[1] / n),
        height=400,
    )
    with left:
        heat_map(own, key=HERE.key("table"))
    with right:
        heat_map(
            HeatMap(
                values=similarity,
                rows=names,
                columns=names,
                label=f"Cosine similarity of {n} positions",
                caption=f"Cosine similarity · {source}",
                title="Cosine similarity",
                row_title="position",
                column_title="position",
                limit=1.0,
                height=400,
            ),
            key=HERE.key("similarity"),
        )
    _lengths(vectors, similarity)
    left, right = st.columns(2, gap="large")
    with left:
        _by_offset(by_offset, n, d)
    with right:
        found = _components(card, vectors)
    return Export(
        "learned-positions",
        source,
        lambda: matrix_table(vectors, names=("position", "dimension", "value")),
        lambda: {"positions": vectors, "cosine_similarity": similarity, **found},
        offline=offline_map(own),
    )


def _answered(vectors: np.ndarray, similarity: np.ndarray, mean: np.ndarray) -> str:
    """What the similarity matrix says, in Markdown."""
    found = positions.neighbours(vectors, similarity)
    return (
        f"**{found.n_beside}** of {len(vectors)} positions are most similar to a direct neighbour: "
        f"one step apart the mean cosine is **{three(float(mean[1]))}**, {len(mean) - 1} steps "
        f"apart **{three(float(mean[-1]))}**."
    )


def _lengths(vectors: np.ndarray, similarity: np.ndarray) -> None:
    found = positions.neighbours(vectors, similarity)
    st.caption(
        f"Lengths ‖p‖ run from {three(found.shortest_length)} (position {found.shortest}) to "
        f"{three(found.longest_length)} (position {found.longest})."
    )


def _by_offset(found: tuple[np.ndarray, np.ndarray, np.ndarray], n: int, d: int) -> None:
    st.subheader("Similarity by distance")
    offsets = np.arange(n, dtype=float)
    mean, low, high = found
    reference = _of_sinusoids(n, d - d % 2)
    curves = [
        Curve("mean", offsets, mean.astype(float), markers=False),
        Curve("largest", offsets, high.astype(float), markers=False, dashed=True),
        Curve("smallest", offsets, low.astype(float), markers=False, dashed=True),
        Curve("sinusoids of this size", offsets, reference.astype(float), markers=False),
    ]
    chart = charts.chart(curves, x_title="|i − j|", y_title="cosine similarity", height=340)
    charts.show(chart, key=HERE.key("by-offset"), name="similarity-by-distance")


@lru_cache(maxsize=64)
def _of_sinusoids(n: int, d: int) -> np.ndarray:
    """Their mean similarity at each distance."""
    sinusoids = positions.sinusoidal(n, d, layout=Layout.INTERLEAVED)
    return positions.similarity_by_offset(positions.cosine_similarity(sinusoids))[0]


def _components(card: ModelCard, vectors: np.ndarray) -> dict[str, np.ndarray]:
    st.subheader("Principal components")
    found = positioning.components(card.id, SNAPSHOT.value, vectors)
    places = np.arange(len(vectors), dtype=float)
    curves = [
        Curve(
            f"{component + 1}: {found.explained[component]:.0%}",
            places,
            found.scores[:, component].astype(float),
            markers=False,
        )
        for component in range(found.scores.shape[1])
    ]
    chart = charts.chart(curves, x_title="position", y_title="score", height=340)
    charts.show(chart, key=HERE.key("components"), name="position-components")
    return {"component_scores": found.scores, "explained": found.explained}


VIEW: Final = View("learned", "Learned", (MODEL, SNAPSHOT, SHOWN), render)
