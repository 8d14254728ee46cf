"""What the flow between tokens is asked, as it stands in links."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from app.components.token_flow import Shown
from app.ui.params import Param, Scope
from app.views.attention import state

HERE: Final = Scope("attention", "flow")
FIGURE: Final = HERE.key("figure")
By = Literal["proximity", "written", "attention"]
TITLES: Final[Mapping[By, str]] = {
    "proximity": "Proximity",
    "written": "‖αf(x)‖",
    "attention": "Attention",
}
SHOWS: Final[Mapping[Shown, str]] = {
    "into": "into it",
    "out": "out of it",
    "all": "everything",
}
BY: Final = HERE.choice("by", TITLES)
SHOW: Final = HERE.choice("show", SHOWS)
LEAST: Final = HERE.real("least", 0.0, 0.5, 0.04)
RESIDUAL: Final = HERE.real("residual", 0.0, 1.0, 0.5)
NODE: Final = HERE.cell("node")  # (level, token); none: the view's own choice
PARAMS: Final[tuple[Param[Any], ...]] = (
    *(state.MODEL, state.TEXT, state.PAIR, state.TARGET, state.KIND, state.PIN),
    *(BY, SHOW, LEAST, RESIDUAL, NODE),
)
