"""What the view that finds heads remembers; its sentence and pair are the page's own."""

from typing import Any, Final

from app.ui.params import Param, Scope
from app.views.attention.heads.find.options import LABELS
from app.views.attention.state import CELL, KIND, MODEL, NAMES, PAIR, TARGET, TEXT

HERE: Final = Scope("attention", "find")
WHAT: Final = HERE.choice("what", LABELS)
RANK: Final = HERE.choice("rank", {"text": "on this sentence", "file": "over many texts"})
HEADS: Final = HERE.cells("heads")  # one, or none: the first of the list
PARAMS: Final[tuple[Param[Any], ...]] = (
    *(MODEL, TEXT, PAIR, TARGET, KIND, CELL, *NAMES.params),
    *(WHAT, RANK, HEADS),
)
