"""What the attention view remembers, in its session and in its link."""

from typing import Final, Literal

from app.services.vision_attention import Traced
from app.ui.params import Choice, Number, Scope
from app.views.vision.own_film import FilmParams
from app.views.vision.state import NAMES
from core.explain.attention.patch_attention import Direction, Fusion

MEAN_OF_PATCHES: Final = -2
BEST: Final = -1  # the view's own choice: the first prefix token, the last layer
LAST: Final = -1
ALL_PATCHES: Final = "all patches, averaged"

HERE: Final = Scope("vision", "attention")
TOKEN = HERE.whole("token", MEAN_OF_PATCHES, 99_999, BEST)  # prefix tokens first, then patches
DIRECTIONS: Final[dict[Direction, str]] = {"from": "Where it looks", "to": "Who looks at it"}
DIRECTION = HERE.choice("direction", DIRECTIONS)
Heads = Fusion | Literal["one"]
FUSIONS: Final[dict[Heads, str]] = {
    "one": "One head",
    "mean": "Mean",
    "max": "Max",
    "min": "Min",
}
FUSION: Final[Choice[Heads]] = HERE.choice("fusion", FUSIONS, "mean")
KEEP = HERE.whole("keep", 1, 100, 100)  # per cent of the patches' mass
SHARED_SCALE = HERE.flag("shared")
LAYER = HERE.whole("layer", LAST, 199, LAST)
HEAD = HERE.whole("head", 0, 199, 0)
OTHER_MODEL = HERE.text("other_model")
OTHER_LAYER = HERE.whole("other_layer", LAST, 199, LAST)
OTHER_HEAD = HERE.whole("other_head", 0, 199, 0)
FILM: Final = FilmParams.of(Scope("vision", "attention.film"))
PARAMS: Final = (
    TOKEN, DIRECTION, FUSION, KEEP, SHARED_SCALE, LAYER, HEAD,
    OTHER_MODEL, OTHER_LAYER, OTHER_HEAD, *FILM.every, *NAMES.params,
)  # fmt: skip


def token_of(traced: Traced) -> int | None:
    """The chosen token on the picture's grid; None: the mean over all patches."""
    grid = traced.grid
    if TOKEN.below(grid.n_tokens) == BEST:
        return 0 if grid.prefix_tokens else None
    return None if TOKEN.value == MEAN_OF_PATCHES else TOKEN.value


def layer_of(n_layers: int, layer: Number[int]) -> int:
    """A layer that the model has; the last one for one that it doesn't."""
    return layer.below(n_layers) % n_layers


def head_of(n_heads: int, head: Number[int]) -> int:
    return head.kept_below(n_heads)


def fusion() -> Fusion | None:
    """How heads are made one; None: a single head is shown."""
    chosen = FUSION.value
    return None if chosen == "one" else chosen


def token_name(traced: Traced, token: int | None) -> str:
    """ "[CLS]", "register 1", "the patch in row 3, column 5"."""
    if token is None:
        return ALL_PATCHES
    if token < len(traced.prefix):
        return traced.prefix[token]
    row, column = divmod(token - len(traced.prefix), traced.grid.columns)
    return f"the patch in row {row}, column {column}"
