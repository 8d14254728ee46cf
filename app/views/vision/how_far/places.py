"""Position similarity: one tile a patch, the clicked one large on the picture, while learning."""

from typing import Final

import numpy as np
import streamlit as st

from app.components import position_mosaic
from app.components.heat_map import heat_map, selected_cell
from app.components.picture_map import PictureMap, picture_map, selected_patch
from app.services import positions as positioning
from app.services import training_history
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui.export_bar import Export, matrix_table, offline_map
from app.ui.progress import READER_ERRORS
from app.ui.snapshot_slider import END, moment_slider
from app.views.vision.how_far.measures import HERE
from app.views.vision.inputs import Chosen
from core import positions
from core.positions import PositionTable
from core.trace import PatchGrid

MIDDLE: Final = -1  # the patch in the picture's middle
PATCH = HERE.whole("patch", MIDDLE, 9999, MIDDLE)
MOMENT = HERE.whole("moment", END, 999, END)
PARAMS: Final = (PATCH, MOMENT)
TILES: Final = HERE.key("tiles")
LARGE: Final = HERE.key("tile")
SEEN: Final = HERE.key("clicks")


def render(chosen: Chosen) -> Export | None:
    """Tiles on the left, the chosen patch's on the right; a model without a table says so."""
    st.subheader("Which places does it take to be alike?")
    try:
        table = positioning.table(chosen.card.id).result()
    except READER_ERRORS as error:
        st.info(plain(str(error)), icon=":material/info:")
        return None
    grid = table.grid
    if grid is None:
        st.info("This model's table of positions does not fit its grid of patches.")
        return None
    vectors = _moment(chosen, table)
    similarity = positions.cosine_similarity(vectors[table.prefix_tokens :])
    patch = _read_clicks(grid)
    source = f"{chosen.card.title}, {table.source}, {grid.rows} × {grid.columns} patches"
    left, right = st.columns([1, 1], gap="large")
    with left:
        _tiles(similarity, grid, patch, source)
    with right:
        _large(chosen, similarity, grid, patch, source)
        _prefix(vectors, table)
    return Export(
        "position-similarity",
        source,
        lambda: matrix_table(similarity, names=("patch", "other", "cosine")),
        lambda: {"positions": vectors, "cosine_similarity": similarity},
        offline=offline_map(_mosaic(similarity, grid, source))
        if similarity.size <= position_mosaic.MOST_CELLS
        else None,
    )


def _moment(chosen: Chosen, table: PositionTable) -> np.ndarray:
    """The vectors at the chosen moment of the training, if it was kept."""
    training = training_history.moments(chosen.card, "positions")
    if training is None or training.values.shape[1:] != table.vectors.shape:
        return table.vectors
    at = moment_slider("Watch it learn", training, MOMENT, width=420)
    return table.vectors if at == END else training.values[at]


def _read_clicks(grid: PatchGrid) -> int:
    """The patch clicked last, in the tiles or on the picture, before either is drawn."""
    middle = grid.rows // 2 * grid.columns + grid.columns // 2
    patch = PATCH.value if 0 <= PATCH.value < grid.n_patches else middle
    own = position_mosaic.cell_of(patch, grid)
    cell = selected_cell(TILES, own, position_mosaic.shape_of(grid))
    tile = None if cell is None else position_mosaic.patch_of(cell, grid)
    if cell is None or tile is not None:  # a click between two tiles says nothing
        patch = middle if tile is None else tile
    found = selected_patch(LARGE, patch, grid.n_patches)
    patch = middle if found is None else found
    PATCH.put(MIDDLE if patch == middle else patch)
    return patch


def _mosaic(similarity: np.ndarray, grid: PatchGrid, source: str):
    return position_mosaic.tiles_map(
        similarity,
        grid,
        label="One tile a patch: its position's similarity to all patches, in their places",
        caption=f"Cosine similarity of patch positions · {source}",
        title="One tile a patch; click one",
        height=470,
    )


def _tiles(similarity: np.ndarray, grid: PatchGrid, patch: int, source: str) -> None:
    if similarity.size > position_mosaic.MOST_CELLS:
        st.caption(
            f"{grid.n_patches:,} patches have {similarity.size:,} similarities; up to "
            f"{position_mosaic.MOST_CELLS:,} are drawn as tiles. Click patches on the right "
            "instead."
        )
        return
    heat_map(
        _mosaic(similarity, grid, source), key=TILES, selected=position_mosaic.cell_of(patch, grid)
    )


def _large(
    chosen: Chosen, similarity: np.ndarray, grid: PatchGrid, patch: int, source: str
) -> None:
    row, column = divmod(patch, grid.columns)
    tile = similarity[patch].reshape(grid.rows, grid.columns)
    notes = tuple(
        f"cosine {three(float(value))} · {abs(i // grid.columns - row)} rows and "
        f"{abs(i % grid.columns - column)} columns away"
        for i, value in enumerate(tile.ravel())
    )
    picture_map(
        PictureMap(
            picture=chosen.seen.picture,
            rows=grid.rows,
            columns=grid.columns,
            label=f"Similarity of every patch's position to row {row}, column {column}",
            caption=f"Cosine with the patch in row {row}, column {column} · {source}",
            values=tile,
            scale="diverging",
            limit=1.0,
            notes=notes,
            width=430,
            title=f"Row {row}, column {column}: cosine with every patch's position",
        ),
        key=LARGE,
        selected=patch,
    )


def _prefix(vectors: np.ndarray, table: PositionTable) -> None:
    """What class and register tokens have instead of a place."""
    if not table.prefix_tokens:
        st.caption("Prefix tokens, if there are any, have no position in this model.")
        return
    similarity = positions.cosine_similarity(vectors)
    with_patches = similarity[: table.prefix_tokens, table.prefix_tokens :]
    rows = "row is" if table.prefix_tokens == 1 else f"{table.prefix_tokens} rows are"
    st.caption(
        f"The table's first {rows} no patch's but the prefix tokens', and left out. Cosine with "
        f"patches: {three(float(with_patches.min()))} to {three(float(with_patches.max()))}."
    )
