"""What a rollout of a text is asked, as it stands in links."""

from typing import Any, Final

from app.ui.params import Param, Scope
from app.views.attention import state
from core.explain.flow.rollout import HeadFusion

WHOLE: Final = -1  # the last frame: the whole rollout
ATTENTION: Final = "attention"

HERE: Final = Scope("attention", "rollout")
FILM: Final = HERE.key("film")
TITLES: Final = {ATTENTION: "Attention", "written": "‖αf(x)‖", "zeroed": "Value Zeroing"}
BY: Final = HERE.choice("by", TITLES)  # the map that is large
RESIDUAL: Final = HERE.real("residual", 0.0, 1.0, 0.5)
FUSIONS: Final[tuple[HeadFusion, ...]] = ("mean", "max", "min")
FUSION: Final = HERE.choice("fusion", FUSIONS)
START: Final = HERE.whole("start", 0, 199, 0)
FRAME: Final = HERE.whole("frame", WHOLE, 199, WHOLE)
PARAMS: Final[tuple[Param[Any], ...]] = (
    *(state.MODEL, state.TEXT, state.PAIR, state.TARGET, state.KIND, state.PIN),
    *(BY, RESIDUAL, FUSION, START, FRAME),
)
