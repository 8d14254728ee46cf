"""Cost: operations, memory, pictures, time on this machine, parameters."""

from typing import Final

from app.ui.page import View
from app.views.blocks.cost import layers, measured, memory, parameters, pictures

VIEW: Final = View(
    "cost",
    "Cost",
    parts=(layers.VIEW, memory.VIEW, pictures.VIEW, measured.VIEW, parameters.VIEW),
)
entered: Final = parameters.follow_link
