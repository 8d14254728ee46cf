"""Learned positions of a picture model: ViT's tiles, steps down and along, components as maps."""

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map
from app.components.position_mosaic import MOST_CELLS, tiles_map
from app.services import positions as positioning
from app.style.number_format import three
from app.ui.answer import answer
from app.ui.export_bar import Export, matrix_table, offline_map
from app.views.positions.state import HERE
from core import positions
from core.catalog import ModelCard
from core.positions import PositionTable
from core.trace import PatchGrid

SHOWN_COMPONENTS = 3


def render(card: ModelCard, moment: int, vectors: np.ndarray, table: PositionTable) -> Export:
    """Everything without the prefix tokens' rows, which are told apart."""
    grid = table.grid
    if grid is None:
        raise ValueError("a table of patches has a grid")
    patches = vectors[table.prefix_tokens :]
    similarity = positions.cosine_similarity(patches)
    source = f"{card.title}, {table.source}, {grid.rows} × {grid.columns} patches"
    answer(_answered(positions.similarity_by_steps(similarity, grid)))
    left, right = st.columns([7, 5], gap="large")
    with left:
        tiles = _tiles(card, similarity, grid, source)
    with right:
        _steps(similarity, grid, source)
        _prefix(vectors, table)
    _components(card, moment, patches, grid, source)
    return Export(
        "learned-patch-positions",
        source,
        lambda: matrix_table(similarity, names=("patch", "other", "cosine")),
        lambda: {"positions": vectors, "cosine_similarity": similarity},
        offline=None if tiles is None else offline_map(tiles),
        about="Patches",
    )


def _answered(steps: np.ndarray) -> str:
    """How alike neighbours are, and how alike opposite corners, in Markdown."""
    down, along = (three(float(value)) for value in (steps[1, 0], steps[0, 1]))
    far = steps.shape[0] - 1, steps.shape[1] - 1
    return (
        f"Patches one row apart have a mean cosine of **{down}**, one column apart **{along}**, "
        f"opposite corners, {far[0]} rows and {far[1]} columns apart, "
        f"**{three(float(steps[far]))}**."
    )


def _tiles(card: ModelCard, similarity: np.ndarray, grid: PatchGrid, source: str) -> HeatMap | None:
    """The paper's figure 7, centre, with a gap between tiles."""
    if similarity.size > MOST_CELLS:
        st.caption(
            f"{grid.n_patches:,} patches have {similarity.size:,} similarities; up to "
            f"{MOST_CELLS:,} are drawn. The NPZ below has them all."
        )
        return None
    figure = tiles_map(
        similarity,
        grid,
        label=f"One tile a patch of {card.title}: its similarity to all patches, in their places",
        caption=f"Cosine similarity of patch positions · {source}",
        title="One tile a patch: how similar is each patch to it?",
        height=560,
    )
    heat_map(figure, key=HERE.key("tiles"))
    return figure


def _steps(similarity: np.ndarray, grid: PatchGrid, source: str) -> None:
    heat_map(
        HeatMap(
            values=positions.similarity_by_steps(similarity, grid),
            rows=tuple(map(str, range(grid.rows))),
            columns=tuple(map(str, range(grid.columns))),
            label="Mean similarity by steps down and along",
            caption=f"Mean cosine similarity by distance · {source}",
            title="Similarity by distance",
            row_title="rows apart",
            column_title="columns apart",
            limit=1.0,
            cell=(32, 32),
            height=300,
        ),
        key=HERE.key("steps"),
    )


def _prefix(vectors: np.ndarray, table: PositionTable) -> None:
    """What class and register tokens have instead of a place."""
    if not table.prefix_tokens:
        st.caption("Class and register tokens, if there are any, have no position in this model.")
        return
    similarity = positions.cosine_similarity(vectors)
    with_patches = similarity[: table.prefix_tokens, table.prefix_tokens :]
    rows = "row is" if table.prefix_tokens == 1 else f"{table.prefix_tokens} rows are"
    st.caption(
        f"The first {rows} no patch's but the prefix tokens' (class, distillation, registers), and "
        "left out above. Cosine with patches: "
        f"{three(float(with_patches.min()))} to {three(float(with_patches.max()))}."
    )


def _components(
    card: ModelCard, moment: int, patches: np.ndarray, grid: PatchGrid, source: str
) -> None:
    st.subheader("Principal components, as maps over the picture")
    found = positioning.components(card.id, moment, patches)
    shown = min(SHOWN_COMPONENTS, found.scores.shape[1])
    for component, column in enumerate(st.columns(shown, gap="medium")):
        with column:
            heat_map(
                HeatMap(
                    values=found.scores[:, component].reshape(grid.rows, grid.columns),
                    rows=tuple(map(str, range(grid.rows))),
                    columns=tuple(map(str, range(grid.columns))),
                    label=f"Principal component {component + 1} over the patches",
                    caption=f"Principal component {component + 1} · {source}",
                    title=f"Component {component + 1}: {found.explained[component]:.0%}",
                    height=260,
                ),
                key=HERE.key(f"component{component}"),
            )
