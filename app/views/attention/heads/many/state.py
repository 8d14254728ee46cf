"""What the view of many sentences remembers; its model, head and names are the page's own."""

from typing import Any, Final

from app.ui.params import Param, Scope
from app.views.attention.state import HEADS, KIND, MODEL, NAMES, OWN

HERE: Final = Scope("attention", "many")
PARAMS: Final[tuple[Param[Any], ...]] = (MODEL, KIND, HEADS, NAMES.by, OWN)
