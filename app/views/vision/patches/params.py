"""What the patches view remembers, in its session and in its link."""

from typing import Final

from app.ui import params
from app.ui.snapshot_slider import END
from app.views.vision import state
from core.trace import PatchGrid

BEST: Final = -1  # the view's own choice: the patch in the middle, the last layer

TOKEN = params.number("ptoken", BEST, 99_999, BEST)  # prefix tokens first, then patches row by row
OUTPUT = params.number("pout", 0, 8191, 0)  # which number of the projection is worked out
MOMENT = params.number("pmoment", END, 999, END)  # of the training
LAYER = params.number("player", BEST, 199, BEST)  # whose tokens are measured; 0: embeddings
PARAMS = (TOKEN, OUTPUT, MOMENT, LAYER)


def token_of(grid: PatchGrid) -> int:
    """The chosen token, kept within what the model has."""
    asked: int = state.get(TOKEN)
    if 0 <= asked < grid.n_tokens:
        return asked
    return grid.prefix_tokens + (grid.rows // 2) * grid.columns + grid.columns // 2
