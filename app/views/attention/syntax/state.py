"""What the view of syntax remembers, as it stands in links."""

from typing import Any, Final

from app.ui.params import Param, Scope
from app.views.attention.state import MODEL

HERE: Final = Scope("attention", "syntax")
BY: Final = HERE.choice("by", {"weights": "looks", "written": "writes"})
TOWARDS: Final = HERE.choice(
    "towards",
    {"either": "the better way", "head": "to its governor", "dependent": "to its dependents"},
)
RELATION: Final = HERE.text("relation")  # "det.head"; anything else: the first row
HEADS: Final = HERE.cells("heads")  # one, or none: the relation's best

PARAMS: Final[tuple[Param[Any], ...]] = (MODEL, BY, TOWARDS, RELATION, HEADS)
