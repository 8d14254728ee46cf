"""A head's OV and QK circuits on chosen tokens. The same view on three pages."""

from app.ui.circuits.figure import Shown, figure
from app.ui.circuits.params import CircuitParams

__all__ = ["CircuitParams", "Shown", "figure"]
