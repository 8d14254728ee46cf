"""Optimisation: the learning rate over time, the smoothed target, Adam's memory."""

from typing import Final

from app.ui import params
from app.ui.export_bar import Export
from app.views.blocks.optimisation import adam, prediction, schedule, smoothing
from app.views.blocks.parts import choose_part

LEAD: Final = "How fast to learn, what to aim at, and how long the optimiser remembers."
NAMES: Final = {
    "schedule": "Learning rate",
    "smoothing": "Label smoothing",
    "adam": "Adam",
}
PARTS: Final = {"schedule": schedule, "smoothing": smoothing, "adam": adam}
PART: Final = params.choice("opt", list(NAMES))
PARAMS: Final = (PART, *schedule.PARAMS, *prediction.PARAMS, *adam.PARAMS)


def render() -> Export | None:
    """The chosen part."""
    return PARTS[choose_part(PART, NAMES)].render()
