"""Objectives: what a model is asked to predict, on one sentence; and a router of experts."""

from typing import Final

from app.ui.page import View
from app.views.blocks.objectives import experts, pictures, replaced, side_by_side, spans

VIEW: Final = View(
    "objectives",
    "Objectives",
    parts=(side_by_side.VIEW, spans.VIEW, replaced.VIEW, pictures.VIEW, experts.VIEW),
)
