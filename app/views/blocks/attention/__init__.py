"""Attention from scratch: from a table of numbers to a real head, in six parts."""

from typing import Final

from app.ui.page import View
from app.views.blocks.attention import entropy, limit, metric, saturation, scores, worked

VIEW: Final = View(
    "attention",
    "Attention from scratch",
    parts=(
        worked.VIEW,
        saturation.VIEW,
        scores.VIEW,
        metric.VIEW,
        entropy.VIEW,
        limit.VIEW,
    ),
)
