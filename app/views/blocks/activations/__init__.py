"""Activations: the curves, GELU as expected dropout, and feed-forward blocks with a gate."""

from typing import Final

from app.ui.page import View
from app.views.blocks.activations import curves, dropout, gates

VIEW: Final = View("activations", "Activations", parts=(curves.VIEW, dropout.VIEW, gates.VIEW))
