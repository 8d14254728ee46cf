"""The view's numbers to take along."""

from collections.abc import Iterable, Mapping

import numpy as np

from app.components.picture_film import PictureFilm, film_frame
from app.components.picture_map import PictureMap, picture_frame
from app.style.markdown_escape import plain
from app.ui.export_bar import Export, Table
from app.views.vision import own_film
from app.views.vision.attention.side import Side
from core.explain.attention.patch_attention import Look, read_patches


def export(sides: tuple[Side, ...], figure: PictureMap, film: PictureFilm | None) -> Export:
    """The shown maps as tables, every head's look as arrays; with a film, its frames too."""
    caption = " | ".join(side.caption for side in sides)
    first, *others = sides
    grid = first.traced.grid
    return Export(
        "patch-attention",
        caption,
        lambda: _table(first),
        lambda: {**_arrays(sides), **({} if film is None else own_film.numbers(film))},
        more={"second model": lambda: _table(others[0])} if others else {},
        offline=("picture_map", lambda: picture_frame((figure,)))
        if film is None
        else ("picture_film", lambda: film_frame(film)),
        facts={
            "rows": str(grid.rows),
            "columns": str(grid.columns),
            "patches": str(grid.n_patches),
            "prefix": plain(", ".join(first.traced.prefix)) or "none",
        },
    )


def _table(side: Side) -> Table:
    """Prefix tokens, then patches: weight, rank among the visible, × uniform."""
    return ("token", "row", "column", "weight", "rank", "times uniform"), _lines(side)


def _lines(side: Side) -> Iterable[tuple[object, ...]]:
    look: Look = side.shown
    for name, weight in zip(side.traced.prefix, look.prefix[0], strict=False):
        yield name, "", "", repr(float(weight)), "", ""
    for index, read in enumerate(read_patches(look.patches[0], look.uniform)):
        row, column = divmod(index, look.grid.columns)
        yield (
            "patch",
            row,
            column,
            repr(read.weight),
            read.rank,
            repr(read.times_uniform),
        )


def _arrays(sides: tuple[Side, ...]) -> Mapping[str, np.ndarray]:
    arrays: dict[str, np.ndarray] = {}
    for side in sides:
        arrays[f"picture{side.name}"] = side.traced.seen.picture
        arrays[f"shown{side.name}"] = side.shown.patches[0]
        for index, look in enumerate(side.looks.layers):
            arrays[f"layer{index}_patches{side.name}"] = look.patches  # (head, row, column)
            arrays[f"layer{index}_prefix{side.name}"] = look.prefix  # (head, prefix)
    return arrays
