"""What the Swin view hands out: the patch's row of every head, reach, bias, windows."""

from collections.abc import Iterator, Mapping

import numpy as np

from app.components.picture_map import PictureMap, picture_frame
from app.ui.export_bar import Export, Table
from app.views.vision.swin import looks, params
from app.views.vision.swin.geometry import Geometry
from app.views.vision.swin.looks import Traced
from core.explain.attention.head_means import one_or_mean
from core.trace.windows import WindowPartition


def export(traced: Traced, block: int, reached: np.ndarray, bias: np.ndarray | None) -> Export:
    """The chosen block's numbers; more tables for reach and bias."""
    geometry = traced.geometry
    sight = looks.sight_of(geometry, block)
    rows = looks.weights_of(traced, block)
    caption = f"{traced.caption} · {geometry.name(block)} · patch {sight.patch}"

    def weights() -> Table:
        return ("head", "row", "column", "weight", "state"), _lines(rows, sight)

    def bias_table() -> Table:
        table = np.zeros((0, 1, 1)) if bias is None else bias
        _, high, wide = table.shape
        lines = (
            (head, row - high // 2, column - wide // 2, repr(float(value)))
            for (head, row, column), value in np.ndenumerate(table)
        )
        return ("head", "row offset", "column offset", "bias"), lines

    def arrays() -> Mapping[str, np.ndarray]:
        windows = traced.layer(block).windows
        named = {"row": rows, "reach": reached, "patch": np.array(sight.patch)}
        if windows is not None:
            named |= {
                "window_weights": windows.weights,
                "window_index": windows.index,
                "window_allowed": windows.allowed,
            }
        return named if bias is None else named | {"relative_bias": bias}

    head = params.HEAD.value
    row = one_or_mean(rows, head)
    figure = PictureMap(
        picture=traced.picture,
        rows=sight.cut.rows,
        columns=sight.cut.columns,
        label=f"{geometry.name(block)}: the window of patch {sight.patch}",
        caption=caption,
        values=looks.on_grid(row, sight),
        hidden=sight.masked,
        outlined=sight.members,
        notes=looks.notes_of(row, sight),
    )
    more = {"reach": lambda: _reach(reached)} | (
        {} if bias is None else {"relative bias": bias_table}
    )
    return Export(
        "swin",
        caption,
        weights,
        arrays,
        more=more,
        offline=("picture_map", lambda: picture_frame((figure,))),
        facts=_facts(sight.cut),
    )


def of_geometry(geometry: Geometry, block: int, reached: np.ndarray) -> Export:
    """Reach alone, where there is no model."""
    caption = f"geometry of swin-mini · {geometry.name(block)} · patch {geometry.patch}"
    return Export(
        "swin-geometry",
        caption,
        lambda: _reach(reached),
        lambda: {"reach": reached},
        facts=_facts(geometry.blocks[block]),
    )


def _facts(cut: WindowPartition) -> Mapping[str, str]:
    """A block's numbers in the paper's equations."""
    window = cut.window[0] * cut.window[1]
    return {
        "rows": str(cut.rows),
        "columns": str(cut.columns),
        "patches": str(cut.n_patches),
        "window": str(window),
        "times": f"{cut.n_patches / window:.3g}",
    }


def _reach(reached: np.ndarray) -> Table:
    """Which patches are heard of after so many blocks."""
    lines = (
        (count, *divmod(int(patch), reached.shape[2]))
        for count, seen in enumerate(reached)
        for patch in np.flatnonzero(seen)
    )
    return ("blocks", "row", "column"), lines


def _lines(rows: np.ndarray, sight: looks.Sight) -> Iterator[tuple[object, ...]]:
    members, partners = sight.members.ravel(), sight.partners.ravel()
    for head, row in enumerate(rows):
        for patch in np.flatnonzero(members):
            place = divmod(int(patch), sight.cut.columns)
            yield head, *place, repr(float(row[patch])), "seen" if partners[patch] else "masked"
