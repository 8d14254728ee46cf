"""The Swin view's own state: model, block, head, patch."""

from typing import Final

from app.ui.params import Scope
from app.views.vision.state import OVERLAYS, PICTURE

MEAN: Final = -1  # the mean of all heads
MIDDLE: Final = -1  # a patch in a window's corner, near the picture's centre

HERE: Final = Scope("vision", "swin")
MODEL = HERE.text("model", "swin-mini")
BLOCK = HERE.whole("layer", 0, 199, 0)
HEAD = HERE.whole("head", MEAN, 199, MEAN)
PATCH = HERE.whole("patch", MIDDLE, 99_999, MIDDLE)  # on the first stage's grid
FLOW = HERE.flag("rollout")  # reach painted with it
PARAMS: Final = (MODEL, PICTURE, BLOCK, HEAD, PATCH, FLOW, *OVERLAYS)
