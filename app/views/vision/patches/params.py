"""What the patches view remembers, in its session and in its link."""

from typing import Final

from app.ui.params import Scope
from app.ui.snapshot_slider import END
from app.views.vision.classes import ANSWER
from core.trace import PatchGrid

BEST: Final = -1  # the view's own choice: the patch in the middle, the last layer

HERE: Final = Scope("vision", "patches")
TOKEN = HERE.whole("token", BEST, 99_999, BEST)  # prefix tokens first, then patches row by row
OUTPUT = HERE.whole("output", 0, 8191, 0)  # which number of the projection is worked out
MOMENT = HERE.whole("moment", END, 999, END)  # of the training
LAYER = HERE.whole("layer", BEST, 199, BEST)  # whose tokens are measured; 0: embeddings
MAP: Final = HERE.choice("map", {"lengths": "Lengths", "colours": "Colours of 3 components"})
HEADS = HERE.cell("heads")  # the one that the patch is followed through, and its layer
CLASS = HERE.whole("class", ANSWER, 99_999, ANSWER)
PARAMS: Final = (TOKEN, OUTPUT, MOMENT, LAYER, MAP, HEADS, CLASS)


def token_of(grid: PatchGrid) -> int:
    """The chosen token, kept within what the model has."""
    if TOKEN.below(grid.n_tokens) != BEST:
        return TOKEN.value
    return grid.prefix_tokens + (grid.rows // 2) * grid.columns + grid.columns // 2
