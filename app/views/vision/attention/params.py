"""What the attention view remembers, in its session and in its link."""

from typing import Final

from app.services.vision_attention import Traced
from app.ui import params
from app.views.vision import state
from core.explain.attention.patch_attention import Fusion

MEAN_OF_PATCHES: Final = -2
BEST: Final = -1  # the view's own choice: the first prefix token, the last layer
LAST: Final = -1
ALL_PATCHES: Final = "all patches, averaged"

TOKEN = params.number("atoken", MEAN_OF_PATCHES, 99_999, BEST)  # prefix tokens first, then patches
DIRECTION = params.choice("adir", ["from", "to"])
FUSION = params.choice("afuse", ["mean", "one", "max", "min"])
KEEP = params.number("akeep", 1, 100, 100)  # per cent of the patches' mass
SHARED = params.flag("ashared")
LAYER = params.number("alayer", LAST, 199, LAST)
HEAD = params.number("ahead", 0, 199, 0)
SECOND = params.text("a2")
LAYER_2 = params.number("alayer2", LAST, 199, LAST)
HEAD_2 = params.number("ahead2", 0, 199, 0)
PARAMS = (TOKEN, DIRECTION, FUSION, KEEP, SHARED, LAYER, HEAD, SECOND, LAYER_2, HEAD_2)


def token_of(traced: Traced) -> int | None:
    """The chosen token on the picture's grid; None: the mean over all patches."""
    asked: int = state.get(TOKEN)
    grid = traced.grid
    if asked >= grid.n_tokens:
        state.put(TOKEN, BEST)
        asked = BEST
    if asked == BEST:
        return 0 if grid.prefix_tokens else None
    return None if asked == MEAN_OF_PATCHES else asked


def layer_of(n_layers: int, param: params.Param) -> int:
    """A layer that the model has; the last one for one that it doesn't."""
    asked: int = state.get(param)
    return asked if 0 <= asked < n_layers else n_layers - 1


def head_of(n_heads: int, param: params.Param) -> int:
    return min(state.get(param), n_heads - 1)


def fusion() -> Fusion | None:
    """How heads are made one; None: a single head is shown."""
    chosen = state.get(FUSION)
    return None if chosen == "one" else chosen


def token_name(traced: Traced, token: int | None) -> str:
    """ "[CLS]", "register 1", "the patch in row 3, column 5"."""
    if token is None:
        return ALL_PATCHES
    if token < len(traced.prefix):
        return traced.prefix[token]
    row, column = divmod(token - len(traced.prefix), traced.grid.columns)
    return f"the patch in row {row + 1}, column {column + 1}"
