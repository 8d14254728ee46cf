"""What is changed, as it stands in links."""

from typing import Final

from app.ui.logit_lens import layer_number, state_of
from app.ui.params import Scope
from app.views.vision import masks
from app.views.vision.classes import ANSWER
from core.explain.attention.patch_attention import resample
from core.outputs.autoencoder import mask_of
from core.trace import PatchGrid

Painted = tuple[int, int, masks.Hidden]  # rows and columns of the grid, and its hidden patches
NOTHING: Final[Painted] = (1, 1, ())
NO_PATCH: Final = -1
LAST: Final = -1


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


HERE: Final = Scope("vision", "what-if")
HIDDEN = HERE.custom("hidden", NOTHING, _read_painted, _written_painted)
HEADS = HERE.cells("heads")  # silenced: layer and head
POSITIONS = HERE.choice(
    "positions", {"kept": "as trained", "shuffled": "shuffled", "dropped": "dropped"}
)
SEED = HERE.whole("seed", 0, 99, 1)
EFFECTS = HERE.flag("effects")
RANDOM = HERE.flag("random")
CLASS = HERE.whole("class", ANSWER, 99_999, ANSWER)
LAYER = HERE.custom("layer", LAST, state_of, layer_number)  # a state, see app.ui.logit_lens
PATCH = HERE.whole("patch", NO_PATCH, 9_999, NO_PATCH)
NAMES = HERE.flag("names")
PARAMS: Final = (HIDDEN, HEADS, POSITIONS, SEED, EFFECTS, RANDOM, CLASS, LAYER, PATCH, NAMES)


def on_grid(painted: Painted, grid: PatchGrid) -> masks.Hidden:
    """The same part of the picture on another model's grid: by the middle of each patch."""
    rows, columns, hidden = painted
    if (rows, columns) == (grid.rows, grid.columns):
        return hidden
    there = mask_of(PatchGrid(rows, columns, 0), hidden)
    return masks.indices(resample(there, grid))
