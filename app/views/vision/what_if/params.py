"""What is changed, as it stands in links."""

from typing import Final

from app.ui import params
from app.views.vision import state
from app.views.vision.mae import masks
from core.explain.attention.patch_attention import resample
from core.outputs.autoencoder import mask_of
from core.trace import PatchGrid

KEY: Final = f"{state.PAGE}.if"
Painted = tuple[int, int, masks.Hidden]  # rows and columns of the grid, and its hidden patches
NOTHING: Final[Painted] = (1, 1, ())
POSITIONS_NAMES: Final = {"kept": "as trained", "shuffled": "shuffled", "dropped": "dropped"}
NO_PATCH: Final = -1
ANSWER: Final = -1  # the model's own answer
LAST: Final = -1
MOST_HEADS: Final = 400


def _read_painted(given: str) -> Painted | None:
    size, _, body = given.partition(".")
    rows, _, columns = size.partition("x")
    if not (rows.isdecimal() and columns.isdecimal()) or len(size) > 9:
        return None
    hidden = masks.read(body)
    if hidden is None or not 0 < int(rows) * int(columns) <= masks.MOST:
        return None
    return int(rows), int(columns), tuple(i for i in hidden if i < int(rows) * int(columns))


def _written_painted(value: Painted) -> str:
    return f"{value[0]}x{value[1]}.{masks.written(value[2])}"


def _read_heads(given: str) -> tuple[str, ...] | None:
    heads = tuple(given.split("_")[:MOST_HEADS])
    return heads if all(head_of(head) is not None for head in heads) else None


def head_of(written: str) -> tuple[int, int] | None:
    """(layer, head) of "3.1"; None for nonsense."""
    layer, dot, head = written.partition(".")
    right = dot and len(written) < 9 and layer.isdecimal() and head.isdecimal()
    return (int(layer), int(head)) if right else None


HIDDEN = params.Param("ifhide", NOTHING, _read_painted, _written_painted)
HEADS = params.Param("ifheads", (), _read_heads, "_".join)
POSITIONS = params.choice("ifpos", list(POSITIONS_NAMES))
SEED = params.number("ifseed", 0, 99, 1)
EFFECTS = params.flag("ifeffects")
RANDOM = params.flag("ifrandom")
CLASS = params.number("ifclass", ANSWER, 99_999, ANSWER)
LAYER = params.number("iflayer", LAST, 199, LAST)
PATCH = params.number("ifpatch", NO_PATCH, 9_999, NO_PATCH)
NAMES = params.flag("ifnames")
PARAMS: Final = (HIDDEN, HEADS, POSITIONS, SEED, EFFECTS, RANDOM, CLASS, LAYER, PATCH, NAMES)


def on_grid(painted: Painted, grid: PatchGrid) -> masks.Hidden:
    """The same part of the picture on another model's grid: by the middle of each patch."""
    rows, columns, hidden = painted
    if (rows, columns) == (grid.rows, grid.columns):
        return hidden
    there = mask_of(PatchGrid(rows, columns, 0), hidden)
    return masks.indices(resample(there, grid))
