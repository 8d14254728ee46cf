"""This view's parameters."""

from typing import Final

from app.ui import params
from app.ui.snapshot_slider import END
from app.views.vision import state
from app.views.vision.mae import masks

MODEL = params.text("mae-m", "mae-mini")
PERCENT = params.number("mae-ratio", 0, 100, 75)
DRAW = params.number("mae-draw", 0, 9_999, 0)
PAINTED = masks.painted_param("mae-hidden")
RAW = params.flag("mae-raw")
MOMENT = params.number("mae-at", END, 999, END)
PARAMS: Final = (MODEL, PERCENT, DRAW, PAINTED, RAW, MOMENT)
KEY: Final = f"{state.PAGE}.mae"
WIDTH: Final = 300.0  # px of a picture at most
