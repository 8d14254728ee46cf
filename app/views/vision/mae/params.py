"""This view's parameters."""

from typing import Final

from app.ui.params import Scope
from app.ui.snapshot_slider import END
from app.views.vision import masks
from app.views.vision.state import OVERLAYS, PICTURE

HERE: Final = Scope("vision", "mae")
MODEL = HERE.text("model", "mae-mini")
PERCENT = HERE.whole("ratio", 0, 100, 75)
SEED = HERE.whole("seed", 0, 9_999, 0)
PAINTED = HERE.custom(  # the patches a reader painted; None while the mask is drawn
    "hidden", None, masks.read, lambda hidden: "" if hidden is None else masks.written(hidden)
)
RAW = HERE.flag("raw")
MOMENT = HERE.whole("moment", END, 999, END)
PARAMS: Final = (MODEL, PICTURE, PERCENT, SEED, PAINTED, RAW, MOMENT, *OVERLAYS)
WIDTH: Final = 300.0  # px of a picture at most
