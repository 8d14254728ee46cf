"""Optimisation: the learning rate over time, the smoothed target, Adam's memory."""

from typing import Final

from app.ui.page import View
from app.views.blocks.optimisation import adam, schedule, smoothing

VIEW: Final = View("optimisation", "Optimisation", parts=(schedule.VIEW, smoothing.VIEW, adam.VIEW))
