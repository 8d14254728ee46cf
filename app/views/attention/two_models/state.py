"""What the view of two models remembers; its sentence, first model and head are the page's own."""

from typing import Any, Final

from app.ui.params import Choice, Param, Scope
from app.views.attention.state import HEADS, MODEL, TEXT
from app.views.attention.two_maps import SHOWN, Shown

HERE: Final = Scope("attention", "models")
OTHER_MODEL: Final = HERE.text("other_model", "bert-mini")
OTHER_HEAD: Final = HERE.cell("other_head")  # none: that which looks most like the first
SHOW: Final[Choice[Shown]] = HERE.choice("show", SHOWN, "both")
CELL: Final = HERE.cell("cell")  # (row, column) of the stretches that both cut the text into

PARAMS: Final[tuple[Param[Any], ...]] = (
    *(MODEL, OTHER_MODEL, TEXT, HEADS, OTHER_HEAD, SHOW, CELL),
)
