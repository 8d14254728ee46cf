"""Normalisation: of one vector, and where in the block it stands."""

from typing import Final

from app.ui.page import View
from app.views.blocks.norms import depth, vectors

VIEW: Final = View("norms", "Normalisation", parts=(depth.VIEW, vectors.VIEW))
